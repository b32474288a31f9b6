/** Catalogues for the tests and the benchmark of the graph. */

import type { CatalogAsset, CatalogFile } from '../../../webview/protocol.ts'
import { randomFrom } from '../../bench/random.ts'

export interface AssetSketch extends Partial<CatalogAsset> {
  readonly name: string
}

/** `reads` of each asset as `child <- parent parent`; assets come in the order of the lines. */
export function catalogOf(lines: readonly string[], sketches: readonly AssetSketch[] = []): CatalogFile {
  const given = new Map(sketches.map(sketch => [sketch.name, sketch]))
  const reads = new Map(
    lines.map(line => {
      const [name = '', parents = ''] = line.split('<-').map(part => part.trim())
      return [name, parents.split(' ').filter(Boolean)] as const
    }),
  )
  const assets = [...reads].map(([name, upstream]) => assetOf(name, upstream, reads, given.get(name)))
  return catalogFile(assets)
}

function assetOf(
  name: string,
  upstream: readonly string[],
  reads: ReadonlyMap<string, readonly string[]>,
  sketch: Partial<CatalogAsset> = {},
): CatalogAsset {
  const isSource = upstream.length === 0
  return {
    name,
    path: `models/${name}.svc`,
    kind: isSource ? 'source' : 'model',
    description: null,
    owner: null,
    tags: [],
    columns: [],
    raw_sql: '',
    compiled_sql: '',
    definition_hash: 'a'.repeat(64),
    active_hash: 'a'.repeat(64),
    status: 'deployed',
    last_run: '2026-01-01T00:00:00Z',
    seconds: null,
    rows: 1_000,
    freshness: null,
    tests: [],
    summary: { total: 0, passed: 0, failed: 0 },
    upstream,
    downstream: [...reads].filter(([, parents]) => parents.includes(name)).map(([child]) => child),
    ...sketch,
  }
}

export function catalogFile(
  assets: readonly CatalogAsset[],
  exposures: CatalogFile['exposures'] = [],
): CatalogFile {
  return {
    version: 1,
    generated_at: '2026-01-01T00:00:00Z',
    environment: 'dev',
    project: { id: 'shop', name: 'shop', warehouse: 'duckdb', default_schema: 'main' },
    assets,
    exposures,
    lineage: [],
    excluded_columns: 0,
    active_assets: assets.length,
  }
}

/** Six layers, a quarter of it sources, one exposure for every twelve assets; the same for the same count. */
export function largeCatalog(count: number): CatalogFile {
  const random = randomFrom(7)
  const sources = Math.max(1, Math.floor(count / 4))
  const reads = new Map<string, string[]>()
  const names = Array.from({ length: count }, (_, index) => `${index < sources ? 'raw' : 'model'}_${index}`)
  names.forEach((name, index) => {
    const parents = new Set<string>()
    const most = index < sources ? 0 : 1 + (index % 5 === 0 ? 2 : index % 2)
    while (parents.size < Math.min(most, index)) {
      const window = Math.max(sources, Math.floor(count / 6))
      const at = Math.max(0, index - 1 - Math.floor(random() * window))
      parents.add(names[at] ?? '')
    }
    reads.set(name, [...parents])
  })
  const children = new Map<string, string[]>()
  for (const [name, parents] of reads) {
    for (const parent of parents) children.set(parent, [...(children.get(parent) ?? []), name])
  }
  const nothing = new Map<string, readonly string[]>()
  const assets = names.map((name, index) =>
    assetOf(name, reads.get(name) ?? [], nothing, {
      path: `models/${index < sources ? 'raw' : `area_${index % 9}`}/${name}.svc`,
      downstream: children.get(name) ?? [],
      status: index % 17 === 3 ? null : index % 23 === 5 ? 'Failed' : 'deployed',
      summary: {
        total: index % 7,
        passed: (index % 7) - (index % 29 === 1 ? 1 : 0),
        failed: index % 29 === 1 ? 1 : 0,
      },
    }),
  )
  const exposures = names
    .filter((_, index) => index >= sources && index % 12 === 11)
    .map((asset, index) => ({
      name: `board_${index}`,
      asset,
      type: 'dashboard',
      url: null,
      owner: null,
      description: null,
    }))
  return catalogFile(assets, exposures)
}
