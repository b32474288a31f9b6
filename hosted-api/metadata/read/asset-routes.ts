/** GET …/assets/{id}/metadata, lineage, versions, tests, impact. */
import { type TSchema, Type } from '@sinclair/typebox'
import { nodeKinds } from '../../../server/contract/pack.ts'
import {
  type AnyRoute,
  Count,
  closed,
  defineRoute,
  invalid,
  invalidAt,
  ok,
  okAtRevision,
  oneOf,
  orNull,
  RecordId,
  Time,
} from '../../http/index.ts'
import { assetsOf, impactOf } from '../lineage/impact.ts'
import type { Direction } from '../lineage/walk.ts'
import type { StoredAsset } from '../store/assets.ts'
import { fetchEdges } from '../store/edges.ts'
import { namesOf } from '../store/nodes.ts'
import { readStandingResults, readTestResults } from '../store/versions.ts'
import type { Reading } from '../store/visible.ts'
import { aboutAsset, assetOf, assetPath, refOf } from './about-asset.ts'
import { AssetAnswer, assetAnswer, noTests, termsOf } from './asset-answer.ts'
import { assetLineage, columnLineage, lineageGraph } from './lineage-answer.ts'
import { checkAsset } from './policy-check.ts'
import { AssetRef, EdgeColumns, TermLink, TestDefinition, TestSummary, Text } from './schemas.ts'
import { versionRoutes } from './version-routes.ts'

const metadataRoute = defineRoute({
  ...aboutAsset,
  id: 'getAssetMetadata',
  path: `${assetPath}/metadata`,
  summary: 'Read everything about an asset',
  responses: { 200: AssetAnswer },
  // The freshness of an asset changes with time, so the answer is not cached.
  isLong: true,
  async handle(call) {
    const { reading, asset } = await assetOf(call)
    return ok(await assetAnswer(reading, asset, call.storage.clock()))
  },
})

const deepest = 50
const Neighbours = Type.Array(Type.Object({ ...AssetRef, depth: Type.Optional(Count) }))
const ColumnPlaces = Type.Array(
  Type.Object({ ...AssetRef, column: Text, depth: Count, masked: Type.Boolean() }),
)

const LineageAnswer: TSchema = Type.Union([
  Type.Object({ upstream: Neighbours, downstream: Neighbours }),
  Type.Object({
    nodes: Type.Array(
      Type.Object({ ...AssetRef, kind: oneOf(nodeKinds), path: Text, depth: Type.Integer() }),
    ),
    edges: Type.Array(Type.Object({ from: RecordId, to: RecordId, kind: Text, columns: EdgeColumns })),
  }),
  Type.Object({
    asset_id: RecordId,
    asset_name: Text,
    columns: Type.Array(Type.Object({ column: Text, upstream: ColumnPlaces, downstream: ColumnPlaces })),
  }),
])

const lineageRoute = defineRoute({
  ...aboutAsset,
  id: 'getAssetLineage',
  path: `${assetPath}/lineage`,
  summary: 'Read the lineage of an asset',
  query: closed({
    depth: Type.Optional(
      Type.String({
        pattern: '^(all|[1-9][0-9]?)$',
        description: `1 to ${deepest}, or all; 1 by default.`,
      }),
    ),
    direction: Type.Optional(oneOf(['upstream', 'downstream', 'both'])),
    level: Type.Optional(oneOf(['asset', 'column'])),
    column: Type.Optional(Type.String({ minLength: 1, description: 'With level=column: this column only.' })),
    format: Type.Optional(oneOf(['list', 'graph'])),
  }),
  responses: { 200: LineageAnswer },
  cached: true,
  isLong: true,
  isShort: ({ depth = '1', level = 'asset' }) => depth === '1' && level === 'asset',
  async handle(call) {
    const { direction = 'both', level = 'asset', column, format = 'list' } = call.query
    const depth = depthOf(call.query.depth)
    const directions: readonly Direction[] = direction === 'both' ? ['upstream', 'downstream'] : [direction]
    const query = { depth, directions, column }
    const { reading, asset } = await assetOf(call)
    if (level === 'column') {
      if (format === 'graph') throw invalid([onlyFor('format', 'level=asset')])
      const columns = (asset.columns ?? []).map(each => each.name)
      requireColumn(asset, column)
      const lineage = await columnLineage(reading, asset.id, columns, query)
      return okAtRevision(call, { ...refOf(asset), ...lineage })
    }
    if (column !== undefined) throw invalid([onlyFor('column', 'level=column')])
    const answer = format === 'graph' ? lineageGraph : assetLineage
    return okAtRevision(call, await answer(reading, asset.id, query))
  },
})

function depthOf(text: string | undefined): number {
  if (text === 'all') return Number.POSITIVE_INFINITY
  const depth = Number(text ?? 1)
  if (depth <= deepest) return depth
  throw invalidAt('?depth', 'maximum', `"depth" is 1 to ${deepest}, or all.`)
}

