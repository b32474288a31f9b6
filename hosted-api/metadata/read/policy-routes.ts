/** GET /api/svc/policies/check: the flow of personal data, and the policies that it breaks. */
import { Type } from '@sinclair/typebox'
import {
  type AnyRoute,
  Count,
  closed,
  defineRoute,
  invalidAt,
  okAtRevision,
  orNull,
  RecordId,
} from '../../http/index.ts'
import { requireBearable } from '../lineage/bearable.ts'
import type { PolicyCheck } from '../policies/check-policies.ts'
import type { PersonalColumn } from '../policies/personal-flow.ts'
import { readAsset } from '../store/assets.ts'
import { headOf, type Reading } from '../store/visible.ts'
import { refOf } from './about-asset.ts'
import { checkAsset, checkProject } from './policy-check.ts'
import { AssetRef, Text } from './schemas.ts'

const Place = Type.Object({ ...AssetRef, column: Text })

/** The limit per policy; the others are counted. */
const mostBreaches = 1000

const checkRoute = defineRoute({
  id: 'checkPolicies',
  method: 'GET',
  path: '/api/svc/policies/check',
  tag: 'policies',
  summary: 'Check the policies of a project, or those about one asset, by column lineage',
  scope: 'metadata:read',
  project: { from: 'query', parameter: 'project' },
  query: closed({ project: RecordId, asset: Type.Optional(RecordId) }),
  responses: {
    200: Type.Object({
      project: RecordId,
      asset: orNull(Type.Object(AssetRef)),
      policies: Type.Array(
        Type.Object({
          id: RecordId,
          name: Text,
          rule: Text,
          enforcement: Text,
          assets_covered: Count,
          personal_columns: Count,
          breach_count: Count,
          breaches: Type.Array(Type.Object({ ...Place.properties, root: Place, path: Type.Array(Place) })),
        }),
      ),
      summary: Type.Object({ policies: Count, breached: Count, breaches: Count }),
    }),
  },
  cached: true,
  isLong: true,
  async handle(call) {
    const { reads } = call.storage
    const project = Number(call.project)
    const reading: Reading = { queries: reads, head: await headOf(reads, project), pace: call.pace }
    const { asset } = call.query
    const outcome =
      asset === undefined ? await ofProject(reading, project) : await ofAsset(reading, project, asset)
    const policies = []
    let steps = 0
    for (const check of outcome.checks) {
      const answer = policyAnswer(check, outcome.nameOf)
      policies.push(answer)
      steps += answer.breaches.reduce((sum, breach) => sum + breach.path.length, 0)
      requireBearable(steps, 'asset')
      await call.pace.pause()
    }
    const body = {
      project,
      asset: outcome.asset,
      policies,
      summary: {
        policies: policies.length,
        breached: policies.filter(policy => policy.breach_count > 0).length,
        breaches: policies.reduce((sum, policy) => sum + policy.breach_count, 0),
      },
    }
    return okAtRevision(call, body)
  },
})

interface Found {
  readonly checks: readonly PolicyCheck[]
  readonly asset: ReturnType<typeof refOf> | null
  nameOf(asset: number): string
}

async function ofProject(reading: Reading, project: number): Promise<Found> {
  const { checks, facts } = await checkProject(reading, project)
  return { checks, asset: null, nameOf: id => facts.get(id)?.name ?? String(id) }
}

async function ofAsset(reading: Reading, project: number, id: number): Promise<Found> {
  const asset = await readAsset(reading.queries, id)
  if (asset === undefined || asset.project !== project) {
    throw invalidAt('?asset', 'not_found', `Project ${project} has no asset ${id}.`)
  }
  const { checks, names } = await checkAsset(reading, project, id)
  return { checks, asset: refOf(asset), nameOf: names }
}

function policyAnswer({ policy, covers, personal, breaches }: PolicyCheck, nameOf: Found['nameOf']) {
  const place = ({ asset, column }: Pick<PersonalColumn, 'asset' | 'column'>) => ({
    ...refOf({ id: asset, name: nameOf(asset) }),
    column,
  })
  return {
    id: policy.id,
    name: policy.name,
    rule: policy.rule,
    enforcement: policy.enforcement,
    assets_covered: covers.length,
    personal_columns: personal.length,
    breach_count: breaches.length,
    breaches: breaches.slice(0, mostBreaches).map(breach => ({
      ...place(breach),
      root: place(breach.root),
      path: breach.path.map(place),
    })),
  }
}

export const policyRoutes: readonly AnyRoute[] = [checkRoute]
