/** The SQL of an asset's tests, bound against the asset's output: `expression`, `where` and `sql`. */
import type { Asset, ColumnUse, Diagnostic, SqlTemplate } from '../language/index.ts'
import { resolve } from '../language/lineage/lineage.ts'
import { queryOf, type SqlTree } from '../language/lineage/sql-tree.ts'
import type { Binder } from './binder.ts'
import { privateTables } from './bound.ts'
import { diagnose, type KnownNames } from './diagnose.ts'
import { createAsSql, createSchemaSql, privateRelation, relationSql } from './relations.ts'
import { withoutEnd } from './sql-places.ts'
import { prepareStatement, type Statement, type World } from './statement.ts'
import { conditionsOf } from './test-conditions.ts'
import { usesInFile } from './uses.ts'

export interface TestsBound {
  readonly diagnostics: readonly Diagnostic[]
  readonly uses: () => readonly ColumnUse[]
}

export function hasTestSql(asset: Asset): boolean {
  return (
    asset.testSql.size > 0 ||
    asset.definition.tests.some(test => test.kind === 'expression' || test.where !== undefined)
  )
}

export async function checkTests(
  binder: Binder,
  asset: Asset,
  world: World,
  names: KnownNames,
): Promise<TestsBound> {
  const templates: SqlTemplate[] = [...asset.testSql.values(), ...conditionsOf(asset)]
  const diagnostics: Diagnostic[] = []
  const uses: (() => readonly ColumnUse[])[] = []
  for (const [index, template] of templates.entries()) {
    const reader = `${asset.name} test ${index}`
    const statement = prepareStatement({ asset, template, reader, allowThis: true }, world)
    const sql = withoutEnd(statement.sql)
    const found = await checkOne(binder, asset.name, { statement, sql }, names)
    diagnostics.push(...found.diagnostics)
    uses.push(found.uses)
  }
  return { diagnostics, uses: () => uses.flatMap(each => [...each()]) }
}

async function checkOne(
  binder: Binder,
  asset: string,
  patient: { statement: Statement; sql: string },
  names: KnownNames,
): Promise<TestsBound> {
  const { statement, sql } = patient
  const [json] = await binder.trees([sql])
  const query = queryOf(JSON.parse(json ?? '{}') as SqlTree)
  const target = privateRelation(statement.reader, asset)
  const schema = createSchemaSql(target.schema)
  const tables = query ? privateTables(statement, query) : []
  const isFine =
    query &&
    !(await binder.run([schema, ...tables, createAsSql(target, sql), `DROP TABLE ${relationSql(target)}`]))
  const uses = () => (query ? usesInFile(resolve(query, statement.lookUp).uses, statement) : [])
  if (isFine) return { diagnostics: [], uses }
  const { diagnostics } = await diagnose(binder, asset, patient, names)
  return { diagnostics, uses }
}
