/** Binds the columns of PIVOT and UNPIVOT. */
import type { Expression, Name, Pivot, PivotColumn, Span, Unpivot, UnpivotEntry } from '../tree.ts'
import { chosenColumns } from './columns-expressions.ts'
import { bindExpression } from './expressions.ts'
import { type Column, type Maker, type Relation, type Scope, unknownColumn } from './model.ts'
import { textOf } from './name-patterns.ts'
import { bindQuery } from './queries.ts'
import { bindReference, type Resolved } from './references.ts'
import { lateralScope, newScope, starColumns, visibleTables } from './scope.ts'
import { expandStar } from './stars.ts'
import { bindTable } from './tables.ts'
import { constantValue, derivedFrom, typedValue, type Value } from './values.ts'
import { defined, namedColumn, opaque, spanText, spreadColumn, type Work } from './work.ts'

/** Returns a scope in which the pivoted table is visible. */
function sourceScope(work: Work, node: Pivot | Unpivot, scope: Scope, id: string): Scope {
  const outer = lateralScope(scope)
  const inner = newScope({ ...outer, parent: scope.parent }, scope.ctes)
  work.scopes?.set(node, inner)
  bindTable(work, node.source, inner, `${id}.p`)
  return inner
}

export function bindPivot(work: Work, node: Pivot, scope: Scope, id: string): Relation {
  const inner = sourceScope(work, node, scope, id)
  const from = work.mentions.length
  const read = work.reads.length
  const keys = node.columns.map(column => pivotKeys(work, column, inner))
  const readByKeys = work.reads.slice(read)
  const aggregates = node.aggregates.map(({ expression, alias }) => ({
    value: bindExpression(work, expression, inner),
    name: alias?.text ?? '',
    text: spanText(work, expression),
  }))
  const used = usedNames(work, from)
  const all = starColumns(inner, visibleTables(inner), true, work.dialect)
  const open = inner.tables.find(table => table.open !== undefined)?.open
  const groups =
    node.groupBy.length > 0
      ? node.groupBy.map((expression, index) => groupColumn(work, expression, inner, `${id}.g${index}`))
      : all.filter(column => !used.has(work.dialect.fold(column.name)))
  const value: Value = { ...derivedFrom([...aggregates.map(each => each.value), ...keys]), unknown: true }
  const labels = labelsOf(work, node.columns)
  if (labels === undefined) {
    for (const column of node.columns) nameUnknown(work, column)
    work.names.push(...readByKeys, ...keys.flatMap(({ origins, hints }) => [...origins, ...hints]))
    return { columns: [...groups, spreadColumn(id, value)], open: opaque(work, id, value) }
  }
  const given = aggregates.length > 0 ? aggregates : [{ value: constantValue, name: '', text: '' }]
  const cells = labels.flatMap((label, row) =>
    given.map((aggregate, index): Column => {
      const { type, unknown } = aggregate.value
      const own = { ...derivedFrom([aggregate.value, ...keys]), unknown, type }
      const name = cellName(label.text, aggregate.name, given.length)
      return defined(work, { id: `${id}.v${row}.${index}`, name, maker: cellMaker(label, name), value: own })
    }),
  )
  return { columns: [...groups, ...cells], open }
}

/**
 * Adds a value to a PIVOT without a list of values: without rows it would have no columns, which an engine
 * rejects.
 */
function nameUnknown(work: Work, { end, values, valuesFrom }: PivotColumn): void {
  if (work.quiet > 0 || values !== undefined || valuesFrom !== undefined) return
  work.repairs.push({ start: end, end, text: ` IN (NULL AS ${work.dialect.quote(unknownColumn)})` })
}

/** Returns the name of a cell. With several aggregates the engine appends the text of each. */
function cellName(label: string, aggregate: string, count: number): string {
  if (aggregate !== '') return `${label}_${aggregate}`
  return count === 1 ? label : ''
}

function pivotKeys(work: Work, column: PivotColumn, inner: Scope): Value {
  const values = column.expressions.map(expression => bindKey(work, expression, inner).value)
  for (const { expression } of column.values ?? [])
    if (expression.kind !== 'reference') bindExpression(work, expression, inner)
  const from = column.valuesFrom
  if (from !== undefined && 'kind' in from)
    bindQuery(work, from, { id: `n${work.count++}`, outer: inner, ctes: inner.ctes })
  return derivedFrom(values)
}

/**
 * Binds a key. It must be a column, so an unknown one is replaced by the nearest or by any column of the
 * table.
 */
function bindKey(work: Work, expression: Expression, inner: Scope): Pick<Resolved, 'value' | 'meant'> {
  if (expression.kind !== 'reference') return { value: bindExpression(work, expression, inner) }
  const some = starColumns(inner, visibleTables(inner), true, work.dialect).find(column => column.name !== '')
  const instead = some === undefined ? '(NULL)' : work.dialect.quote(some.name)
  return bindReference(work, expression, inner, { text: instead, takesNearest: true })
}

function groupColumn(work: Work, expression: Expression, inner: Scope, id: string): Column {
  const { value, meant } = bindKey(work, expression, inner)
  const written = expression.kind === 'reference' ? (expression.path.at(-1)?.text ?? '') : ''
  const name = meant?.name ?? written
  const key = work.dialect.fold(name)
  const of = inner.tables
    .flatMap(table => table.columns)
    .find(column => work.dialect.fold(column.name) === key)
  if (of !== undefined && name !== '')
    return { id, name: of.name, maker: { kind: 'star', of, item: undefined }, value }
  return { id, name, maker: { kind: 'opaque' }, value }
}

