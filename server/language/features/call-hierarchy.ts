/**
 * Lineage as a call hierarchy: an asset or a column "calls" what it reads. Outgoing is upstream, incoming is
 * downstream; the ranges are the places where the reader names what it reads. Columns that only decide about rows are
 * read as well; targets and exposures are the last readers.
 */
import type { ColumnOrigin } from '../analysis.ts'
import { targetNames } from '../destinations/target.ts'
import { columnReach } from '../lineage/column-path.ts'
import { lineageOf } from '../lineage/edges.ts'
import { locate } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { Range } from '../text/range.ts'
import { sameLetters } from '../text/same-letters.ts'
import { nameRange, subjectTargets } from './definition.ts'
import type { Knowledge } from './knowledge.ts'
import { occurrencesAt } from './names/occurrences.ts'
import type { Subject } from './names/subjects.ts'

export interface HierarchyItem {
  readonly kind: 'asset' | 'column'
  readonly asset: string
  readonly column: string | undefined
  readonly detail: string
  readonly path: string
  readonly range: Range
  readonly selection: Range
}

export interface HierarchyCall {
  readonly item: HierarchyItem
  /** The ranges in the reader's file. */
  readonly ranges: readonly Range[]
}

/** Returns the column under the cursor, or the asset that it names, or the asset of the file. */
export function prepareHierarchy(
  knowledge: Knowledge,
  path: string,
  offset: number,
): HierarchyItem | undefined {
  const subjects = occurrencesAt(knowledge, path, offset).map(({ subject }) => subject)
  for (const subject of subjects) {
    const item = subject.kind === 'column' ? columnItem(knowledge, subject.asset, subject.column) : undefined
    if (item !== undefined) return item
  }
  const [subject] = subjects
  const named = subject?.kind === 'asset' ? knowledge.project.byName.get(subject.name) : undefined
  const asset = named ?? knowledge.project.assets.get(path)
  return asset && assetItem(asset)
}

/** Returns the items upstream. */
export function outgoing(
  knowledge: Knowledge,
  { asset: name, column }: HierarchyItem,
): readonly HierarchyCall[] {
  const asset = knowledge.project.byName.get(name)
  if (asset === undefined) return []
  if (column === undefined)
    return knowledge.project.parents(name).flatMap(parent => {
      const other = knowledge.project.byName.get(parent)
      return other === undefined ? [] : [{ item: assetItem(other), ranges: refRanges(asset, parent) }]
    })
  const line = knowledge.analysis.of(name)?.lineage.find(each => sameLetters(each.column, column))
  const from = line?.from ?? []
  const deciding = (knowledge.analysis.of(name)?.rowUses ?? [])
    .map(({ origin }) => origin)
    .filter(origin => !from.some(each => isSame(each, origin)))
  return [...from, ...deciding].flatMap(origin => {
    const item =
      origin.source === undefined
        ? columnItem(knowledge, origin.asset, origin.column)
        : rawItem(knowledge, origin)
    return item === undefined ? [] : [{ item, ranges: useRanges(knowledge, asset, origin) }]
  })
}

/** Returns the items downstream. */
export function incoming(
  knowledge: Knowledge,
  { asset: name, column }: HierarchyItem,
): readonly HierarchyCall[] {
  const readers = knowledge.project.children(name).flatMap((child): readonly HierarchyCall[] => {
    const reader = knowledge.project.byName.get(child)
    if (reader === undefined) return []
    if (column === undefined) return [{ item: assetItem(reader), ranges: refRanges(reader, name) }]
    return columnReaders(knowledge, reader, { asset: name, column })
  })
  return [...readers, ...ends(knowledge, name, column)]
}

/** Returns the columns that have values of it, and the asset itself where it decides about its rows. */
function columnReaders(knowledge: Knowledge, reader: Asset, origin: ColumnOrigin): readonly HierarchyCall[] {
  const known = knowledge.analysis.of(reader.name)
  const ranges = useRanges(knowledge, reader, origin)
  const columns = (known?.lineage ?? [])
    .filter(line => line.from.some(each => isSame(each, origin)))
    .flatMap(line => columnItem(knowledge, reader.name, line.column) ?? [])
  const use = known?.rowUses.find(each => isSame(each.origin, origin))
  const rows = use && { ...assetItem(reader), detail: `${use.clauses.join(', ')} in ${reader.path}` }
  return [...columns, ...(rows === undefined ? [] : [rows])].map(item => ({ item, ranges }))
}

/** Returns the targets that get the column, or anything of the asset, and the exposures that show it. */
function ends({ project, analysis }: Knowledge, name: string, column: string | undefined): HierarchyCall[] {
  const asset = project.byName.get(name)
  if (asset === undefined) return []
  const reach =
    column === undefined ? undefined : columnReach(lineageOf([asset], project, analysis), name, column)
  const targets = reach === undefined ? targetNames(asset) : reach.targets.map(({ target }) => target)
  return [
    ...targets.map(target => endItem(asset, `target ${target}`, locate(asset, ['publish', target], 'key'))),
    ...asset.definition.exposures.map((exposure, index) =>
      endItem(asset, `exposure ${exposure.name}`, locate(asset, ['exposures', index])),
    ),
  ].map(item => ({ item, ranges: [item.range] }))
}

function endItem({ name, path }: Asset, asset: string, range: Range): HierarchyItem {
  return { kind: 'asset', asset, column: undefined, detail: `of ${name}`, path, range, selection: range }
}

function assetItem(asset: Asset): HierarchyItem {
  return {
    kind: 'asset',
    asset: asset.name,
    column: undefined,
    detail: asset.path,
    path: asset.path,
    range: { start: 0, end: asset.text.length },
    selection: nameRange(asset),
  }
}

function columnItem(knowledge: Knowledge, name: string, column: string): HierarchyItem | undefined {
  const type = knowledge.analysis.of(name)?.columns.find(each => sameLetters(each.name, column))?.type
  const detail = type === undefined ? name : `${name}  ${type}`
  return itemOf(knowledge, { kind: 'column', asset: name, column }, { asset: name, column, detail })
}

/** Returns the item for a source column, where the way upstream ends. */
function rawItem(
  knowledge: Knowledge,
  { asset: name, column, source = '' }: ColumnOrigin,
): HierarchyItem | undefined {
  const detail = source === '' ? `source of ${name}` : `${source} in the source of ${name}`
  const subject = { kind: 'raw', asset: name, child: source, column } as const
  return itemOf(knowledge, subject, { asset: `${name} source`, column, detail })
}

function itemOf(
  knowledge: Knowledge,
  subject: Subject,
  about: Pick<HierarchyItem, 'asset' | 'column' | 'detail'>,
): HierarchyItem | undefined {
  const [target] = subjectTargets(knowledge, subject)
  if (target === undefined) return undefined
  const { path, range, fullRange } = target
  return { kind: 'column', ...about, path, range: fullRange, selection: range }
}

function refRanges(reader: Asset, name: string): readonly Range[] {
  return reader.refs.filter(ref => ref.from !== 'test' && ref.name === name).map(ref => ref.range)
}

function useRanges(knowledge: Knowledge, reader: Asset, origin: ColumnOrigin): readonly Range[] {
  const uses = knowledge.analysis.of(reader.name)?.uses ?? []
  return uses.filter(use => isSame(use.origin, origin)).map(use => use.range)
}

function isSame(a: ColumnOrigin, b: ColumnOrigin): boolean {
  return a.asset === b.asset && a.source === b.source && sameLetters(a.column, b.column)
}
