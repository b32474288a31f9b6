/** Binds joins: the tables that they add, and the columns that USING and NATURAL merge. */
import { oncePer } from '../../once.ts'
import { newNameIndex } from '../../text/name-index.ts'
import type { Join, Name } from '../tree.ts'
import { bindExpression } from './expressions.ts'
import type { BoundTable, Column, Scope } from './model.ts'
import { findColumn, starColumns } from './scope.ts'
import { addTable, bindTable } from './tables.ts'
import { either, unknownValue, type Value } from './values.ts'
import { mention, report, type Work } from './work.ts'

export function bindJoin(work: Work, node: Join, scope: Scope, id: string): void {
  const start = scope.tables.length
  bindTable(work, node.left, scope, `${id}.l`)
  const middle = scope.tables.length
  bindTable(work, node.right, scope, `${id}.r`)
  const sides: Sides = {
    node,
    left: scope.tables.slice(start, middle).filter(table => !table.hidden),
    right: scope.tables.slice(middle).filter(table => !table.hidden),
  }
  if (node.natural) mergeCommon(work, sides, scope, id)
  else mergeUsing(work, sides, scope, id)
  if (node.on !== undefined) bindExpression(work, node.on, scope)
  if (node.type === 'semi' || node.type === 'anti') for (const table of sides.right) table.hidden = true
  if (node.alias !== undefined) asOneTable(work, node, scope, start, id)
}

interface Sides {
  readonly node: Join
  readonly left: readonly BoundTable[]
  readonly right: readonly BoundTable[]
}

/** Binds `(a JOIN b …) AS x`, one table with the columns of both. */
function asOneTable(work: Work, node: Join, scope: Scope, start: number, id: string): void {
  const tables = scope.tables.splice(start)
  const columns = starColumns(
    scope,
    tables.filter(table => !table.hidden),
    true,
    work.dialect,
  )
  const open = tables.find(table => table.open !== undefined)?.open
  addTable(work, node, scope, id, { columns, open })
}

// ---------------------------------------------------------------- merged columns

function mergeCommon(work: Work, sides: Sides, scope: Scope, id: string): void {
  const names = new Set(sides.left.flatMap(table => table.columns.map(column => column.name)))
  let index = 0
  for (const name of names) {
    if (name === '' || columnAmong(work, sides.right, name) === undefined) continue
    merge(work, sides, scope, name, `${id}.j${index++}`)
  }
  if (index === 0) repairNatural(work, sides, scope)
}

/** Repairs a NATURAL JOIN without a common column. If columns are unknown, it may be valid. */
function repairNatural(work: Work, { node, left, right }: Sides, scope: Scope): void {
  const word = /^natural\b/i.exec(work.text.slice(node.words.start, node.words.end))
  if (word === null || work.quiet > 0) return
  const span = { start: node.words.start, end: node.words.start + word[0].length }
  const repair = { start: node.words.start, end: node.words.end, text: 'CROSS JOIN' }
  const isOpen = [...left, ...right].some(
    table => table.open !== undefined || table.columns.some(each => each.spread),
  )
  if (isOpen) work.repairs.push(repair)
  else report(work, { kind: 'no-common-column', span, repair: [repair], scope })
}

function mergeUsing(work: Work, sides: Sides, scope: Scope, id: string): void {
  const names = sides.node.using ?? []
  const wrong: WrongKey[] = []
  for (const [index, name] of names.entries()) {
    const own = `${id}.j${index}`
    const merged = merge(work, sides, scope, name.text, own)
    if (typeof merged !== 'string') mention(work, name, { kind: 'column', column: merged }, 'read')
    else if (name.text !== '')
      wrong.push({ name, side: merged, meant: mergeNearest(work, sides, scope, name.text, own) })
  }
  for (const each of wrong) reportUsing(work, sides, each, wrong, scope)
}

interface WrongKey {
  readonly name: Name
  /** The side that has no column of that name. */
  readonly side: 'left' | 'right'
  /** The common column with the most similar name. */
  readonly meant: string | undefined
}

