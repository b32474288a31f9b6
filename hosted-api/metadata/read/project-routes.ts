/** GET …/manifest and GET …/assets. */
import { Type } from '@sinclair/typebox'
import { nodeKinds } from '../../../server/contract/pack.ts'
import { isUnchanged } from '../../http/etag.ts'
import {
  type AnyRoute,
  asksForFew,
  type CursorSigner,
  closed,
  defineRoute,
  listParameters,
  listReply,
  ok,
  oneOf,
  orNull,
  RecordId,
  revisionTag,
  Time,
} from '../../http/index.ts'
import type { Row, Storage } from '../../storage/index.ts'
import { headOf } from '../store/visible.ts'
import { manifestText } from './manifest.ts'
import {
  AnyObject,
  AssetRef,
  aboutProject,
  ColumnSchema,
  EdgeColumns,
  projectPath,
  TestDefinition,
  Text,
} from './schemas.ts'

const Manifest = Type.Object({
  project: Type.Object({
    id: RecordId,
    identifier: orNull(Text),
    name: Text,
    warehouse: orNull(Text),
    default_schema: orNull(Text),
    revision: Type.Integer(),
    uploaded_at: orNull(Time),
    /** What the pack of the last upload says of itself. */
    pack: orNull(
      Type.Object({
        version: orNull(Type.Integer()),
        name: Text,
        environment: orNull(Text),
        scope: oneOf(['full', 'partial']),
        settings_hash: orNull(Text),
        git: orNull(AnyObject),
      }),
    ),
  }),
  assets: Type.Array(
    Type.Object({
      id: RecordId,
      identifier: Text,
      name: Text,
      path: Text,
      kind: oneOf(nodeKinds.slice(0, 3)),
      description: orNull(Text),
      owner: orNull(Text),
      definition_hash: orNull(Text),
      active_hash: orNull(Text),
      tags: Type.Array(Text),
      blocks: AnyObject,
      schema: Type.Object({ columns: Type.Optional(Type.Array(ColumnSchema)) }),
    }),
  ),
  lineage: Type.Array(
    Type.Object({
      from_id: RecordId,
      to_id: RecordId,
      from: Text,
      to: Text,
      kind: oneOf(['ref', 'exposure']),
      columns: EdgeColumns,
    }),
  ),
  schemas: Type.Record(Text, Type.Object({ columns: Type.Array(ColumnSchema) })),
  tests: Type.Array(Type.Object({ ...AssetRef, ...TestDefinition.properties })),
})

const manifestRoute = defineRoute({
  ...aboutProject,
  id: 'getManifest',
  method: 'GET',
  path: `${projectPath}/manifest`,
  summary: 'Read the manifest of a project',
  isLong: true,
  scope: 'metadata:read',
  responses: { 200: Manifest },
  cached: true,
  async handle({ project, storage, headers, pace }) {
    const revision = (await storage.revision(Number(project))) ?? 0
    const tag = { ETag: revisionTag(revision) }
    // A client with the current version gets 304 before the manifest is built. Only a 200 is cached for
    // others.
    if (isUnchanged(headers['if-none-match'], tag.ETag)) return { status: 304, headers: tag }
    const text = await manifestText(storage.reads, Number(project), revision, pace)
    return ok(text, { ...tag, 'Content-Type': 'application/json; charset=utf-8' })
  },
})

const AssetItem = Type.Object({
  id: RecordId,
  identifier: Text,
  name: Text,
  path: Text,
  kind: oneOf(nodeKinds),
  description: orNull(Text),
  owner: orNull(Text),
  removed_at: orNull(Time),
})

const sortable = {
  id: 'asset.id',
  name: 'state.name',
  path: 'state.path',
  identifier: 'asset.identifier',
}

function assetsRoute(signer: CursorSigner): AnyRoute {
  return defineRoute({
    ...aboutProject,
    id: 'listAssets',
    method: 'GET',
    path: `${projectPath}/assets`,
    summary: 'List the assets of a project; by name, to find the record number of one',
    scope: 'metadata:read',
    query: closed({
      name: Type.Optional(Type.String({ description: 'Exactly this name.' })),
      identifier: Type.Optional(Type.String({ description: 'Exactly this identifier.' })),
      kind: Type.Optional(oneOf(nodeKinds, { description: 'Without it: source, model and publish.' })),
      owner: Type.Optional(Type.String()),
      include: Type.Optional(
        oneOf(['removed'], { description: 'removed: also assets that the last upload no longer has.' }),
      ),
      ...listParameters(Object.keys(sortable), Object.keys(AssetItem.properties)),
    }),
    responses: { 200: Type.Array(AssetItem) },
    cached: true,
    isLong: true,
    isShort: asksForFew,
    async handle(call) {
      const { storage, query } = call
      const project = Number(call.project)
      const { reads } = storage
      const head = await headOf(reads, project)
      const rows = newestStates(reads, project, head)
      if (query['include'] === undefined) rows.whereNull('asset.removed_at')
      for (const name of ['name', 'owner', 'kind'] as const) {
        if (query[name] !== undefined) rows.where(`state.${name}`, String(query[name]))
      }
      if (query['identifier'] !== undefined) rows.where('asset.identifier', String(query['identifier']))
      if (query['kind'] === undefined) rows.whereNotIn('state.kind', ['external', 'exposure'])
      return listReply(call, {
        rows,
        sortable,
        key: 'asset.id',
        item: assetItem,
        members: Object.keys(AssetItem.properties),
        signer,
        audience: `project ${project}`,
      })
    },
  })
}

/** Selects the newest state of each asset: the visible one, or the last one of a removed asset. */
function newestStates({ build }: Storage['reads'], project: number, head: number) {
  return build('asset')
    .join('asset_state as state', 'state.asset_id', 'asset.id')
    .select('asset.id', 'asset.identifier', 'asset.removed_at', 'state.name', 'state.path', 'state.kind')
    .select('state.description', 'state.owner')
    .where('asset.project_id', project)
    .where('state.from_upload', '<=', head)
    .whereNotExists(
      build('asset_state as later')
        .select(build.raw('1'))
        .whereRaw('later.asset_id = asset.id')
        .where('later.from_upload', '<=', head)
        .whereRaw('(later.from_upload > state.from_upload)'),
    )
}

function assetItem(row: Row): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.keys(AssetItem.properties).map(name => [name, row[name] ?? null]))
}

export function projectRoutes(signer: CursorSigner): readonly AnyRoute[] {
  return [manifestRoute, assetsRoute(signer)]
}
