/**
 * The outline of a file: blocks, columns, tests and CTEs of an asset, and the entries of svc.yaml and
 * glossary.yaml.
 */
import { glossaryPath } from '../glossary/glossary.ts'
import { locate } from '../project/locate.ts'
import { settingsPath } from '../project/parse-settings.ts'
import type { Asset } from '../project/project.ts'
import { type Column, firstSide } from '../sql/binder/model.ts'
import type { MapEntry, Node } from '../syntax/node.ts'
import { testWord } from '../tests/index.ts'
import type { Range } from '../text/range.ts'
import type { Knowledge } from './knowledge.ts'
import { fileRange, transformOf } from './names/mentions.ts'
import type { BoundBlock } from './sql/bound-sql.ts'

export type SymbolKind = 'asset' | 'block' | 'column' | 'test' | 'cte' | 'key' | 'entry'

export interface DocumentSymbol {
  readonly name: string
  readonly detail: string
  readonly kind: SymbolKind
  readonly range: Range
  /** The range to select, inside `range`. */
  readonly selection: Range
  readonly children: readonly DocumentSymbol[]
}

export function documentSymbols(knowledge: Knowledge, path: string): readonly DocumentSymbol[] {
  const { settings, glossary, assets } = knowledge.project
  if (path === settingsPath) return keysOf(settings.file?.tree)
  if (path === glossaryPath) return keysOf(glossary.file?.tree, 'block')
  const asset = assets.get(path)
  return asset?.tree?.kind === 'map'
    ? asset.tree.entries.map(entry => blockSymbol(knowledge, asset, entry))
    : []
}

// ---------------------------------------------------------------- assets

function blockSymbol(knowledge: Knowledge, asset: Asset, entry: MapEntry): DocumentSymbol {
  const name = String(entry.key.value)
  const children = childrenOf(knowledge, asset, name, entry.value)
  const kind = name === 'name' ? 'asset' : 'block'
  return { ...keySymbol(entry, kind), children }
}

function childrenOf(
  knowledge: Knowledge,
  asset: Asset,
  block: string,
  value: Node | undefined,
): readonly DocumentSymbol[] {
  if (block === 'transform') return sqlSymbols(knowledge, asset)
  if (block === 'tests') return testSymbols(asset, value)
  if (block === 'columns') return keysOf(value, 'column')
  return value?.kind === 'sequence' ? itemsOf(value) : keysOf(value)
}

function testSymbols(asset: Asset, value: Node | undefined): readonly DocumentSymbol[] {
  if (value?.kind !== 'sequence') return []
  return asset.definition.tests.flatMap(test => {
    const item = value.items[test.index]
    if (item === undefined) return []
    const selection = locate(asset, ['tests', test.index, testWord(test)], 'key')
    const { name } = test
    return [
      { name, detail: testWord(test), kind: 'test' as const, range: item.range, selection, children: [] },
    ]
  })
}

/** Returns the CTEs with their columns, then the output columns. */
function sqlSymbols(knowledge: Knowledge, asset: Asset): readonly DocumentSymbol[] {
  const transform = transformOf(knowledge, asset)
  if (transform === undefined) return []
  const own = new Set(transform.bound.query?.ctes)
  const ctes = transform.bound.ctes
    .filter(({ cte }) => own.has(cte))
    .map(
      ({ cte, columns }): DocumentSymbol => ({
        name: cte.name.text,
        detail: 'CTE',
        kind: 'cte',
        range: fileRange(transform, cte),
        selection: fileRange(transform, cte.name),
        children: columns.flatMap(column => columnSymbol(transform, column, undefined) ?? []),
      }),
    )
  const types = new Map(
    knowledge.analysis.of(asset.name)?.columns.map(column => [column.name.toLowerCase(), column.type]),
  )
  const columns = transform.bound.output.columns.flatMap(
    column => columnSymbol(transform, column, types.get(column.name.toLowerCase())) ?? [],
  )
  return [...ctes, ...columns]
}

/** Returns the symbol of a column; columns of a star have no place of their own. */
function columnSymbol(
  named: BoundBlock,
  column: Column,
  type: string | undefined,
): DocumentSymbol | undefined {
  const { name, maker } = writtenColumn(column)
  if (name === '') return undefined
  const item =
    maker.kind === 'named' || maker.kind === 'passed' || maker.kind === 'expression' ? maker.item : undefined
  const [whole, at] = maker.kind === 'field' ? [maker.at, maker.at] : [item, 'at' in maker ? maker.at : item]
  if (whole === undefined || at === undefined) return undefined
  return {
    name: column.name,
    detail: type ?? '',
    kind: 'column',
    range: fileRange(named, whole),
    selection: fileRange(named, at),
    children: [],
  }
}

/**
 * Returns the column that is written in the text; for set operations and recursive CTEs that of the first
 * side.
 */
function writtenColumn(column: Column): Column {
  const first = firstSide(column)
  const { maker } = first
  return maker.kind === 'star' && maker.item === undefined ? writtenColumn(maker.of) : first
}

// ---------------------------------------------------------------- YAML

function keysOf(node: Node | undefined, kind: SymbolKind = 'key'): readonly DocumentSymbol[] {
  return node?.kind === 'map' ? node.entries.map(entry => keySymbol(entry, kind)) : []
}

function keySymbol({ key, value }: MapEntry, kind: SymbolKind): DocumentSymbol {
  const isText = value?.kind === 'scalar' && typeof value.value === 'string' && value.style !== 'literal'
  const range = { start: key.range.start, end: Math.max(key.range.end, value?.range.end ?? 0) }
  const name = String(key.value)
  return {
    name: name === '' ? '""' : name,
    detail: isText ? String(value.value).slice(0, 80) : '',
    kind,
    range,
    selection: key.range,
    children: value?.kind === 'sequence' ? itemsOf(value) : keysOf(value),
  }
}

/** Returns the items of a list that have a name. */
function itemsOf(node: Node): readonly DocumentSymbol[] {
  if (node.kind !== 'sequence') return []
  return node.items.flatMap((item): readonly DocumentSymbol[] => {
    if (item.kind !== 'map') return []
    const name = item.entries.find(entry => ['name', 'term'].includes(String(entry.key.value)))
    if (name?.value?.kind !== 'scalar' || name.value.value === null || name.value.value === '') return []
    const detail = item.entries.find(entry =>
      ['type', 'asset', 'description'].includes(String(entry.key.value)),
    )?.value
    return [
      {
        name: String(name.value.value),
        detail: detail?.kind === 'scalar' ? String(detail.value).slice(0, 80) : '',
        kind: 'entry',
        range: item.range,
        selection: name.value.range,
        children: [],
      },
    ]
  })
}
