/** Binds the output columns of a select list: their names, the columns that they pass on, their origins. */
import type { Call, Expression, Select, SelectItem } from '../tree.ts'
import { aliasFor, chosenColumns, columnsIn } from './columns-expressions.ts'
import { bindExpression } from './expressions.ts'
import { elementOf, fieldsOf } from './fields.ts'
import type { BoundSelect, Column, Open, Relation, Scope } from './model.ts'
import { bindReference } from './references.ts'
import { starColumns, visibleTables } from './scope.ts'
import { expandStar, passedOn } from './stars.ts'
import { nearestAround } from './unresolved.ts'
import { derivedFrom, unknownValue, type Value } from './values.ts'
import { defined, keepScope, spreadColumn, type Work } from './work.ts'

export interface BoundItems extends Relation {
  readonly items: BoundSelect['items']
}

export function bindItems(work: Work, select: Select, scope: Scope, id: string): BoundItems {
  if (select.selectWord === undefined) return { items: [], ...everything(work, scope, id) }
  for (const { alias } of select.items) if (alias) scope.later.add(work.dialect.fold(alias.text))
  const columns: Column[] = []
  const also: Column[] = []
  let open: Open | undefined
  const isListed = listedIn(work, select.items)
  const items = select.items.map((item, index) => {
    const bound = bindItem(work, item, scope, `${id}.i${index}`, isListed)
    columns.push(...bound.columns)
    also.push(...(bound.also ?? []))
    open ??= bound.open
    return { item, columns: bound.columns }
  })
  return { items, columns, open, ...(also.length > 0 && { also }) }
}

type IsListed = (column: Column) => boolean

/** Returns whether a list has a column of that name already, where it stands for itself or behind a star. */
function listedIn({ dialect }: Work, items: readonly SelectItem[]): IsListed {
  let names: ReadonlySet<string> | undefined
  const isStar = items.some(({ expression }) => expression.kind === 'star' || expression.kind === 'columns')
  return ({ name }) => {
    names ??= new Set(items.flatMap(item => writtenName(item) ?? []).map(dialect.fold))
    return isStar || names.has(dialect.fold(name))
  }
}

function writtenName({ alias, expression }: SelectItem): string | undefined {
  if (alias !== undefined) return alias.text
  return expression.kind === 'reference' ? expression.path.at(-1)?.text : undefined
}

/** Returns all columns, for `FROM t` without a SELECT. */
function everything(work: Work, scope: Scope, id: string): Relation {
  const tables = visibleTables(scope)
  const columns = starColumns(scope, tables, true, work.dialect)
  for (const { value } of columns) work.reads.push(...value.origins)
  return {
    columns: columns.map((of, index) => passedOn(of, `${id}.s${index}`, undefined)),
    open: tables.find(table => table.open !== undefined)?.open,
  }
}

/** The limit of columns: stars over stars double, and nobody reads so many. */
export const mostStarred = 20_000

function bounded(relation: Relation, id: string): Relation {
  if (relation.columns.length <= mostStarred) return relation
  const value = {
    ...derivedFrom(relation.columns.slice(0, mostStarred).map(column => column.value)),
    unknown: true,
  }
  return { columns: [spreadColumn(id, value)], open: relation.open }
}

function bindItem(work: Work, item: SelectItem, scope: Scope, id: string, isListed: IsListed): Relation {
  const { expression, alias } = item
  // An unknown name that the item itself gets is a column that is missing, not an alias used too early.
  if (alias) scope.later.delete(work.dialect.fold(alias.text))
  if (expression.kind === 'star') return bounded(expandStar(work, expression, scope, id, item), id)
  const columns = mayHoldColumns(work, item) ? columnsItem(work, item, scope, id) : undefined
  if (columns !== undefined) return columns
  const fields = isUnnest(work, expression) ? unnested(work, item, expression, scope, id) : undefined
  if (fields !== undefined) return fields
  const column = valueItem(work, item, scope, id, isListed)
  addAlias(work, item, column, scope)
  if (!column.misspelt || column.name === '') return { columns: [column], open: undefined }
  const typed = expression.kind === 'reference' ? expression.path.at(-1)?.text : undefined
  return misspeltItem(work, column, typed ?? column.name, scope)
}

/** Returns columns for the misspelt and for the intended name, so that readers may use either. */
function misspeltItem(work: Work, column: Column, typed: string, scope: Scope): Relation {
  const names = [typed, ...nearestAround(work, typed, scope)].filter(name => name !== column.name)
  const { misspelt, ...plain } = column
  if (names.length === 0) return { columns: [plain], open: undefined }
  const also = names.map(
    (name): Column => ({
      id: `also:${name}`,
      name,
      maker: { kind: 'opaque' },
      value: unknownValue,
      repairedAs: column.name,
      ...(name === typed && { misspelt: true }),
    }),
  )
  return { columns: [column.name === typed ? column : plain], open: undefined, also }
}

function addAlias(work: Work, { alias }: SelectItem, column: Column, scope: Scope): void {
  if (alias === undefined) return
  defined(work, column)
  const key = work.dialect.fold(alias.text)
  scope.later.delete(key)
  if (!scope.aliases.has(key)) scope.aliases.set(key, column)
}

// ---------------------------------------------------------------- one value

function valueItem(work: Work, item: SelectItem, scope: Scope, id: string, isListed: IsListed): Column {
  const { expression, alias } = item
  if (expression.kind === 'reference') return referenceItem(work, item, expression, scope, id, isListed)
  const value = atHome(bindExpression(work, expression, scope), id)
  if (alias !== undefined)
    return { id, name: alias.text, maker: { kind: 'named', at: alias, item, of: undefined }, value }
  return {
    id,
    name: work.dialect.nameOfValue(expression, work.text),
    maker: { kind: 'expression', item },
    value,
  }
}

