/**
 * Renames columns in one SQL text: every mention of them, and `AS old` where the new name must not be passed
 * on.
 */

import { type Column, rootOf } from '../../sql/binder/model.ts'
import type { SelectItem } from '../../sql/tree.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import { sameLetters } from '../../text/same-letters.ts'
import { textIn } from '../names/mentions.ts'
import type { BoundBlock } from '../sql/bound-sql.ts'
import { canPin, closureOf } from './closure.ts'
import { keptValues } from './data-names.ts'
import { sqlEdit, sqlInsertion, sqlName } from './written-names.ts'

/**
 * The options of a rename. A later attempt is more careful if an earlier one would change the meaning of a
 * name.
 */
export interface RenameOptions {
  /** Stops the new name at the first column that passes it on. */
  readonly pinAll: boolean
  /** Adds a qualifier to columns where several tables have the name. */
  readonly qualify: boolean
  /** Reads tables with the column through `SELECT * RENAME (…)`, so that nothing else changes. */
  readonly wrap: boolean
}

export const attempts: readonly RenameOptions[] = [
  { pinAll: false, qualify: false, wrap: false },
  { pinAll: false, qualify: true, wrap: false },
  { pinAll: true, qualify: false, wrap: false },
  { pinAll: true, qualify: true, wrap: false },
  { pinAll: true, qualify: false, wrap: true },
]

export interface BlockRename {
  readonly edits: readonly TextEdit[]
  readonly renamed: ReadonlySet<Column>
}

/** The columns that get the new name, with the edits that do it. */
export interface Seeds {
  readonly columns: ReadonlySet<Column>
  readonly edits: readonly TextEdit[]
}

/** Returns undefined if other names would change their meaning. */
export function renameInBlock(
  named: BoundBlock,
  seeds: Seeds,
  newName: string,
  options: RenameOptions,
): BlockRename | undefined {
  if (options.wrap) return wrapTables(named, seeds, newName)
  const closure = closureOf(named.bound, seeds.columns, newName, options.pinAll)
  const kept = closure && keptValues(named, closure.renamed)
  if (closure === undefined || kept === undefined || isInRow(named, closure.renamed)) return undefined
  const edits: (TextEdit | undefined)[] = [...seeds.edits, ...kept]
  for (const mention of named.bound.mentions) {
    if (mention.target.kind !== 'column') continue
    const before = textIn(named, mention.span)
    const isRenamed = closure.renamed.has(mention.target.column)
    const isMeant = isRenamed || sameLetters(mention.target.column.name, newName)
    const table =
      options.qualify && isMeant && mention.role === 'read' && !mention.qualified ? mention.table : undefined
    const qualifier =
      table === undefined || table.name === '' ? '' : `${named.engine.quoteIfNeeded(table.name)}.`
    if (!isRenamed && qualifier === '') continue
    const text = `${qualifier}${isRenamed ? sqlName(named, newName, before) : before}`
    edits.push(sqlEdit(named, mention.span, text) ?? impossible)
  }
  for (const column of closure.pinned) edits.push(pinEdit(named, column, newName))
  return edits.includes(impossible) ? undefined : { edits: edits.filter(isEdit), renamed: closure.renamed }
}

/**
 * Returns whether a renamed column is part of a row that is used as a value, which contains its column names.
 */
function isInRow({ bound }: BoundBlock, renamed: ReadonlySet<Column>): boolean {
  return bound.mentions.some(
    ({ row, target }) => row && target.kind === 'table' && target.columns.some(column => renamed.has(column)),
  )
}

/** Replaces `FROM a` by `FROM (SELECT * RENAME (new AS old) FROM a) AS a`. */
function wrapTables(named: BoundBlock, seeds: Seeds, newName: string): BlockRename | undefined {
  if (seeds.columns.size === 0) return { edits: [], renamed: new Set() }
  const tables = named.bound.tables.flatMap(table => {
    const column = table.columns.find(each => seeds.columns.has(each))
    return column === undefined ? [] : [{ table, column }]
  })
  if (named.block.kind !== 'query' || tables.length === 0) return undefined
  const edits = tables.flatMap(({ table: { node, alias, name }, column }) => {
    if (column.maker.kind !== 'input' || node.kind !== 'tag-table') return [undefined]
    const { start, end } = node.tag
    const pair = `${named.engine.quoteIfNeeded(newName)} AS ${named.engine.quoteIfNeeded(column.name)}`
    const called = alias === undefined ? ` AS ${named.engine.quoteIfNeeded(name)}` : ''
    const head = `(SELECT * RENAME (${pair}) FROM `
    return [
      start === 0 ? undefined : sqlInsertion(named, start, head),
      sqlInsertion(named, end, `)${called}`),
    ]
  })
  return edits.every(isEdit) ? { edits, renamed: new Set() } : undefined
}

