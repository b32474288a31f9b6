/**
 * Diagnostics for the names of output columns. For duplicates, the engine silently renames the second. A
 * subquery without an alias is named after its text, in which tables have the names of this build.
 */
import type { Column, Diagnostic, Engine } from '../language/index.ts'
import type { BoundTable, Mention } from '../language/sql/binder/model.ts'
import type { SelectItem } from '../language/sql/tree.ts'
import type { Range } from '../language/text/range.ts'
import type { Job } from './bind-level.ts'
import { distinctNames } from './bound.ts'
import { isPlaceholder } from './relations.ts'
import type { Statement } from './statement.ts'

/** Checks the names. Some engines give a second `a` another name, others make no such table. `described` has the names of the query's columns; the table may have other ones. */
export function outputNames(job: Job, described: readonly Column[]): Diagnostic[] {
  return [
    ...duplicateColumns(job, described),
    ...unnamedColumns(job, described),
    ...shadowedColumns(job),
    ...bracketedNames(job),
  ]
}

/** Reports `SELECT [id]`: a list that holds one column and has no name is a name in the quotes of another database. */
function bracketedNames({ statement, bound }: Job): Diagnostic[] {
  const items = bound.selects.flatMap(select => select.items.map(({ item }) => item))
  return items.flatMap(({ alias, expression }): Diagnostic[] => {
    if (alias !== undefined || expression.kind !== 'list') return []
    const [only, ...others] = expression.items
    if (only?.kind !== 'reference' || others.length > 0) return []
    const name = only.path.at(-1)?.text ?? ''
    return [
      {
        code: 'sql-bracketed-name',
        severity: 'warning',
        message: `[${name}] is a list with one value, not the column "${name}"`,
        hint: `Names are quoted with double quotes; if a list is meant, give it a name: [${name}] AS ${name}.`,
        path: statement.path,
        range: statement.template.toFile.rangeToOriginal(expression),
      },
    ]
  })
}

function duplicateColumns(job: Job, described: readonly Column[]): Diagnostic[] {
  const names = described.map(({ name }) => name)
  if (names.some(isPlaceholder)) return []
  const given = distinctNames(names, job.statement.engine)
  return names.flatMap((name, index) => {
    const renamed = given[index] ?? name
    return renamed === name ? [] : [duplicate(job, index, name, renamed)]
  })
}

function duplicate(job: Job, index: number, name: string, given: string): Diagnostic {
  const { statement, bound } = job
  const item = itemOf(job, bound.output.columns[index])
  const { start, end } = item === undefined ? { start: 0, end: 1 } : nameOf(item)
  const isRenamed = statement.engine.binding.numbersNamesakes
  return {
    code: 'sql-duplicate-column',
    severity: isRenamed ? 'warning' : 'error',
    message: isRenamed
      ? `two output columns are called "${name}"; the second becomes "${given}"`
      : `two output columns are called "${name}"`,
    ...(isRenamed && { facts: { renamed: given } }),
    hint: 'Give each column a name of its own with AS.',
    path: statement.path,
    range: statement.template.toFile.rangeToOriginal({ start, end }),
  }
}

/**
 * Reports names that are read from a subquery in which an alias is a second column of that name. Engines that number the
 * second read the first, which `SELECT *, … AS price` was to replace; others refuse it themselves. Two columns that stars
 * bring are left alone: after a join they are usually the same.
 */
function shadowedColumns({ statement, bound }: Job): Diagnostic[] {
  const { engine, template, path } = statement
  if (!engine.binding.numbersNamesakes) return []
  const secondsOf = onceEach((table: BoundTable) => secondNames(table, engine))
  let qualifier: Mention | undefined
  return bound.mentions.flatMap((mention): Diagnostic[] => {
    const { span, target, role } = mention
    const before = qualifier
    qualifier = mention
    const table =
      mention.table ?? (mention.qualified && before?.target.kind === 'table' ? before.target : undefined)
    if (role !== 'read' || target.kind !== 'column' || table === undefined) return []
    const { name, maker } = target.column
    const second = maker.kind === 'numbered' ? undefined : secondsOf(table).get(engine.fold(name))
    if (second === undefined) return []
    const where = table.name === '' ? 'the subquery' : `"${table.name}"`
    return [
      {
        code: 'sql-shadowed-column',
        severity: 'warning',
        message: `two columns of ${where} are called "${name}": this is the first, the second is "${second}"`,
        hint: `To replace a column, write SELECT * REPLACE (… AS ${name}); or give the second a name of its own.`,
        path,
        range: template.toFile.rangeToOriginal(span),
      },
    ]
  })
}

/** Returns the names of columns that an alias has made a second one of, each with that of the second. */
function secondNames({ columns }: BoundTable, engine: Engine): ReadonlyMap<string, string> {
  return new Map(
    columns.flatMap(({ name, maker }) =>
      maker.kind === 'numbered' && maker.of.maker.kind === 'named'
        ? [[engine.fold(maker.of.name), name] as const]
        : [],
    ),
  )
}

function onceEach<Of extends object, Value>(make: (of: Of) => Value): (of: Of) => Value {
  const made = new Map<Of, Value>()
  return of => {
    const known = made.get(of) ?? make(of)
    made.set(of, known)
    return known
  }
}

function unnamedColumns(job: Job, described: readonly Column[]): Diagnostic[] {
  const { statement } = job
  const schemas = [...statement.inputs.values()].map(({ relation }) =>
    statement.engine.quote(relation.schema),
  )
  const unnamed = described.filter(
    ({ name }) => schemas.some(schema => name.includes(schema)) && !isOfInput(statement, name),
  )
  if (unnamed.length === 0) return []
  const makers = namelessItems(job)
  return unnamed.map(
    (_, index): Diagnostic => ({
      code: 'sql-unnamed-column',
      severity: 'error',
      message:
        'this column has no name: it would be called after a table that has another name in every build',
      hint: 'Give it a name with AS.',
      path: statement.path,
      range: statement.template.toFile.rangeToOriginal(makers[index] ?? { start: 0, end: 1 }),
    }),
  )
}

/** Returns whether the name comes from an input: it is reported where it was made. */
function isOfInput({ inputs }: Statement, name: string): boolean {
  return [...inputs.values()].some(({ shape }) => shape.columns.some(column => column.name === name))
}

/**
 * Returns the expressions without an alias that contain a tag, in text order: a star around them only passes
 * them on.
 */
function namelessItems({ bound, statement }: Job): readonly Range[] {
  const { text } = statement.template
  return bound.selects
    .flatMap(({ items }) => items.map(({ item }) => item))
    .filter(({ alias, expression }) => {
      const isMade = expression.kind !== 'star' && expression.kind !== 'reference'
      return alias === undefined && isMade && text.slice(expression.start, expression.end).includes('{{')
    })
    .map(({ expression: { start, end } }) => ({ start, end }))
    .sort((a, b) => a.start - b.start)
}

/** Returns the item of the select list that makes a column. */
function itemOf(
  { bound }: Job,
  column: Job['bound']['output']['columns'][number] | undefined,
): SelectItem | undefined {
  const select = bound.selects.at(-1)
  return select?.items.find(({ columns }) => column !== undefined && columns.includes(column))?.item
}

function nameOf({ alias, expression }: SelectItem): Range {
  if (alias !== undefined) return alias
  return expression.kind === 'reference' ? (expression.path.at(-1) ?? expression) : expression
}
