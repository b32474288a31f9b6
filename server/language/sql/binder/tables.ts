/** Binds the items of FROM and adds their tables to the scope. */

import { nearestNames } from '../../text/nearest-names.ts'
import type {
  Edit,
  Expression,
  FileTable,
  FunctionTable,
  NamedTable,
  Span,
  SubqueryTable,
  TableAlias,
  TableExpression,
  TagTable,
} from '../tree.ts'
import { bindAll } from './expressions.ts'
import { bindJoin } from './joins.ts'
import type { BoundTable, Column, NameProblem, Relation, Scope } from './model.ts'
import { bindPivot, bindUnpivot } from './pivots.ts'
import { bindQuery } from './queries.ts'
import { cteNames, findCte, lateralScope } from './scope.ts'
import { bindFunctionTable } from './table-functions.ts'
import { derivedFrom } from './values.ts'
import { mention, noteOutside, opaque, renamed, report, taggedRelation, type Work } from './work.ts'
import type { SqlWorld } from './world.ts'

/** Adds the tables of one item of FROM to the scope. */
export function bindTable(work: Work, node: TableExpression, scope: Scope, id: string): void {
  const add = adders[node.kind] as Adder<TableExpression>
  add(work, node, scope, id)
}

type Adder<T> = (work: Work, node: T, scope: Scope, id: string) => void
type Adders = { readonly [K in TableExpression['kind']]: Adder<Extract<TableExpression, { kind: K }>> }

const adders: Adders = {
  'tag-table': bindTag,
  'named-table': bindNamed,
  'file-table': bindFile,
  'subquery-table': bindSubqueryTable,
  'function-table': (work, node: FunctionTable, scope, id) =>
    addTable(work, node, scope, id, bindFunctionTable(work, node, lateralScope(scope), id), {
      name: node.call.path.at(-1)?.text ?? '',
    }),
  'values-table': (work, node, scope, id) =>
    addTable(work, node, scope, id, {
      columns: valuesColumns(work, node.rows, lateralScope(scope), id),
      open: undefined,
    }),
  'missing-table': (work, node, scope, id) =>
    addTable(work, node, scope, id, { columns: [], open: opaque(work, id) }),
  join: bindJoin,
  pivot: (work, node, scope, id) => addTable(work, node, scope, id, bindPivot(work, node, scope, id)),
  unpivot: (work, node, scope, id) => addTable(work, node, scope, id, bindUnpivot(work, node, scope, id)),
}

interface TableFacts {
  /** The name without an alias. */
  readonly name?: string
  readonly schema?: string
  readonly cte?: BoundTable['cte']
  readonly tag?: BoundTable['tag']
}

export function addTable(
  work: Work,
  node: TableExpression & { readonly alias: TableAlias | undefined },
  scope: Scope,
  id: string,
  relation: Relation,
  facts: TableFacts = {},
): BoundTable {
  const alias = node.alias?.name
  const { columns, open, also } = aliased(work, relation, node.alias, id)
  const table: BoundTable = {
    kind: 'table',
    id,
    name: alias?.text ?? facts.name ?? '',
    schema: alias === undefined ? (facts.schema ?? '') : '',
    alias,
    node,
    cte: facts.cte,
    tag: facts.tag,
    hidden: false,
    columns,
    open,
    ...(also && { also }),
  }
  reportNamesake(work, table, scope)
  scope.tables.push(table)
  if (work.quiet === 0) work.tables.push(table)
  if (alias !== undefined) mention(work, alias, table, 'definition')
  return table
}

function aliased(work: Work, relation: Relation, alias: TableAlias | undefined, id: string): Relation {
  const named = renamed(work, relation, alias?.columns ?? [], id)
  if (alias?.isComplete !== true) return named
  return { columns: named.columns.slice(0, alias.columns.length), open: undefined }
}

function reportNamesake(work: Work, table: BoundTable, scope: Scope): void {
  const key = work.dialect.fold(table.name)
  if (key === '') return
  const other = scope.tables.find(
    each =>
      work.dialect.fold(each.name) === key &&
      work.dialect.fold(each.schema) === work.dialect.fold(table.schema),
  )
  if (other === undefined || isApart(other, table)) return
  const span = table.alias ?? table.node
  const text = work.dialect.quote(`${table.name} ${table.id}`)
  const repair =
    table.alias === undefined
      ? { start: table.node.end, end: table.node.end, text: ` AS ${text}` }
      : { start: span.start, end: span.end, text }
  report(work, {
    kind: 'duplicate-table',
    name: table.name,
    span: { start: span.start, end: span.end },
    repair: [repair],
    scope,
  })
}

