/** Creates tables with the rows that a unit test gives, and finds the value that does not fit its column. */
import type { Diagnostic, Engine } from '../../language/index.ts'
import { wrongValue } from '../../language/unit/check-case.ts'
import type { UnitCase } from '../../language/unit/unit-case.ts'
import type { UnitCell, UnitTable, UnitValue } from '../../language/unit/unit-rows.ts'
import { guessedType } from '../../language/unit/unit-types.ts'
import { createSchemaSql, relationSql, type TableColumn } from '../relations.ts'
import { shadowTableOf } from '../shadow-tables.ts'
import { type Input, inputColumns } from '../statement.ts'
import type { UnitDatabase } from './unit-database.ts'
import { isEnd, isFailure, type UnitFailure } from './unit-failure.ts'
import type { UnitQuestion } from './unit-question.ts'
import { unitSqlOf } from './unit-sql.ts'

/** A column of an input. Where its type is not known yet, it is guessed from the given values. */
export interface UnitColumn extends TableColumn {
  readonly isGuessed?: true
}

/** Returns the known columns of an input; unknown types are guessed from the given values. */
export function unitColumns(input: Input, table: UnitTable | undefined): UnitColumn[] {
  const { fold } = input.engine
  const known = inputColumns(input)
  const names = new Set(known.map(({ name }) => fold(name)))
  const besides = (table?.columns ?? []).filter(({ name }) => !names.has(fold(name)))
  return [...known, ...besides.map(({ name }) => ({ name, type: undefined }))].map(({ name, type }) => {
    return type === undefined
      ? { name, type: typeFrom(table, name, input.engine), isGuessed: true }
      : { name, type }
  })
}

function typeFrom(table: UnitTable | undefined, name: string, engine: Engine): string | undefined {
  const { types } = engine
  const values = cellsOf(table, name, engine).map(({ value }) => value)
  if (values.some(({ kind }) => kind === 'json')) return types.usual.json
  const texts = values.flatMap(value => (value.kind === 'text' ? [value] : []))
  return texts.length === 0 ? undefined : guessedType(texts, types)
}

function cellsOf(table: UnitTable | undefined, name: string, { sameName }: Engine): UnitCell[] {
  return (table?.rows ?? []).flatMap(({ cells }) => cells.filter(cell => sameName(cell.column, name)))
}

/** Returns one statement that creates a table with its rows, or an empty table. */
export function unitTableSql(
  input: Input,
  columns: readonly TableColumn[],
  table: UnitTable | undefined,
): string {
  const { engine } = input
  const { type: typeOf } = shadowTableOf(engine)
  const named = columns.map(({ name, type }) => ({ name, type: typeOf(type, engine) }))
  const rows = (table?.rows ?? []).map(({ cells }) => {
    const byName = new Map(cells.map(cell => [engine.fold(cell.column), cell.value]))
    return named.map(({ name, type }) => valueSql(byName.get(engine.fold(name)), type, engine))
  })
  const written = named.map(({ name, type }) => ({ name: engine.quote(name), type }))
  return unitSqlOf(engine).table(relationSql(input.relation, engine), written, rows)
}

export function schemaSql(input: Input): string {
  return createSchemaSql(input.relation.schema, input.engine)
}

/** Returns a text that is cast to the column's type; lists and mappings are read as JSON first. */
export function valueSql(value: UnitValue | undefined, type: string, engine: Engine): string {
  if (value === undefined || value.kind === 'null') return 'NULL'
  const isText = value.kind === 'text'
  const written = engine.literal(isText ? value.text : value.json)
  if (!isNested(type, engine)) return written
  return isText ? `CAST(${written} AS ${type})` : unitSqlOf(engine).nested(value.json, type)
}

/**
 * Returns diagnostics for given values that their columns cannot hold. Called only after a table could not be
 * created. Returns a failure if that could not be determined.
 */
export async function badValues(
  database: UnitDatabase,
  path: string,
  test: UnitCase,
  { tables, statement }: Pick<UnitQuestion, 'tables' | 'statement'>,
): Promise<Diagnostic[] | UnitFailure> {
  const { engine } = statement
  const columnsOf = (input: string) => tables.find(table => table.input === input)?.columns ?? []
  const cells = test.given.flatMap(({ input, table }) => {
    const types = new Map(columnsOf(input).map(({ name, type }) => [engine.fold(name), type]))
    return table.rows.flatMap(row =>
      row.cells.flatMap(cell => {
        const type = types.get(engine.fold(cell.column))
        return type === undefined || cell.value.kind === 'null' ? [] : [{ cell, type }]
      }),
    )
  })
  const found: Diagnostic[] = []
  for (const { cell, type } of cells) {
    const read = await database.texts(
      `SELECT ${unitSqlOf(engine).text(valueSql(cell.value, type, engine), type)}`,
    )
    if (isFailure(read) && isEnd(read)) return read
    if (!isFailure(read) && typeof read[0]?.[0] === 'string') continue
    found.push(wrongValue(path, cell, type))
  }
  return found
}

function isNested(type: string, { types }: Engine): boolean {
  return types.family(types.parse(type)) === 'nested'
}
