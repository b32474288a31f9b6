/**
 * Applies a filter: the selectors of the command line over the catalogue (`+orders`, `tag:core`,
 * `result:failed`), or, if the text is not a selector, a search in names and descriptions. Pure.
 */
import { type SelectableProject, selectAssets } from '../../server/language/project/selectors.ts'
import type { CatalogAsset, CatalogFile } from '../protocol.ts'
import { grouped } from './grouped.ts'
import { entryOf, type Lens } from './lens.ts'
import type { GraphModel, GraphNode, NodeStatus } from './model.ts'

/** `kept` is undefined if there is no filter. */
export type Filtered = { readonly kept: ReadonlySet<number> | undefined } | { readonly problem: string }

const noneHidden: ReadonlySet<string> = new Set()
const noneLive: ReadonlyMap<string, NodeStatus> = new Map()

export interface FilterOptions {
  readonly text: string
  /** Entries of a legend that are hidden: `kind:source`. */
  readonly hidden?: ReadonlySet<string> | undefined
  /** The state of a running run. */
  readonly live?: ReadonlyMap<string, NodeStatus> | undefined
  /** The assets whose files differ from what is live (`state:modified`). */
  readonly changed?: ReadonlySet<string> | undefined
}

/**
 * Returns what the text keeps, without what is hidden. An exposure is kept with its assets.
 */
export function filterOf(
  model: GraphModel,
  catalog: CatalogFile,
  { text, hidden = noneHidden, live = noneLive, changed = noneHidden }: FilterOptions,
): Filtered {
  const filtered = textFilter(model, catalog, text, changed)
  if ('problem' in filtered || hidden.size === 0) return filtered
  const candidates = filtered.kept ?? model.nodes.keys()
  return { kept: new Set([...candidates].filter(index => !isHidden(model.nodes[index], hidden, live))) }
}

/** Returns whether a running run may change the result. */
export function watchesRuns(hidden: ReadonlySet<string>): boolean {
  return [...hidden].some(key => key.startsWith('status:'))
}

/** Returns the key of a legend entry in `hidden`. */
export function hiddenKey(lens: Lens, entry: string): string {
  return `${lens}:${entry}`
}

const lenses: readonly Lens[] = ['kind', 'status', 'freshness', 'tests']

/** Exposures have a kind and no other property to filter by. */
function isHidden(
  node: GraphNode | undefined,
  hidden: ReadonlySet<string>,
  live: ReadonlyMap<string, NodeStatus>,
): boolean {
  if (node === undefined) return true
  const facts = { ...node, status: live.get(node.id) ?? node.status }
  const about = node.asset === undefined ? lenses.slice(0, 1) : lenses
  return about.some(lens => hidden.has(hiddenKey(lens, entryOf(lens, facts).key)))
}

function textFilter(
  model: GraphModel,
  catalog: CatalogFile,
  text: string,
  changed: ReadonlySet<string>,
): Filtered {
  const wanted = text.trim()
  if (wanted === '') return { kept: undefined }
  const unknown = /(?:^|[\s,&!+@])(ingest|materialize|config\.materialized):/.exec(wanted)?.[1]
  if (unknown !== undefined) return { problem: `the dashboard does not know "${unknown}:", svc ls does` }
  const selection = selectAssets(selectable(model, catalog), wanted, factsOf(model, catalog, changed))
  if ('names' in selection) return { kept: withExposures(model, selection.names) }
  const matches = containing(model, wanted)
  return matches.size > 0 && /^[^:+@!&,]+$/.test(wanted) ? { kept: matches } : { problem: selection.problem }
}

function selectable(model: GraphModel, catalog: CatalogFile): SelectableProject {
  const exposures = grouped(catalog.exposures, ({ asset }) => asset)
  const assets = new Map(
    catalog.assets.map(asset => [
      asset.name,
      {
        name: asset.name,
        path: asset.path,
        definition: {
          tags: asset.tags,
          owner: asset.owner ?? undefined,
          exposures: exposures.get(asset.name) ?? [],
          // These are never used, because `filterOf` refuses the two methods before.
          ingest: { type: asset.kind },
          deploy: { materialize: '' },
        },
      },
    ]),
  )
  const names = (name: string, lists: GraphModel['parents']) =>
    (lists[model.indexOf.get(name) ?? -1] ?? []).flatMap(index => model.nodes[index]?.asset?.name ?? [])
  return {
    settings: { models: modelsFolder(catalog.assets) },
    assets,
    byName: assets,
    order: [...assets.keys()],
    parents: name => names(name, model.parents),
    children: name => names(name, model.children),
  }
}

/** The catalogue does not contain the models folder, so it is the common folder of all files. */
function modelsFolder(assets: readonly CatalogAsset[]): string {
  const folder = /^[^/]+\//.exec(assets[0]?.path ?? '')?.[0] ?? ''
  return assets.every(asset => asset.path.startsWith(folder)) ? folder : ''
}

function factsOf(model: GraphModel, { assets }: CatalogFile, changed: ReadonlySet<string>) {
  const namesWhere = (matches: (asset: CatalogAsset) => boolean) =>
    new Set(assets.filter(matches).map(asset => asset.name))
  return {
    modified: namesWhere(asset => asset.active_hash !== asset.definition_hash || changed.has(asset.name)),
    added: namesWhere(asset => asset.active_hash === null),
    failed: namesWhere(({ name }) => model.nodes[model.indexOf.get(name) ?? -1]?.status === 'failed'),
  }
}

function withExposures(model: GraphModel, names: readonly string[]): Set<number> {
  const kept = new Set(names.flatMap(name => model.indexOf.get(name) ?? []))
  for (const index of [...kept]) {
    for (const child of model.children[index] ?? []) {
      if (model.nodes[child]?.asset === undefined) kept.add(child)
    }
  }
  return kept
}

function containing(model: GraphModel, text: string): Set<number> {
  const wanted = text.toLowerCase()
  const has = (value: string | null | undefined) => value?.toLowerCase().includes(wanted) === true
  return new Set(
    model.nodes.flatMap(({ name, asset }, index) => (has(name) || has(asset?.description) ? [index] : [])),
  )
}
