/**
 * GET …/assets/{id}/versions, and one version by its hash, optionally with the difference from another one.
 */
import { Type } from '@sinclair/typebox'
import {
  type AnyRoute,
  closed,
  defineRoute,
  invalidAt,
  notFound,
  okAtRevision,
  orNull,
} from '../../http/index.ts'
import { columnChanges } from '../pack/column-changes.ts'
import { canonicalJson } from '../pack/content-hash.ts'
import { readContentOf, type StoredAsset } from '../store/assets.ts'
import { readVersions } from '../store/versions.ts'
import type { Reading } from '../store/visible.ts'
import { aboutAsset, assetOf, assetPath, refOf } from './about-asset.ts'
import {
  AnyObject,
  AssetRef,
  ColumnChange,
  ColumnSchema,
  TestDefinition,
  Text,
  VersionSchema,
} from './schemas.ts'

const base = `${assetPath}/versions`

const Difference = Type.Object({
  from: Text,
  to: Text,
  columns: Type.Array(Type.Object({ ...ColumnChange.properties, change: Text })),
  sql: orNull(Type.Object({ old: orNull(Text), new: orNull(Text) })),
  blocks: Type.Array(Text, { description: 'Names of the blocks that differ.' }),
})

const listRoute = defineRoute({
  ...aboutAsset,
  id: 'getAssetVersions',
  path: base,
  summary: 'Read the version history of an asset, newest first',
  responses: { 200: Type.Object({ ...AssetRef, versions: Type.Array(VersionSchema) }) },
  cached: true,
  async handle(call) {
    const { reading, asset } = await assetOf(call)
    const versions = await readVersions(reading, asset)
    return okAtRevision(call, { ...refOf(asset), versions })
  },
})

const OneVersion = Type.Object({
  ...AssetRef,
  hash: Text,
  versions: Type.Array(VersionSchema),
  content: orNull(
    Type.Object({
      name: Text,
      path: Text,
      description: orNull(Text),
      owner: orNull(Text),
      tags: Type.Array(Text),
      blocks: AnyObject,
      schema: Type.Object({ columns: Type.Array(ColumnSchema) }),
      tests: Type.Array(TestDefinition),
    }),
  ),
  diff: Type.Optional(Difference),
})

const hashPattern = '^[\\w.:-]{6,128}$'

const oneRoute = defineRoute({
  ...aboutAsset,
  params: Type.Object({ ...aboutAsset.params.properties, hash: Type.String({ pattern: hashPattern }) }),
  id: 'getAssetVersion',
  path: `${base}/:hash`,
  summary: 'Read one version of an asset by its hash or the beginning of it',
  query: closed({
    diff: Type.Optional(
      Type.String({ pattern: hashPattern, description: 'Hash of an older version: what changed since.' }),
    ),
  }),
  responses: { 200: OneVersion },
  cached: true,
  async handle(call) {
    const { reading, asset } = await assetOf(call)
    const all = await readVersions(reading, asset)
    const hash = wholeHash(all, call.params.hash)
    const content = await readContentOf(reading, asset.id, hash)
    const { diff } = call.query
    const from = diff === undefined ? undefined : wholeHash(all, diff, '?diff')
    return okAtRevision(call, {
      ...refOf(asset),
      hash,
      versions: all.filter(version => version.hash === hash),
      content: content === undefined ? null : contentAnswer(content),
      ...(from !== undefined && { diff: await differenceOf(reading, asset, { from, to: hash }) }),
    })
  },
})

/** @throws Problem if no version has it, or versions with several hashes start with it */
function wholeHash(
  versions: readonly { readonly hash: string }[],
  written: string,
  parameter?: string,
): string {
  const hashes = [...new Set(versions.map(version => version.hash))].filter(hash => hash.startsWith(written))
  const [hash] = hashes
  if (hashes.includes(written)) return written
  if (hash !== undefined && hashes.length === 1) return hash
  if (hash === undefined && parameter === undefined) throw notFound('version')
  const detail =
    hash === undefined ? `No version has the hash "${written}".` : `Several versions begin with "${written}".`
  throw invalidAt(parameter ?? '/hash', hash === undefined ? 'not_found' : 'ambiguous', detail)
}

function contentAnswer({ name, path, description, owner, tags, blocks, columns, tests }: StoredAsset) {
  return { name, path, description, owner, tags, blocks, schema: { columns: columns ?? [] }, tests }
}

/** @throws Problem if no upload contained the content of one of them */
async function differenceOf(
  reading: Reading,
  asset: StoredAsset,
  { from, to }: { readonly from: string; readonly to: string },
) {
  const contents = await Promise.all([from, to].map(hash => readContentOf(reading, asset.id, hash)))
  const [old, now] = contents
  if (old === undefined || now === undefined) {
    const hash = old === undefined ? from : to
    const detail = `Of the version "${hash}" only its deployment is known: no upload brought its content.`
    throw invalidAt('?diff', 'unknown_content', detail)
  }
  const names = [...new Set([...Object.keys(old.blocks), ...Object.keys(now.blocks)])]
  const [before, after] = [sqlOf(old), sqlOf(now)]
  return {
    from,
    to,
    columns: columnChanges(old.columns, now.columns),
    sql: before === after ? null : { old: before, new: after },
    blocks: names.filter(name => canonicalJson(old.blocks[name]) !== canonicalJson(now.blocks[name])).sort(),
  }
}

function sqlOf({ blocks }: StoredAsset): string | null {
  const { transform } = blocks
  return typeof transform === 'string' ? transform : null
}

export const versionRoutes: readonly AnyRoute[] = [listRoute, oneRoute]
