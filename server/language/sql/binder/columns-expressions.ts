/** Binds COLUMNS(…): one expression that stands for several columns. */
import type { Columns, Expression } from '../tree.ts'
import { bindExpression } from './expressions.ts'
import type { Column, Relation, Scope } from './model.ts'
import { lambdaMatcher, textOf } from './name-patterns.ts'
import { findTableAround, innerScope, starColumns, visibleTables } from './scope.ts'
import { expandStar, spreadOf } from './stars.ts'
import { derivedFrom, type Value } from './values.ts'
import { mention, report, type Work } from './work.ts'

export function bindColumns(work: Work, node: Columns, scope: Scope): Value {
  if (work.chosen !== undefined && !node.unpacked) return work.chosen.value
  return derivedFrom(chosenColumns(work, node, scope).columns.map(column => column.value))
}

/** Returns the columns in the order of the tables, whatever the order of the list. */
export function chosenColumns(work: Work, node: Columns, scope: Scope): Relation {
  const chosen = chooseColumns(work, node, scope)
  work.values?.set(node, derivedFrom(chosen.columns.map(column => column.value)))
  return chosen
}

function chooseColumns(work: Work, node: Columns, scope: Scope): Relation {
  const { chooser } = node
  if (chooser.kind === 'star') return expandStar(work, chooser, scope, 'x', undefined)
  const all = allColumns(work, node, scope)
  for (const column of all.columns) if (work.quiet === 0) work.reads.push(...column.value.origins)
  const matches = matcherOf(work, chooser, scope, all)
  if (matches === undefined) return { columns: [spreadOf('x', all.columns)], open: all.open }
  return { columns: all.columns.filter(column => column.spread || matches(column.name)), open: all.open }
}

function allColumns(work: Work, { qualifier }: Columns, scope: Scope): Relation {
  const name = qualifier.at(-1)
  const table = name && findTableAround(scope, name.text, work.dialect)
  if (name !== undefined && table !== undefined) mention(work, name, table, 'read')
  const tables = table === undefined ? visibleTables(scope) : [table]
  return {
    columns: starColumns(scope, tables, table === undefined, work.dialect),
    open: tables.find(each => each.open !== undefined)?.open,
  }
}

function matcherOf(
  work: Work,
  chooser: Expression,
  scope: Scope,
  all: Relation,
): ((name: string) => boolean) | undefined {
  if (chooser.kind === 'list') return listed(work, chooser.items, scope, all)
  if (chooser.kind === 'lambda') {
    const before = work.reads.length
    bindExpression(work, chooser, innerScope(scope, {}))
    // The parameter is a column name, and reading a name reads no data.
    work.reads.length = before
    return lambdaMatcher(work, chooser)
  }
  const text = textOf(work, chooser)
  if (text !== undefined) return work.dialect.columnsMatching(text)
  if (chooser.kind === 'reference') return listed(work, [chooser], scope, all)
  bindExpression(work, chooser, scope)
  return undefined
}

/** Returns the columns of `COLUMNS(['a', 'b'])` and `COLUMNS([a, b])`. */
function listed(
  work: Work,
  items: readonly Expression[],
  scope: Scope,
  all: Relation,
): ((name: string) => boolean) | undefined {
  const wanted = new Set<string>()
  for (const item of items) {
    const text = item.kind === 'reference' ? item.path.at(-1)?.text : textOf(work, item)
    if (text === undefined) return undefined
    const key = work.dialect.fold(text)
    const column = all.columns.find(each => work.dialect.fold(each.name) === key)
    wanted.add(key)
    const span =
      item.kind === 'reference' ? (item.path.at(-1) ?? item) : { start: item.start + 1, end: item.end - 1 }
    if (column !== undefined) mention(work, span, { kind: 'column', column }, 'read')
    else if (all.open === undefined && !all.columns.some(each => each.spread))
      reportListed(work, text, span, item, scope, all)
  }
  return name => wanted.has(work.dialect.fold(name))
}

function reportListed(
  work: Work,
  name: string,
  { start, end }: { readonly start: number; readonly end: number },
  item: Expression,
  scope: Scope,
  all: Relation,
): void {
  const stand = all.columns.find(column => column.name !== '')
  const text = stand === undefined ? "''" : `'${stand.name.replaceAll("'", "''")}'`
  report(work, {
    kind: 'unknown-column',
    name,
    table: undefined,
    among: all.columns,
    span: { start, end },
    repair: [{ start: item.start, end: item.end, text }],
    scope,
  })
}

/** Returns the first COLUMNS(…) that expands an expression; those in its subqueries expand the subqueries. */
export function columnsIn(node: unknown): Columns | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  if ('kind' in node) {
    if (node.kind === 'subquery' || node.kind === 'query') return undefined
    if (node.kind === 'columns') return (node as Columns).unpacked ? undefined : (node as Columns)
  }
  for (const value of Object.values(node)) {
    const inner = typeof value === 'object' ? columnsIn(value) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

/** Returns the alias of a column: `COLUMNS('(.*)_id') AS '\1'`. */
export function aliasFor(work: Work, alias: string, node: Columns, column: Column): string {
  if (!alias.includes('\\')) return alias
  const pattern = textOf(work, node.chooser)
  const groups = pattern === undefined ? undefined : groupsOf(pattern, column.name)
  return alias.replaceAll(/\\(\d)/g, (_, digit: string) => groups?.[Number(digit)] ?? '')
}

function groupsOf(pattern: string, name: string): readonly string[] | undefined {
  try {
    return new RegExp(pattern).exec(name) ?? undefined
  } catch {
    return undefined
  }
}
