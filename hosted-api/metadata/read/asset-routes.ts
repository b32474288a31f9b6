/** GET …/assets/{id}/metadata, lineage, versions, tests, impact. */
import { type TSchema, Type } from '@sinclair/typebox'
import { nodeKinds } from '../../../server/contract/pack.ts'
import {
  type AnyRoute,
  type Call,
  defineRoute,
  invalid,
  notFound,
  ok,
  oneOf,
  orNull,
  RecordId,
  type Reply,
  revisionTag,
  Time,
} from '../../http/index.ts'
import { impactOf } from '../lineage/impact.ts'
import type { Direction } from '../lineage/walk.ts'
import { projectOfAsset, readAsset, type StoredAsset } from '../store/assets.ts'
import { fetchEdges } from '../store/edges.ts'
import { namesOf } from '../store/nodes.ts'
import { readTestResults } from '../store/versions.ts'
import { headOf } from '../store/visible.ts'
import { assetAnswer, termsOf } from './asset-answer.ts'
import { assetLineage, columnLineage, lineageGraph } from './lineage-answer.ts'
import { checkAsset } from './policy-check.ts'
import { AnyObject, AssetParams, AssetRef, ColumnSchema, EdgeColumns, TestDefinition } from './schemas.ts'
import { VersionSchema, versionRoutes } from './version-routes.ts'

const base = '/api/svc/metadata/assets/:asset'
const Text = Type.String()
const Count = Type.Integer({ minimum: 0 })
const Summary = Type.Object({ total: Count, passed: Count, failed: Count, pass_rate: Type.Number() })

type AssetCall = Call<typeof AssetParams.static>

/** The common part of all routes about one asset. */
const aboutAsset = {
  method: 'GET' as const,
  tag: 'metadata',
  scope: 'metadata:read' as const,
  project: {
    from: 'find' as const,
    find: (call: AssetCall) => projectOfAsset(call.storage.reads, call.params.asset),
  },
  params: AssetParams,
}

/** @throws Problem `not_found` for an asset that is in no complete upload */
async function assetOf({ storage, params }: Pick<AssetCall, 'storage' | 'params'>): Promise<StoredAsset> {
  const asset = await readAsset(storage.reads, params.asset)
  if (asset === undefined) throw notFound('asset')
  return asset
}

async function tagged(call: Pick<Call, 'storage' | 'project'>, body: unknown): Promise<Reply> {
  return ok(body, { ETag: revisionTag((await call.storage.revision(Number(call.project))) ?? 0) })
}

const TermLink = Type.Object({
  link: RecordId,
  term: RecordId,
  term_identifier: Text,
  term_name: Text,
  column: orNull(Text),
  role: Text,
})

