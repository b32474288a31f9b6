/**
 * Turns a unit test into statements: the tables of its inputs, and the query whose rows are compared. It runs
 * nothing.
 */
import { cteQuery, ctesOf } from '../../language/compile/cte-query.ts'
import type { Asset, Diagnostic, Engine, SqlTemplate } from '../../language/index.ts'
import { checkCase, unknownName } from '../../language/unit/check-case.ts'
import type { UnitCase } from '../../language/unit/unit-case.ts'
import { relationKey } from '../relations.ts'
import { bindNames, prepareStatement, readStatement, type Statement, type World } from '../statement.ts'
import { withoutEnd } from '../without-end.ts'
import { schemaSql, type UnitColumn, unitColumns, unitTableSql } from './unit-tables.ts'

export interface UnitQuestion {
  readonly statement: Statement
  readonly tables: readonly QuestionTable[]
  /** The SQL that is run: the asset's, or that of one of its CTEs. Offsets are those of the statement. */
  readonly sql: string
  /** The query is the whole asset, so its columns are those that the catalogue knows. */
  readonly isWhole: boolean
  /** Problems that are known before the test runs: values that the engine would round. */
  readonly problems: readonly Diagnostic[]
}

export interface QuestionTable {
  /** The name of the input in `given`. */
  readonly input: string
  readonly columns: readonly UnitColumn[]
  readonly key: string
  readonly schemaSql: string
  readonly sql: string
}

/** Returns the question, or diagnostics if the test uses names that do not exist. */
export function questionOf(
  world: World,
  asset: Asset,
  template: SqlTemplate,
  test: UnitCase,
): UnitQuestion | readonly Diagnostic[] {
  const { engine } = world
  const source = { asset, template, reader: asset.name, allowThis: false }
  const statement = prepareStatement(source, withVars(world, test))
  const inputs = [...statement.inputs.values()]
  const isKnown = inputs.every(({ shape }) => shape.complete)
  // Binding the names adds the columns that the SQL asks of inputs which are not fully known.
  if (!isKnown) bindNames(statement, readStatement(statement))
  const variables = [...new Set(template.tags.flatMap(tag => (tag.kind === 'var' ? [tag.name] : [])))]
  const known = inputs.map(({ key, shape }) => ({ key, columns: shape.columns, complete: shape.complete }))
  const problems = checkCase(test, { path: asset.path, engine, inputs: known, variables })
  const sql = queryOf(asset, test, withoutEnd(statement.sql, engine), engine)
  if (typeof sql !== 'string') return [...problems, sql]
  if (problems.some(({ code }) => code !== 'unit-test-value')) return problems
  const tables = inputs.map((input): QuestionTable => {
    const table = test.given.find(given => given.input === input.key)?.table
    const columns = unitColumns(input, table)
    return {
      input: input.key,
      columns,
      key: relationKey(input.relation.schema, input.relation.table),
      schemaSql: schemaSql(input),
      sql: unitTableSql(input, columns, table),
    }
  })
  return { statement, tables, sql, isWhole: test.cte === undefined && isKnown, problems }
}

function withVars(world: World, test: UnitCase): World {
  if (test.vars.length === 0) return world
  const vars = new Map(test.vars.map(({ name, value }) => [name, value]))
  return { ...world, varValue: name => (vars.has(name) ? vars.get(name) : world.varValue(name)) }
}

function queryOf(asset: Asset, { cte }: UnitCase, sql: string, engine: Engine): string | Diagnostic {
  if (cte === undefined) return sql
  const names = ctesOf(sql, engine).map(({ name }) => name)
  const unknown = `the SQL of "${asset.name}" has no CTE "${cte.text}"`
  return cteQuery(sql, cte.text, engine) ?? unknownName(asset.path, cte.range, unknown, cte.text, names)
}