/** Identifies the fields of a struct that an expression makes by this column, wherever it is read. */
function atHome(value: Value, id: string): Value {
  if (value.type === undefined || value.fields !== undefined || value.home !== undefined) return value
  return { ...value, home: id }
}

function referenceItem(
  work: Work,
  item: SelectItem,
  node: Extract<Expression, { kind: 'reference' }>,
  scope: Scope,
  id: string,
  isListed: IsListed,
): Column {
  const { alias } = item
  const last = node.path.at(-1)
  // Readers of the query must still find the column under its name.
  const asWritten = alias === undefined && last !== undefined ? ` AS ${work.dialect.quote(last.text)}` : ''
  const problems = work.problems.length
  const { value, column, meant } = bindReference(work, node, scope, {
    text: `NULL${asWritten}`,
    takesNearest: true,
    // Two columns of one name would be a second mistake, which is none of the text.
    after: nearest => (isListed(nearest) ? asWritten : ''),
  })
  keepScope(work, node, scope)
  work.values?.set(node, value)
  if (alias !== undefined)
    return { id, name: alias.text, maker: { kind: 'named', at: alias, item, of: column }, value }
  // Readers of this query find it under the name that is written.
  if (column?.repairedAs !== undefined && work.quiet === 0)
    work.repairs.push({ start: node.end, end: node.end, text: ` AS ${work.dialect.quote(column.name)}` })
  if (column !== undefined && last !== undefined) {
    const { misspelt } = column
    return {
      id,
      name: column.name || work.dialect.nameOfValue(node, work.text),
      maker: { kind: 'passed', at: last, of: column, item },
      value,
      ...(misspelt && { misspelt }),
    }
  }
  const takesName = meant !== undefined && !isListed(meant)
  const name = (takesName ? meant.name : last?.text) ?? ''
  if (work.problems.length > problems)
    return { id, name, maker: { kind: 'expression', item }, value, misspelt: true }
  // Without an alias the column is named after its last field, its table, or a keyword.
  const maker =
    node.path.length > 1 && last
      ? ({ kind: 'field', of: undefined, at: last } as const)
      : ({ kind: 'expression', item } as const)
  return { id, name, maker, value }
}

// ---------------------------------------------------------------- several columns of one item

function mayHoldColumns(work: Work, item: SelectItem): boolean {
  return item.expression.kind === 'columns' || /columns\s*\(/i.test(work.text.slice(item.start, item.end))
}

function columnsItem(work: Work, item: SelectItem, scope: Scope, id: string): Relation | undefined {
  const { expression, alias } = item
  const node = expression.kind === 'columns' ? expression : columnsIn(expression)
  if (node === undefined) return undefined
  const chosen = chosenColumns(work, node, scope)
  if (expression !== node) bindExpression(work, expression, scope)
  work.quiet++
  const columns = chosen.columns.map((of, index): Column => {
    const own = `${id}.c${index}`
    if (expression === node && alias === undefined) return passedOn(of, own, item)
    work.chosen = of
    const value = expression === node ? of.value : bindExpression(work, expression, scope)
    work.chosen = undefined
    const name = alias === undefined ? of.name : aliasFor(work, alias.text, node, of)
    const spread = of.spread && { spread: withValue(of, value) }
    return { id: own, name, maker: { kind: 'expression', item }, value, ...spread }
  })
  work.quiet--
  return { columns, open: chosen.open }
}

/** Applies the value of a function to each column that a spread may stand for. */
function withValue({ spread }: Column, value: Value): NonNullable<Column['spread']> {
  return { candidates: spread?.candidates?.map(column => ({ ...column, value })) }
}

function isUnnest(work: Work, node: Expression): node is Call {
  return (
    node.kind === 'call' && node.path.length === 1 && work.dialect.fold(node.path[0]?.text ?? '') === 'unnest'
  )
}

/**
 * Binds `unnest(struct)`, which makes a column per field, and `unnest(list)`, which makes one; undefined for
 * a list.
 */
function unnested(work: Work, item: SelectItem, node: Call, scope: Scope, id: string): Relation | undefined {
  const [argument, ...options] = node.arguments
  if (argument === undefined) return undefined
  const isDeep = options.some(({ name }) => /^(recursive|max_depth)$/i.test(name?.text ?? ''))
  work.quiet++
  const value = bindExpression(work, argument.value, scope)
  work.quiet--
  const fields = fieldsOf(work, value)
  const isList =
    value.element !== undefined || (fields?.length === 0 && elementOf(work, value).type !== undefined)
  if (isList && !isDeep) return undefined
  // With an alias it must be a list, as far as is known.
  if (fields?.length === 0 || (fields === undefined && !isDeep && item.alias !== undefined)) return undefined
  bindExpression(work, node, scope)
  if (isDeep || fields === undefined) {
    const deep = { ...derivedFrom([value]), unknown: true }
    const maker = { kind: 'expression', item } as const
    return {
      columns: [{ id, name: '', maker, value: deep, spread: { candidates: undefined } }],
      open: undefined,
    }
  }
  return { columns: fieldColumns(fields, item, id), open: undefined }
}

function fieldColumns(
  fields: readonly { readonly name: string; readonly value: Value }[],
  item: SelectItem,
  id: string,
): readonly Column[] {
  return fields.map(({ name, value }, index) => ({
    id: `${id}.f${index}`,
    name,
    maker: { kind: 'expression', item },
    value: { ...value, direct: false },
  }))
}
