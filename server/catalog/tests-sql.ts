/** The SQL of an asset's tests, bound against the asset's output: `expression`, `where` and `sql`. */
import type { Asset, ColumnUse, Diagnostic, SqlTemplate } from '../language/index.ts'
import { resolve } from '../language/lineage/lineage.ts'
import type { SqlTree } from '../language/lineage/sql-tree.ts'
import { type Bench, selectOf } from './bind-level.ts'
import { privateTables } from './bound.ts'
import { diagnose } from './diagnose.ts'
import { withoutEnd } from './sql-places.ts'
import { prepareStatement, type Statement } from './statement.ts'
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

export async function checkTests(bench: Bench, asset: Asset): Promise<TestsBound> {
  const templates: SqlTemplate[] = [...asset.testSql.values(), ...conditionsOf(asset)]
  const diagnostics: Diagnostic[] = []
  const uses: (() => readonly ColumnUse[])[] = []
  for (const [index, template] of templates.entries()) {
    const reader = `${asset.name} test ${index}`
    const statement = prepareStatement({ asset, template, reader, allowThis: true }, bench.world)
    const sql = withoutEnd(statement.sql)
    const found = await checkOne(bench, asset.name, { statement, sql })
    diagnostics.push(...found.diagnostics)
    uses.push(found.uses)
  }
  return { diagnostics, uses: () => uses.flatMap(each => [...each()]) }
}

async function checkOne(
  { binder, tables, names }: Bench,
  asset: string,
  patient: { statement: Statement; sql: string },
): Promise<TestsBound> {
  const { statement, sql } = patient
  const [json] = await binder.trees([sql])
  const query = selectOf(JSON.parse(json ?? '{}') as SqlTree)
  await tables.ensure([...statement.inputs.values()].map(input => input.relation))
  await binder.run(query ? privateTables(statement, query) : [])
  const result = query && (await binder.bind(sql))
  const uses = () => (query ? usesInFile(resolve(query, statement.lookUp).uses, statement) : [])
  if (result && 'columns' in result) return { diagnostics: [], uses }
  const { diagnostics } = await diagnose(binder, asset, patient, names)
  return { diagnostics, uses }
}
