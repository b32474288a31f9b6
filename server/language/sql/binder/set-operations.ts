/** Binds UNION, EXCEPT and INTERSECT: their columns, by position or by name. */
import type { Body, Edit, SetOperation } from '../tree.ts'
import type { Column, Relation, Scope } from './model.ts'
import { either, unknownValue, type Value } from './values.ts'
import { anyOf, report, type Work } from './work.ts'

interface SetPlace {
  readonly id: string
  readonly scope: Scope
}

export function combine(
  work: Work,
  node: SetOperation,
  left: Relation,
  right: Relation,
  place: SetPlace,
): Relation {
  const open = left.open ?? right.open
  const also = left.also === undefined ? {} : { also: left.also }
  if (node.byName) return { columns: byNames(work, node, left, right, place.id), open, ...also }
  if (isUnsure(left) || isUnsure(right))
    return { columns: unsureColumns(node, left, right, place.id), open, ...also }
  if (open === undefined && left.columns.length !== right.columns.length)
    reportWidths(work, node, left, right, place)
  const columns = left.columns.map((column, index) =>
    union(node, [column, right.columns[index]], `${place.id}.u${index}`),
  )
  return { columns, open, ...also }
}

function isUnsure(relation: Relation): boolean {
  return relation.columns.some(column => column.spread)
}

function union(node: SetOperation, members: readonly (Column | undefined)[], id: string): Column {
  const sides = members.filter(member => member !== undefined)
  const [first, second] = sides
  const value =
    second === undefined ? (first?.value ?? unknownValue) : sideValue(node, first?.value, second.value)
  return {
    id,
    name: first?.name ?? '',
    maker: { kind: 'union', sides, byName: node.byName },
    value,
    ...(first?.misspelt && { misspelt: true }),
  }
}

/** Returns the value of a side. EXCEPT only filters rows, so its right side adds no origins. */
function sideValue(node: SetOperation, left: Value | undefined, right: Value): Value {
  if (left === undefined) return right
  return node.operator === 'except' ? left : either(left, right)
}

function byNames(
  work: Work,
  node: SetOperation,
  left: Relation,
  right: Relation,
  id: string,
): readonly Column[] {
  const groups = new Map<string, Column[]>()
  const unsure: Column[] = []
  for (const column of [...left.columns, ...right.columns]) {
    if (column.spread) unsure.push(column)
    else {
      const key = work.dialect.fold(column.name)
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [column])
      else group.push(column)
    }
  }
  const columns = [...groups.values()].map((members, index) => union(node, members, `${id}.u${index}`))
  if (unsure.length === 0) return columns
  const rest = unsure.map(column => column.value)
  return [...columns.map(column => ({ ...column, value: rest.reduce(either, column.value) })), ...unsure]
}

/** Returns columns for the case that positions are unknown: each may have any value of both sides. */
function unsureColumns(node: SetOperation, left: Relation, right: Relation, id: string): readonly Column[] {
  const value = sideValue(node, anyOf(left), anyOf(right))
  return left.columns.map((column, index): Column => {
    const { name, spread } = column
    const maker = { kind: 'union', sides: [column], byName: false } as const
    const candidates = spread?.candidates?.map(each => ({ ...each, value }))
    return { id: `${id}.u${index}`, name, maker, value, ...(spread && { spread: { candidates } }) }
  })
}

function reportWidths(
  work: Work,
  node: SetOperation,
  left: Relation,
  right: Relation,
  { scope }: SetPlace,
): void {
  const missing = left.columns.length - right.columns.length
  report(work, {
    kind: 'unequal-widths',
    left: left.columns.length,
    right: right.columns.length,
    span: node.operatorSpan,
    repair: padding(missing > 0 ? node.right : node.left, Math.abs(missing)),
    scope,
  })
}

/** Appends NULLs to the narrower side. */
function padding(body: Body, count: number): readonly Edit[] {
  const text = ', NULL'.repeat(count)
  if (body.kind === 'select') {
    const last = body.items.at(-1)
    return last === undefined ? [] : [{ start: last.end, end: last.end, text }]
  }
  if (body.kind === 'nested') return padding(body.query.body, count)
  if (body.kind === 'set') return [...padding(body.left, count), ...padding(body.right, count)]
  if (body.kind !== 'values') return []
  return body.rows.flatMap(row => {
    const last = row.at(-1)
    return last === undefined ? [] : [{ start: last.end, end: last.end, text }]
  })
}