/** Returns whether two tables may have the same name: those of different schemas, and functions. */
function isApart(a: BoundTable, b: BoundTable): boolean {
  if (a.alias !== undefined || b.alias !== undefined) return false
  return a.node.kind === 'function-table' || b.node.kind === 'function-table' || a.tag?.asset !== b.tag?.asset
}

// ---------------------------------------------------------------- tags, names, queries

function bindTag(work: Work, node: TagTable, scope: Scope, id: string): void {
  const tag = taggedRelation(work, node.tag)
  if (tag.kind !== 'unknown' && tag.kind !== 'value') {
    addTable(work, node, scope, id, tag, { name: tag.name, tag })
    return
  }
  const asked = new Set<string>()
  addTable(work, node, scope, id, askedRelation(work, id, asked), { tag })
  if (work.quiet === 0)
    work.atEnd.push(() => void work.repairs.push(standIn(work, node.tag, node.alias, '', asked)))
}

/** Returns a relation with any column; `asked` collects the names that are asked for. */
function askedRelation(work: Work, id: string, asked: Set<string>): Relation {
  const open = opaque(work, id)
  return {
    columns: [],
    open: (column, hasFields) => {
      if (column !== '') asked.add(column)
      return open(column, hasFields)
    },
  }
}

/** Returns a subquery with the columns that are asked for, to replace a table that does not exist. */
function standIn(
  work: Work,
  { start, end }: Span,
  alias: TableAlias | undefined,
  name: string,
  asked: ReadonlySet<string>,
): Edit {
  const names = asked.size === 0 ? ['svc unknown'] : [...asked]
  const columns = names.map(column => `NULL AS ${work.dialect.quote(column)}`).join(', ')
  const called = alias?.name !== undefined || name === '' ? '' : ` AS ${work.dialect.quote(name)}`
  return { start, end, text: `(SELECT ${columns})${called}` }
}

function bindNamed(work: Work, node: NamedTable, scope: Scope, id: string): void {
  const name = node.path.at(-1)
  const [schema] = node.path.length > 1 ? node.path.slice(-2) : []
  const cte =
    name !== undefined && schema === undefined ? findCte(scope.ctes, name.text, work.dialect) : undefined
  const facts = { name: name?.text ?? '', schema: schema?.text ?? '' }
  if (cte !== undefined && name !== undefined) {
    mention(work, name, cte, 'read')
    addTable(work, node, scope, id, cte, { ...facts, cte })
    return
  }
  // What is neither of the query nor of the project is of the engine's catalogue, which tells what is there at the moment.
  work.volatile = true
  const asked = new Set<string>()
  const path = node.path.map(({ text }) => text)
  if (isOfEngine(work, path)) {
    addTable(work, node, scope, id, askedRelation(work, id, asked), facts)
    noteRelation(work, node, path, asked)
    return
  }
  const isNamed = name !== undefined && name.text !== ''
  const meant = isNamed ? meantTable(work, name.text, scope) : undefined
  const table = addTable(work, node, scope, id, meant?.relation ?? askedRelation(work, id, asked), {
    ...facts,
    tag: meant?.relation,
  })
  if (isNamed) table.problem = unknownTable(work, node, asked, scope, meant?.sql)
  if (table.problem !== undefined) report(work, table.problem)
}

/** Returns the CTE or the asset with the nearest name, so that its columns are checked too. */
function meantTable(work: Work, name: string, scope: Scope): ReturnType<NonNullable<SqlWorld['meant']>> {
  const [nearest] = nearestNames(name, cteNames(scope.ctes))
  const cte = nearest === undefined ? undefined : findCte(scope.ctes, nearest, work.dialect)
  if (cte === undefined) return work.world.meant?.(name)
  const { columns, open, also } = cte
  const label = cte.cte.name.text
  const relation = {
    kind: 'unknown',
    name,
    asset: undefined,
    label,
    columns,
    open,
    ...(also && { also }),
  } as const
  return { relation, sql: work.dialect.quote(label) }
}