/** Merges the nearest common column, so that uses of the right name are resolved. */
function mergeNearest(work: Work, sides: Sides, scope: Scope, name: string, id: string): string | undefined {
  const [nearest] = namesOf(sides).nearest(name, 1)
  if (nearest === undefined) return undefined
  const merged = merge(work, sides, scope, nearest, id)
  return typeof merged === 'string' ? undefined : merged.name
}

/** The sides stay as they are while the keys of their join are looked up. */
const namesOf = oncePer((sides: Sides) =>
  newNameIndex(columnsOf(sides).flatMap(({ name, spread }) => (name === '' || spread ? [] : name))),
)

const columnsOf = oncePer(({ left, right }: Sides): readonly Column[] =>
  [...left, ...right].flatMap(table => table.columns),
)

/** Returns the merged column, or the side that has none of that name. */
function merge(work: Work, sides: Sides, scope: Scope, name: string, id: string): Column | 'left' | 'right' {
  const key = work.dialect.fold(name)
  const known = scope.merged.get(key)
  const isOurs =
    known?.maker.kind === 'merged' &&
    known.maker.members.some(member => sides.left.some(table => table.columns.includes(member)))
  const left = isOurs ? known : (columnAmong(work, sides.left, name) ?? askedOf(sides.left, name))
  const right = columnAmong(work, sides.right, name) ?? askedOf(sides.right, name)
  if (left === undefined) return 'left'
  if (right === undefined) return 'right'
  const before = isOurs && known.maker.kind === 'merged' ? known.maker.members : [left]
  const column: Column = {
    id,
    name: left.name,
    maker: { kind: 'merged', members: [...before, right] },
    value: mergedValue(sides.node, left.value, right.value),
  }
  scope.merged.set(key, column)
  return column
}

/** Returns the value of a merged column, which depends on the kind of join. */
function mergedValue({ type }: Join, left: Value, right: Value): Value {
  if (type === 'full') return either(left, right)
  return type === 'right' ? right : left
}

function columnAmong(work: Work, tables: readonly BoundTable[], name: string): Column | undefined {
  for (const table of tables) {
    const column = findColumn(table, name, work.dialect)
    if (column !== undefined) return column
  }
  return undefined
}

function askedOf(tables: readonly BoundTable[], name: string): Column | undefined {
  const open = tables.find(table => table.open !== undefined)
  if (open !== undefined) return open.open?.(name, false)
  const spread = tables.some(table => table.columns.some(column => column.spread))
  return spread ? { id: 'x', name, maker: { kind: 'opaque' }, value: unknownValue } : undefined
}

function reportUsing(
  work: Work,
  sides: Sides,
  { name, side }: WrongKey,
  wrong: readonly WrongKey[],
  scope: Scope,
): void {
  const { node } = sides
  const keys = (node.using ?? []).flatMap(each => {
    const mistake = wrong.find(other => other.name === each)
    return mistake === undefined ? each.text : (mistake.meant ?? [])
  })
  const [first, last] = [node.using?.[0], node.using?.at(-1)]
  const isFirst = wrong[0]?.name === name
  const whole = usingClause(work, node)
  const repair =
    keys.length > 0 && first !== undefined && last !== undefined
      ? { start: first.start, end: last.end, text: keys.map(work.dialect.quote).join(', ') }
      : whole && { ...whole, text: 'ON true' }
  report(work, {
    kind: 'unknown-column',
    name: name.text,
    table: undefined,
    side,
    among: columnsOf(sides),
    span: { start: name.start, end: name.end },
    // One edit removes all of them.
    repair: isFirst && repair !== undefined ? [repair] : [],
    scope,
  })
}

/** Returns the range from USING to its closing bracket. */
function usingClause(work: Work, { usingSpan }: Join): { start: number; end: number } | undefined {
  if (usingSpan === undefined) return undefined
  const before = /using\s*\(\s*$/i.exec(work.text.slice(Math.max(0, usingSpan.start - 80), usingSpan.start))
  const after = work.text.indexOf(')', usingSpan.end)
  return before === null || after < 0
    ? undefined
    : { start: usingSpan.start - before[0].length, end: after + 1 }
}
