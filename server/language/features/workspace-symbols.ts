/** Finds assets, columns and terms of the project by a few letters of their names, best first. */
import { glossaryPath, listsOf } from '../glossary/glossary.ts'
import { locate, nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { Knowledge } from './knowledge.ts'
import type { Place } from './places.ts'

export interface WorkspaceSymbol extends Place {
  readonly name: string
  readonly kind: 'asset' | 'column' | 'term' | 'metric' | 'dimension' | 'policy'
  /** The asset of a column, or the folder of an asset. */
  readonly container: string
}

const most = 200

/** Returns the symbols. `a.b` finds columns `b` of assets `a`; an empty query finds the assets. */
export function workspaceSymbols(knowledge: Knowledge, query: string): readonly WorkspaceSymbol[] {
  const wanted = query.trim().toLowerCase()
  const matches = [...candidates(knowledge, wanted)]
  matches.sort((a, b) => a.rank - b.rank || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
  return matches.slice(0, most).map(({ rank: _rank, place, name, kind, container }) => ({
    name,
    kind,
    container,
    ...place(),
  }))
}

interface Candidate extends Pick<WorkspaceSymbol, 'name' | 'kind' | 'container'> {
  readonly rank: number
  /** Computed for the results that are shown. */
  readonly place: () => Place
}

function* candidates(knowledge: Knowledge, wanted: string): Generator<Candidate> {
  const dot = wanted.indexOf('.')
  const before = dot < 0 ? undefined : wanted.slice(0, dot)
  const behind = wanted.slice(dot + 1)
  for (const asset of knowledge.project.assets.values()) {
    const own = rankOf(asset.name, wanted)
    if (own !== undefined)
      yield {
        name: asset.name,
        kind: 'asset',
        container: folderOf(asset),
        rank: own,
        place: () => nameOf(asset),
      }
    if (behind === '' && before === undefined) continue
    if (before !== undefined && rankOf(asset.name, before) === undefined) continue
    for (const { name } of knowledge.analysis.of(asset.name)?.columns ?? []) {
      const rank = rankOf(name, behind)
      if (rank === undefined) continue
      // Columns rank after assets that match equally well.
      yield {
        name,
        kind: 'column',
        container: asset.name,
        rank: rank + 0.5,
        place: () => columnPlace(asset, name),
      }
    }
  }
  yield* glossaryCandidates(knowledge, wanted)
}

function* glossaryCandidates({ glossary }: Knowledge, wanted: string): Generator<Candidate> {
  for (const [kind, entries] of listsOf(glossary)) {
    for (const { name, range } of entries) {
      const rank = rankOf(name, wanted)
      if (rank !== undefined)
        yield {
          name,
          kind,
          container: glossaryPath,
          rank: rank + 0.25,
          place: () => ({ path: glossaryPath, range }),
        }
    }
  }
}

/**
 * Ranks a match: 0 the exact name, 1 a prefix, 2 the start of a word in it, 3 a substring, 4 letters in
 * order.
 */
function rankOf(name: string, wanted: string): number | undefined {
  const lower = name.toLowerCase()
  if (wanted === '') return 4
  if (lower === wanted) return 0
  if (lower.startsWith(wanted)) return 1
  const at = lower.indexOf(wanted)
  if (at > 0) return /[_ .-]/.test(lower[at - 1] ?? '') ? 2 : 3
  return hasInOrder(lower, wanted) ? 4 : undefined
}

function hasInOrder(name: string, wanted: string): boolean {
  let next = 0
  for (const letter of name) if (letter === wanted[next]) next++
  return next === wanted.length
}

function folderOf({ path }: Asset): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function nameOf(asset: Asset): Place {
  const node = nodeAt(asset.tree, ['name'])
  return { path: asset.path, range: node?.range ?? locate(asset, []) }
}

/** Returns the column's documentation in the file, or else the transform. */
function columnPlace(asset: Asset, column: string): Place {
  const isDocumented = Object.hasOwn(asset.definition.columns, column)
  return { path: asset.path, range: locate(asset, isDocumented ? ['columns', column] : ['transform'], 'key') }
}