function isOfEngine({ dialect }: Work, path: readonly string[]): boolean {
  return dialect.isOfEngine(path.map(dialect.fold))
}

/** The columns that are asked of it are known only at the end of the text. */
function noteRelation(
  work: Work,
  node: NamedTable | FileTable,
  path: readonly string[],
  asked: ReadonlySet<string>,
): void {
  const place = node.kind === 'file-table' ? node.file : placeOf(node)
  const repair: Edit[] = []
  const called = path.at(-1) ?? ''
  if (work.quiet === 0)
    work.atEnd.push(() => void repair.push(standIn(work, place, node.alias, called, asked)))
  noteOutside(work, { kind: 'relation', name: path.join('.'), effect: 'relations' }, place, repair)
}

function placeOf({ path, start, end }: NamedTable): Span {
  return { start: path[0]?.start ?? start, end: path.at(-1)?.end ?? end }
}

/** Binds a path to a file, which is reported: SQL may not read files. The text may be the name of a relation, too. */
function bindFile(work: Work, node: FileTable, scope: Scope, id: string): void {
  const asked = new Set<string>()
  addTable(work, node, scope, id, askedRelation(work, id, asked))
  const { start, end } = node.file
  const written = work.text.slice(start + 1, end - 1)
  const path = written.split('.')
  if (isOfEngine(work, path)) {
    noteRelation(work, node, path, asked)
    return
  }
  const repair: Edit[] = []
  if (work.quiet === 0)
    work.atEnd.push(() => void repair.push(standIn(work, node.file, node.alias, '', asked)))
  report(work, { kind: 'file-table', name: written, span: { start, end }, repair, scope })
}

function unknownTable(
  work: Work,
  node: NamedTable,
  asked: ReadonlySet<string>,
  scope: Scope,
  meant: string | undefined,
): NameProblem | undefined {
  const [first, last] = [node.path[0], node.path.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const whole = { start: first.start, end: last.end }
  const called = node.alias?.name === undefined ? ` AS ${work.dialect.quote(last.text)}` : ''
  const repair: Edit[] = meant === undefined ? [] : [{ ...whole, text: meant + called }]
  // The columns that are asked of it are known only at the end of the text.
  if (meant === undefined && work.quiet === 0)
    work.atEnd.push(() => void repair.push(standIn(work, whole, node.alias, last.text, asked)))
  const span = { start: last.start, end: last.end }
  return { kind: 'unknown-table', name: last.text, whole, span, repair, scope }
}

/** Binds a query in FROM, which sees the tables before it. */
function bindSubqueryTable(work: Work, node: SubqueryTable, scope: Scope, id: string): void {
  const output = bindQuery(work, node.query, { id: `${id}.q`, outer: lateralScope(scope), ctes: scope.ctes })
  addTable(work, node, scope, id, withoutNamesakes(work, output, id))
}

/** Returns the columns as readers of a query see them, with unique names: the second `a` becomes `a_1`. */
export function withoutNamesakes(work: Work, relation: Relation, id: string): Relation {
  if (!work.dialect.numbersNamesakes) return relation
  const names = new Set(relation.columns.map(column => work.dialect.fold(column.name)))
  if (names.size === relation.columns.length) return relation
  const taken = new Set<string>()
  const columns = relation.columns.map((column, index): Column => {
    const key = work.dialect.fold(column.name)
    if (column.name === '' || column.spread || !taken.has(key)) {
      taken.add(key)
      return column
    }
    let count = 1
    while (taken.has(`${key}_${count}`) || names.has(`${key}_${count}`)) count++
    taken.add(`${key}_${count}`)
    const { value } = column
    return {
      id: `${id}.d${index}`,
      name: `${column.name}_${count}`,
      maker: { kind: 'numbered', of: column },
      value,
    }
  })
  return { ...relation, columns }
}

export function valuesColumns(
  work: Work,
  rows: readonly (readonly Expression[])[],
  scope: Scope,
  id: string,
): readonly Column[] {
  const values = rows.map(row => bindAll(work, row, scope))
  return (values[0] ?? []).map((first, index): Column => {
    const all = derivedFrom(values.flatMap(row => row[index] ?? []))
    return {
      id: `${id}.v${index}`,
      name: work.dialect.nameInValues(index),
      maker: { kind: 'opaque' },
      value: { ...all, type: first.type, fields: values.length === 1 ? first.fields : undefined },
    }
  })
}