function onlyFor(parameter: string, other: string) {
  return { pointer: `?${parameter}`, code: 'not_allowed', detail: `"${parameter}" is for ${other} only.` }
}

function requireColumn({ columns, name }: StoredAsset, column: string | undefined): void {
  if (column === undefined || columns === null) return
  if (columns.some(each => each.name.toLowerCase() === column.toLowerCase())) return
  throw invalidAt('?column', 'not_found', `The asset "${name}" has no column "${column}".`)
}

const TestOutcome = Type.Object({
  name: Text,
  status: oneOf(['pass', 'fail']),
  execution_time: Type.Number({ description: 'Seconds.' }),
  timestamp: Time,
})

const testsRoute = defineRoute({
  ...aboutAsset,
  id: 'getAssetTests',
  path: `${assetPath}/tests`,
  summary: 'Read test definitions and results of an asset',
  query: closed({
    history: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'How many earlier results to return, newest first.',
      }),
    ),
  }),
  responses: {
    200: Type.Object({
      ...AssetRef,
      tests: Type.Array(TestDefinition),
      results: Type.Array(TestOutcome),
      summary: TestSummary,
      last_run: orNull(Time),
      history: Type.Optional(
        Type.Array(
          Type.Object({
            timestamp: Time,
            tests: Type.Array(Type.Omit(TestOutcome, ['timestamp'])),
            summary: TestSummary,
          }),
        ),
      ),
    }),
  },
  cached: true,
  async handle(call) {
    const { reading, asset } = await assetOf(call)
    const latest = await readStandingResults(reading, asset)
    const { history: wanted } = call.query
    const history = wanted === undefined ? undefined : await readTestResults(reading, asset.id, wanted)
    return okAtRevision(call, {
      ...refOf(asset),
      tests: asset.tests,
      results: (latest?.tests ?? []).map(({ at, ...test }) => ({
        ...test,
        timestamp: at ?? latest?.timestamp,
      })),
      summary: latest?.summary ?? noTests,
      last_run: latest?.timestamp ?? null,
      ...(history !== undefined && { history }),
    })
  },
})

const impactRoute = defineRoute({
  ...aboutAsset,
  id: 'getAssetImpact',
  path: `${assetPath}/impact`,
  summary: 'Read what a change of a column affects, and which terms and policies apply to the column',
  query: closed({ column: Type.Optional(Type.String({ minLength: 1 })) }),
  responses: {
    200: Type.Object({
      ...AssetRef,
      columns: Type.Array(
        Type.Object({
          column: Text,
          terms: Type.Array(TermLink),
          policies: Type.Array(
            Type.Object({ id: RecordId, name: Text, enforcement: Text, breached: Type.Boolean() }),
          ),
          personal: Type.Boolean(),
          affected: Type.Object({
            columns: Type.Array(Type.Object({ ...AssetRef, column: Text, depth: Count })),
            assets: Type.Array(Type.Object(AssetRef)),
            exposures: Type.Array(Type.Object(AssetRef)),
          }),
        }),
      ),
    }),
  },
  cached: true,
  isLong: true,
  async handle(call) {
    const { reading, asset } = await assetOf(call)
    requireColumn(asset, call.query.column)
    const columns = (asset.columns ?? []).map(each => each.name)
    const wanted = call.query.column === undefined ? columns : [call.query.column]
    return okAtRevision(call, {
      ...refOf(asset),
      columns: await impacts(reading, asset, wanted),
    })
  },
})

async function impacts(reading: Reading, asset: StoredAsset, columns: readonly string[]) {
  const impacts = await impactOf(asset.id, columns, fetchEdges(reading), reading.pace)
  const check = await checkAsset(reading, asset.project, asset.id)
  const terms = await termsOf(reading.queries, asset.id)
  const names = await namesOf(reading.queries, impacts.flatMap(assetsOf))
  const ref = (id: number) => refOf({ id, name: names.get(id) ?? '' })
  const breached = new Set(
    check.checks.flatMap(({ policy, breaches }) =>
      breaches.map(breach => `${policy.id} ${breach.column.toLowerCase()}`),
    ),
  )
  return impacts.map(({ column, columns: below, readers, exposures }) => {
    const name = column.toLowerCase()
    const policies = check.personal.get(name)
    return {
      column,
      terms: terms.filter(term => term.column?.toLowerCase() === name),
      policies: (policies ?? []).map(({ id, name: policy, enforcement }) => ({
        id,
        name: policy,
        enforcement,
        breached: breached.has(`${id} ${name}`),
      })),
      personal: policies !== undefined,
      affected: {
        columns: below.map(visit => ({ ...ref(visit.asset), column: visit.column, depth: visit.depth })),
        assets: readers.map(ref),
        exposures: exposures.map(ref),
      },
    }
  })
}

export const assetRoutes: readonly AnyRoute[] = [
  metadataRoute,
  lineageRoute,
  testsRoute,
  impactRoute,
  ...versionRoutes,
]