/** Returns the folded names of the columns that were mentioned since `from`. */
function usedNames(work: Work, from: number): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { target } of work.mentions.slice(from))
    if (target.kind === 'column') names.add(work.dialect.fold(target.column.name))
  return names
}

/** The name of the columns for one combination of values. */
interface Label {
  readonly text: string
  /** The place of the name; undefined if it is put together from several values. */
  readonly at: Span | undefined
  readonly alias: Name | undefined
}

/** Returns one label per combination of values; undefined if they depend on the data. */
function labelsOf(work: Work, columns: readonly PivotColumn[]): readonly Label[] | undefined {
  let labels: readonly Label[] = [{ text: '', at: undefined, alias: undefined }]
  for (const column of columns) {
    if (column.values === undefined) return undefined
    const own = column.values.map(({ expression, alias }): Label => {
      const at = alias ?? expression
      return { text: alias?.text ?? labelOf(work, expression), at: { start: at.start, end: at.end }, alias }
    })
    labels = labels.flatMap(before => own.map(label => (before.text === '' ? label : joined(before, label))))
  }
  return labels
}

function joined(before: Label, { text }: Label): Label {
  return { text: `${before.text}_${text}`, at: undefined, alias: undefined }
}

function cellMaker({ text, at, alias }: Label, name: string): Maker {
  if (alias !== undefined && name === text)
    return { kind: 'named', at: alias, item: undefined, of: undefined }
  return { kind: 'opaque', ...(at && { at }) }
}

function labelOf(work: Work, node: Expression): string {
  if (node.kind === 'row') return node.items.map(item => labelOf(work, item)).join('_')
  if (node.kind === 'reference') return node.path.at(-1)?.text ?? ''
  return textOf(work, node) ?? spanText(work, node)
}

// ---------------------------------------------------------------- UNPIVOT

export function bindUnpivot(work: Work, node: Unpivot, scope: Scope, id: string): Relation {
  const inner = sourceScope(work, node, scope, id)
  const all = starColumns(inner, visibleTables(inner), true, work.dialect)
  const open = inner.tables.find(table => table.open !== undefined)?.open
  const instead = otherColumn(work, node, inner)
  const rows = node.entries.flatMap(entry => entryRows(work, entry, inner, instead))
  const gone = new Set(
    rows.flat().flatMap(column => (column.name === '' ? [] : work.dialect.fold(column.name))),
  )
  const kept = all.filter(column => column.spread || !gone.has(work.dialect.fold(column.name)))
  const nameColumn: Column[] =
    node.nameColumn === undefined ? [] : [namedColumn(work, `${id}.k`, node.nameColumn, nameValue(work))]
  const values = node.valueColumns.map((name, index) => {
    const all = rows.flatMap(row => row[Math.min(index, row.length - 1)]?.value ?? [])
    const value = { ...derivedFrom(all), unknown: true, type: commonType(all) }
    return namedColumn(work, `${id}.u${index}`, name, value)
  })
  return { columns: [...kept, ...nameColumn, ...values], open }
}

/** Returns the value of column names as data. */
function nameValue(work: Work): Value {
  return typedValue(work.dialect.typeCalled('VARCHAR'))
}

function commonType(values: readonly Value[]): Value['type'] {
  const [first] = values
  return values.every(({ type }) => type === first?.type) ? first?.type : undefined
}

/** Returns the columns for each row that an entry makes: a star makes one row per column. */
function entryRows(
  work: Work,
  { expressions }: UnpivotEntry,
  inner: Scope,
  instead: string,
): readonly (readonly Column[])[] {
  const [first] = expressions
  if (first?.kind === 'star')
    return expandStar(work, first, inner, 'x', undefined).columns.map(column => [column])
  if (first?.kind === 'columns') return chosenColumns(work, first, inner).columns.map(column => [column])
  return [expressions.map(expression => entryColumn(work, expression, inner, instead))]
}

/** Returns an unlisted column of the table, to replace one that does not exist. */
function otherColumn(work: Work, node: Unpivot, inner: Scope): string {
  const listed = new Set(
    node.entries.flatMap(({ expressions }) =>
      expressions.flatMap(each =>
        each.kind === 'reference' ? work.dialect.fold(each.path.at(-1)?.text ?? '') : [],
      ),
    ),
  )
  const isListed = (column: Column): boolean => listed.has(work.dialect.fold(column.name))
  const all = starColumns(inner, visibleTables(inner), true, work.dialect).filter(
    column => column.name !== '',
  )
  // All of them become one column, so the replacement must have their type, or be one of them.
  const types = new Set(all.filter(isListed).map(column => column.value.type))
  const alike = all.filter(column => types.size === 0 || types.has(column.value.type))
  const other = alike.find(column => !isListed(column)) ?? alike[0]
  return other === undefined ? 'NULL' : work.dialect.quote(other.name)
}

function entryColumn(work: Work, expression: Expression, inner: Scope, instead: string): Column {
  const value =
    expression.kind === 'reference'
      ? bindReference(work, expression, inner, { text: instead }).value
      : bindExpression(work, expression, inner)
  const name = expression.kind === 'reference' ? (expression.path.at(-1)?.text ?? '') : ''
  return { id: 'x', name, maker: { kind: 'opaque' }, value }
}