const impossible: TextEdit = { path: '', range: { start: 0, end: 0 }, newText: '' }

function isEdit(edit: TextEdit | undefined): edit is TextEdit {
  return edit !== undefined
}

/** Keeps the old name of a column that passes on a renamed one. */
function pinEdit(named: BoundBlock, column: Column, newName: string): TextEdit | undefined {
  const { maker } = column
  if (maker.kind === 'passed')
    return sqlInsertion(named, maker.item.end, ` AS ${named.engine.quoteIfNeeded(column.name)}`)
  if (maker.kind === 'star' && maker.item !== undefined)
    return starRename(named, maker.item, newName, column.name)
  return impossible
}

/** Adds `* RENAME (from AS to)`, or an entry to the RENAME that exists. */
function starRename(named: BoundBlock, item: SelectItem, from: string, to: string): TextEdit {
  if (item.expression.kind !== 'star') return impossible
  const pair = `${named.engine.quoteIfNeeded(from)} AS ${named.engine.quoteIfNeeded(to)}`
  const last = item.expression.rename.at(-1)
  if (last === undefined) return sqlInsertion(named, item.end, ` RENAME (${pair})`)
  const isInBrackets = textIn(named, { start: last.end, end: item.end }).trim().startsWith(')')
  return isInBrackets ? sqlInsertion(named, last.end, `, ${pair}`) : impossible
}

/** Returns the edits that give an output column its new name, at the place where it gets its name. */
export function seedsFor(named: BoundBlock, column: Column, newName: string): Seeds | undefined {
  const { maker } = column
  switch (maker.kind) {
    case 'named':
      return seedOf(column)
    case 'passed':
      return localRoot(column) === undefined
        ? seedOf(column, asNew(named, maker.item.end, newName))
        : seedsFor(named, maker.of, newName)
    case 'expression':
      return maker.item && seedOf(column, asNew(named, maker.item.end, newName))
    case 'field':
      return maker.at && seedOf(column, asNew(named, maker.at.end, newName))
    case 'star': {
      if (localRoot(column) !== undefined) return seedsFor(named, maker.of, newName)
      if (maker.item === undefined || !canPin(column)) return undefined
      const edit = starRename(named, maker.item, column.name, newName)
      return edit === impossible ? undefined : seedOf(column, edit)
    }
    case 'union':
      return unionSeeds(named, maker.byName ? maker.sides : maker.sides.slice(0, 1), newName)
    default:
      return undefined
  }
}

function seedOf(column: Column, ...edits: readonly TextEdit[]): Seeds {
  return { columns: new Set([column]), edits }
}

function unionSeeds(named: BoundBlock, sides: readonly Column[], newName: string): Seeds | undefined {
  const all = sides.map(side => seedsFor(named, side, newName))
  const columns = new Set(all.flatMap(seeds => [...(seeds?.columns ?? [])]))
  return all.includes(undefined) ? undefined : { columns, edits: all.flatMap(seeds => seeds?.edits ?? []) }
}

function asNew(named: BoundBlock, offset: number, newName: string): TextEdit {
  return sqlInsertion(named, offset, ` AS ${named.engine.quoteIfNeeded(newName)}`)
}

/**
 * Returns the column of this text that a column passes on; undefined if it comes from outside or from two
 * columns.
 */
function localRoot(column: Column): Column | undefined {
  const root = rootOf(column)
  const passesThrough = column.maker.kind === 'passed' || column.maker.kind === 'star'
  return passesThrough &&
    (root.maker.kind === 'named' || root.maker.kind === 'union') &&
    reaches(column, root)
    ? root
    : undefined
}

function reaches(column: Column, root: Column): boolean {
  if (column === root) return true
  return (column.maker.kind === 'passed' || column.maker.kind === 'star') && reaches(column.maker.of, root)
}
