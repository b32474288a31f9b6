/** Checks a unit test before it runs: names that do not exist, values that are impossible. */
import type { Engine, EngineTypes } from '../engines/engine.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { nameIndexOf } from '../text/name-index.ts'
import type { Range } from '../text/range.ts'
import type { GivenTable, UnitCase } from './unit-case.ts'
import type { UnitCell } from './unit-rows.ts'
import { isRounded, losesTime } from './unit-types.ts'

/** An input of the SQL. */
export interface UnitInput {
  /** The name in `given`. */
  readonly key: string
  readonly columns: readonly { readonly name: string; readonly type: string | undefined }[]
  /** False if it may have more columns. */
  readonly complete: boolean
}

export interface CaseContext {
  readonly path: string
  readonly engine: Engine
  readonly inputs: readonly UnitInput[]
  /** The variables that the SQL reads. */
  readonly variables: readonly string[]
}

export function checkCase(test: UnitCase, around: CaseContext): Diagnostic[] {
  const reader = `the SQL of "${test.asset}"`
  const given = test.given.flatMap(table => givenProblems(table, reader, around))
  const vars = test.vars.flatMap(({ name, range }) =>
    around.variables.includes(name)
      ? []
      : [unknownName(around.path, range, `${reader} reads no variable "${name}"`, name, around.variables)],
  )
  return [...given, ...vars]
}

function givenProblems(
  { input, range, table }: GivenTable,
  reader: string,
  around: CaseContext,
): Diagnostic[] {
  const { path, inputs, engine } = around
  const known = inputs.find(({ key }) => key === input)
  if (known === undefined) {
    const keys = inputs.map(({ key }) => key)
    return [unknownName(path, range, `${reader} does not read "${input}"`, input, keys)]
  }
  const columns = new Map(known.columns.map(column => [engine.fold(column.name), column]))
  const names = known.columns.map(({ name }) => name)
  const unknown = table.columns
    .filter(({ name }) => known.complete && !columns.has(engine.fold(name)))
    .map(({ name, range: place }) =>
      unknownName(path, place, `"${input}" has no column "${name}"`, name, names),
    )
  const values = table.rows.flatMap(({ cells }) =>
    cells.flatMap(cell => {
      const type = columns.get(engine.fold(cell.column))?.type
      return (type === undefined ? undefined : valueProblem(path, cell, type, engine.types)) ?? []
    }),
  )
  return [...unknown, ...values]
}

/** Reports a value that the warehouse would silently round. */
export function valueProblem(
  path: string,
  cell: UnitCell,
  type: string,
  types: EngineTypes,
): Diagnostic | undefined {
  if (cell.value.kind !== 'text') return undefined
  const { text } = cell.value
  const known = types.parse(type)
  return isRounded(text, known, types) || losesTime(text, known, types)
    ? wrongValue(path, cell, type)
    : undefined
}

export function wrongValue(path: string, cell: UnitCell, type: string): Diagnostic {
  const { value } = cell
  const written = value.kind === 'text' ? value.text : value.kind === 'json' ? value.json : 'null'
  const shown = written.length > 40 ? `${written.slice(0, 40)}…` : written
  return {
    code: 'unit-test-value',
    severity: 'error',
    message: `"${shown}" is no value of column "${cell.column}", which is ${type}`,
    hint: 'Write a value that the column can hold.',
    path,
    range: cell.range,
  }
}

/** Reports an unknown name. `known` is empty if there are no such names at all. */
export function unknownName(
  path: string,
  range: Range,
  message: string,
  name: string,
  known: readonly string[],
): Diagnostic {
  const suggestions = nameIndexOf(known).nearest(name)
  const [nearest] = suggestions
  const base = { code: 'unit-test-unknown-name', severity: 'error' as const, message, path, range }
  if (nearest === undefined) {
    return { ...base, hint: known.length === 0 ? 'Remove it.' : `There is: ${listed(known)}.` }
  }
  return {
    ...base,
    hint: `did you mean ${suggestions.map(each => `"${each}"`).join(' or ')}?`,
    suggestions,
    fixes: [{ title: `Change to "${nearest}"`, edits: [{ path, range, newText: nearest }] }],
  }
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 12).join(', ')
  return names.length > 12 ? `${shown} and ${names.length - 12} more` : shown
}
