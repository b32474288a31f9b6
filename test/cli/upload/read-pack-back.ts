/** Puts a context pack together from the answers of the store (interface.md 2.7, 2.10, 2.11, 4.2). */
import { expect } from 'vitest'
import type { Client } from '../../hosted/support/client.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
export type Body = any

/** Lists of a pack by asset: the order of assets has no meaning, that within an asset has. */
export function inOrder(pack: Body): Body {
  const by = (keyOf: (item: Body) => string) => (a: Body, b: Body) =>
    keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0
  return {
    ...pack,
    assets: pack.assets.toSorted(by(({ name }) => name)),
    lineage: pack.lineage.toSorted(by(({ from, to }) => `${from} ${to}`)),
    exposures: pack.exposures.toSorted(by(({ asset }) => asset)),
    tests: pack.tests.toSorted(by(({ asset }) => asset)),
  }
}

export async function readPackBack(store: Client): Promise<Body> {
  const get = async (path: string) => (await store.get(`/api/svc/${path}`)).body
  const manifest = await get('metadata/projects/1/manifest')
  const assets = await Promise.all(
    manifest.assets.map(async (listed: Body) => ({
      listed,
      about: await get(`metadata/assets/${listed.id}/metadata`),
      lineage: await get(`metadata/assets/${listed.id}/lineage`),
      tests: await get(`metadata/assets/${listed.id}/tests`),
      versions: (await get(`metadata/assets/${listed.id}/versions`)).versions,
    })),
  )
  const { name, ...pack } = manifest.project.pack
  const { identifier: id, warehouse, default_schema } = manifest.project
  return {
    ...pack,
    project: { id, name, warehouse, default_schema },
    assets: assets.map(asset => assetOf(asset, manifest.lineage)),
    lineage: manifest.lineage.map(({ from, to, kind, columns }: Body) => ({ from, to, kind, columns })),
    exposures: await Promise.all(
      manifest.lineage
        .filter(({ kind }: Body) => kind === 'exposure')
        .map(async ({ from, to_id }: Body) =>
          exposureOf(from, await get(`metadata/assets/${to_id}/metadata`)),
        ),
    ),
    tests: manifest.tests.map(({ asset_name: asset, type: kind, asset_id, ...test }: Body) => ({
      asset,
      kind,
      ...test,
    })),
    versions: versionsOf(assets),
    test_results: resultsOf(assets),
    glossary: glossaryOf(await get('glossary/projects/1/export')),
  }
}

/** What manifest, metadata and lineage say of an asset has to be the same, also what they read out of its blocks. */
function assetOf({ listed, about, lineage }: Body, edges: readonly Body[]): Body {
  const { identifier: id, name, path, definition_hash, blocks, schema } = listed
  const { description = null, owner = null, tags = [] } = blocks
  expect(listed).toMatchObject({ description, owner, tags })
  const asset = { identifier: id, name, path, description }
  expect(about).toMatchObject({ asset, definition_hash, blocks, schema, owner, tags })
  const namesOf = (refs: readonly Body[]) => refs.map(({ asset_name }) => asset_name)
  const above = edges.filter(({ to }) => to === name).map(({ from }) => from)
  const below = edges.filter(({ from }) => from === name).map(({ to }) => to)
  expect(namesOf(lineage.upstream)).toEqual(above.toSorted())
  expect(namesOf(lineage.downstream)).toEqual(below.toSorted())
  return { id, name, path, definition_hash, text_hash: about.details.text_hash, blocks, schema }
}

function exposureOf(asset: string, { asset: node, owner, blocks }: Body): Body {
  const { name, description } = node
  return { name, asset, type: blocks.type, url: blocks.url ?? null, owner, description }
}

function versionsOf(assets: readonly Body[]): Body {
  const told = assets.map(({ listed, versions }) => [
    listed.name,
    versions
      .toReversed()
      .map(({ hash, deployed_at, status, run_id }: Body) => ({ hash, deployed_at, status, run_id })),
  ])
  return Object.fromEntries(told.filter(([, list]) => list.length > 0))
}

function resultsOf(assets: readonly Body[]): Body {
  const told = assets.map(
    ({ listed: { name: asset_name }, tests: { last_run: timestamp, results, summary } }) => {
      const { pass_rate: _rate, ...counts } = summary
      const tests = results.map(({ timestamp: at, ...result }: Body) => ({ ...result, at }))
      return [asset_name, { asset_name, timestamp, tests, summary: counts }]
    },
  )
  return Object.fromEntries(told.filter(([, { timestamp }]) => timestamp !== null))
}

/** The store's records have further members (revision, times, tags); those of the pack are compared. */
function glossaryOf({ terms, metrics, dimensions, policies }: Body): readonly Body[] {
  const pick =
    (...keys: readonly string[]) =>
    (record: Body) =>
      Object.fromEntries(keys.map(key => [key, record[key]]))
  const of = (kind: string, records: readonly Body[], ...keys: readonly string[]) =>
    records.map(record => ({ kind, ...pick(...keys)(record) }))
  const named = ['id', 'identifier', 'name', 'description']
  const link = ({ asset_name: asset, column, role }: Body) => ({ asset, column, role })
  return [
    ...terms.map((term: Body) => ({
      kind: 'term',
      ...pick(...named, 'synonyms', 'owner')(term),
      links: term.links.map(link),
    })),
    ...of('metric', metrics, ...named, 'sql_definition', 'time_grain', 'source_assets', 'owner'),
    ...of('dimension', dimensions, ...named, 'values', 'type'),
    ...of('policy', policies, 'id', 'name', 'rule', 'pii_columns', 'applies_to', 'enforcement', 'derived'),
  ]
}