const metadataRoute = defineRoute({
  ...aboutAsset,
  id: 'getAssetMetadata',
  path: `${base}/metadata`,
  summary: 'Read everything about an asset',
  responses: {
    200: Type.Object({
      asset: Type.Object({
        id: RecordId,
        identifier: Text,
        name: Text,
        path: Text,
        kind: oneOf(nodeKinds),
        description: orNull(Text),
        project: RecordId,
        removed_at: orNull(Time),
      }),
      schema: Type.Object({ columns: Type.Array(ColumnSchema) }),
      blocks: AnyObject,
      owner: orNull(Text),
      tags: Type.Array(Text),
      definition_hash: orNull(Text),
      details: AnyObject,
      freshness: orNull(
        Type.Object({
          warn_after: orNull(Text),
          error_after: orNull(Text),
          status: orNull(oneOf(['OK', 'WARN', 'ERROR'])),
          last_run: orNull(Time),
        }),
      ),
      terms: Type.Array(TermLink),
      policies: Type.Array(
        Type.Object({ id: RecordId, name: Text, enforcement: Text, breached_by: Type.Array(Text) }),
      ),
      pii_columns: Type.Array(Text),
      active_version: orNull(VersionSchema),
      test_summary: Summary,
    }),
  },
  // The freshness of an asset changes with time, so the answer is not cached.
  isLong: true,
  async handle(call) {
    return ok(await assetAnswer(call.storage.reads, await assetOf(call), call.storage.clock(), call.pace))
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
  path: `${base}/lineage`,
  summary: 'Read the lineage of an asset',
  query: Type.Object(
    {
      depth: Type.Optional(
        Type.String({
          pattern: '^(all|[1-9][0-9]?)$',
          description: `1 to ${deepest}, or all; 1 by default.`,
        }),
      ),
      direction: Type.Optional(oneOf(['upstream', 'downstream', 'both'])),
      level: Type.Optional(oneOf(['asset', 'column'])),
      column: Type.Optional(
        Type.String({ minLength: 1, description: 'With level=column: this column only.' }),
      ),
      format: Type.Optional(oneOf(['list', 'graph'])),
    },
    { additionalProperties: false },
  ),
  responses: { 200: LineageAnswer },
  cached: true,
  isLong: true,
  isShort: ({ depth = '1', level = 'asset' }) => depth === '1' && level === 'asset',
  async handle(call) {
    const { reads } = call.storage
    const { direction = 'both', level = 'asset', column, format = 'list' } = call.query
    const depth = depthOf(call.query.depth)
    const directions: readonly Direction[] = direction === 'both' ? ['upstream', 'downstream'] : [direction]
    const query = { depth, directions, column }
    const asset = await assetOf(call)
    const head = await headOf(reads, asset.project)
    if (level === 'column') {
      if (format === 'graph') throw invalid([onlyFor('format', 'level=asset')])
      const columns = (asset.columns ?? []).map(each => each.name)
      requireColumn(asset, column)
      const lineage = await columnLineage(reads, head, asset.id, columns, query, call.pace)
      return tagged(call, { asset_id: asset.id, asset_name: asset.name, ...lineage })
    }
    if (column !== undefined) throw invalid([onlyFor('column', 'level=column')])
    const answer = format === 'graph' ? lineageGraph : assetLineage
    return tagged(call, await answer(reads, head, asset.id, query, call.pace))
  },
})

function depthOf(text: string | undefined): number {
  if (text === 'all') return Number.POSITIVE_INFINITY
  const depth = Number(text ?? 1)
  if (depth <= deepest) return depth
  throw invalid([{ pointer: '?depth', code: 'maximum', detail: `"depth" is 1 to ${deepest}, or all.` }])
}

function onlyFor(parameter: string, other: string) {
  return { pointer: `?${parameter}`, code: 'not_allowed', detail: `"${parameter}" is for ${other} only.` }
}

function requireColumn({ columns, name }: StoredAsset, column: string | undefined): void {
  if (column === undefined || columns === null) return
  if (columns.some(each => each.name.toLowerCase() === column.toLowerCase())) return
  throw invalid([
    { pointer: '?column', code: 'not_found', detail: `The asset "${name}" has no column "${column}".` },
  ])
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
  path: `${base}/tests`,
  summary: 'Read test definitions and results of an asset',
  query: Type.Object(
    {
      history: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1000,
          description: 'How many earlier results to return, newest first.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  responses: {
    200: Type.Object({
      ...AssetRef,
      tests: Type.Array(TestDefinition),
      results: Type.Array(TestOutcome),
      summary: Summary,
      last_run: orNull(Time),
      history: Type.Optional(
        Type.Array(
          Type.Object({
            timestamp: Time,
            tests: Type.Array(Type.Omit(TestOutcome, ['timestamp'])),
            summary: Summary,
          }),
        ),
      ),
    }),
  },
  cached: true,
  async handle(call) {
    const { reads } = call.storage
    const asset = await assetOf(call)
    const head = await headOf(reads, asset.project)
    const history = await readTestResults(reads, asset.id, head, call.query.history ?? 1)
    const [latest] = history
    return tagged(call, {
      asset_id: asset.id,
      asset_name: asset.name,
      tests: asset.tests,
      results: (latest?.tests ?? []).map(test => ({ ...test, timestamp: latest?.timestamp })),
      summary: latest?.summary ?? { total: 0, passed: 0, failed: 0, pass_rate: 0 },
      last_run: latest?.timestamp ?? null,
      ...(call.query.history !== undefined && { history }),
    })
  },
})

const impactRoute = defineRoute({
  ...aboutAsset,
  id: 'getAssetImpact',
  path: `${base}/impact`,
  summary: 'Read what a change of a column affects, and which terms and policies apply to the column',
  query: Type.Object(
    { column: Type.Optional(Type.String({ minLength: 1 })) },
    { additionalProperties: false },
  ),
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
    const asset = await assetOf(call)
    requireColumn(asset, call.query.column)
    const columns = (asset.columns ?? []).map(each => each.name)
    const wanted = call.query.column === undefined ? columns : [call.query.column]
    return tagged(call, {
      asset_id: asset.id,
      asset_name: asset.name,
      columns: await impacts(call, asset, wanted),
    })
  },
})

async function impacts(
  { storage, pace }: Pick<Call, 'storage' | 'pace'>,
  asset: StoredAsset,
  columns: readonly string[],
) {
  const { reads } = storage
  const head = await headOf(reads, asset.project)
  const impacts = await impactOf(asset.id, columns, fetchEdges(reads, head, pace), pace)
  const check = await checkAsset(reads, asset.project, head, asset.id, pace)
  const terms = await termsOf(reads, asset.id)
  const names = await namesOf(
    reads,
    impacts.flatMap(each => [...each.columns.map(visit => visit.asset), ...each.readers, ...each.exposures]),
  )
  const ref = (id: number) => ({ asset_id: id, asset_name: names.get(id) ?? '' })
  const breachedBy = new Map<string, Set<number>>()
  for (const { policy, breaches } of check.checks) {
    for (const breach of breaches) {
      const name = breach.column.toLowerCase()
      breachedBy.set(name, (breachedBy.get(name) ?? new Set()).add(policy.id))
    }
  }
  return impacts.map(({ column, columns: below, readers, exposures }) => {
    const name = column.toLowerCase()
    const senses = check.personal.get(name) ?? []
    return {
      column,
      terms: terms.filter(term => term.column?.toLowerCase() === name),
      policies: senses.flatMap(({ policy }) =>
        policy === undefined
          ? []
          : [
              {
                id: policy.id,
                name: policy.name,
                enforcement: policy.enforcement,
                breached: breachedBy.get(name)?.has(policy.id) === true,
              },
            ],
      ),
      personal: senses.length > 0,
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
  ...versionRoutes(aboutAsset, assetOf),
]
