/**
 * Adds assets that were written since the last run to the catalogue, so that they can be seen and run. Pure.
 */
import type { CatalogAsset, CatalogFile } from '@svc/server/contract'

/** `outline` is made from the current files; assets that the run knows are not changed. */
export function withNewAssets(known: CatalogFile, outline: CatalogFile): CatalogFile {
  const there = new Set(known.assets.map(({ name }) => name))
  const added = new Map(outline.assets.flatMap(asset => (there.has(asset.name) ? [] : [[asset.name, asset]])))
  if (added.size === 0) return known
  const isShown = (name: string) => there.has(name) || added.has(name)
  const grown = known.assets.map(asset => withReaders(asset, [...added.values()]))
  const fresh = [...added.values()].map(asset => ({
    ...asset,
    upstream: asset.upstream.filter(isShown),
    downstream: asset.downstream.filter(name => added.has(name)),
  }))
  return {
    ...known,
    // In the order of the catalogue, which decides the arrangement of the graph.
    assets: [...grown, ...fresh].sort((a, b) => (a.path < b.path ? -1 : 1)),
    exposures: [...known.exposures, ...outline.exposures.filter(({ asset }) => added.has(asset))],
    ...(known.publishes !== undefined && {
      publishes: [...known.publishes, ...(outline.publishes ?? []).filter(({ asset }) => added.has(asset))],
    }),
    lineage: [
      ...known.lineage,
      ...outline.lineage.filter(({ from, to, kind }) =>
        kind === 'ref' ? added.has(to) && isShown(from) : added.has(from),
      ),
    ],
  }
}

function withReaders(asset: CatalogAsset, added: readonly CatalogAsset[]): CatalogAsset {
  const readers = added.filter(({ upstream }) => upstream.includes(asset.name)).map(({ name }) => name)
  return readers.length === 0 ? asset : { ...asset, downstream: [...asset.downstream, ...readers].sort() }
}
