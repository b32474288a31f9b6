/** The engines that the conformance suite runs on, with the little that it cannot say in the same words on each. */
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import type { Warehouse } from '../../../cli/engine/warehouse/warehouse.ts'
import { stubWarehouse } from './stub/stub-warehouse.ts'

export interface EngineUnderTest {
  readonly name: string
  /** Of a warehouse in a folder. */
  readonly url: string
  /** Part of `url` that must never be shown. */
  readonly secret?: string
  /** Makes the warehouse of one test, where a folder of its own does not make one. */
  freshUrl?(): Promise<string>
  open(url: string, root: string, project: string): Promise<Warehouse>
  /** An expression that fails when it is evaluated. */
  readonly failingExpression: string
  /** What a text has where NUL was. */
  readonly nul: string
  /** Takes a second or more, and no file or extension. */
  readonly slowSql: string
  /** Statements after which something outside the schema `green` needs what is in it, and those that end it. */
  readonly needed: { readonly begin: readonly string[]; readonly end: readonly string[] }
}

const slowSql =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000) SELECT max(i) AS m FROM n'

const needed = {
  begin: ['CREATE SEQUENCE green.s', "CREATE TABLE other.u (n INTEGER DEFAULT nextval('green.s'))"],
  end: ['DROP TABLE other.u', 'DROP SEQUENCE green.s'],
}

export const duckdbUnderTest: EngineUnderTest = {
  name: 'duckdb',
  url: 'duckdb:./warehouse.duckdb',
  open: (url, root, project) => openWarehouse(url, { root, project }),
  failingExpression: "error('no')",
  nul: '\0',
  slowSql,
  needed,
}

export const stubUnderTest: EngineUnderTest = {
  ...duckdbUnderTest,
  name: 'stub',
  url: 'stub:./warehouse.stub',
  open: stubWarehouse,
}

/** A database of a server that the test has started. */
export function postgresUnderTest(createDatabase?: () => Promise<string>): EngineUnderTest {
  return {
    ...duckdbUnderTest,
    name: 'postgres',
    url: 'postgres://given-by-each-test/none',
    ...(createDatabase && { freshUrl: createDatabase }),
    nul: '\ufffd',
  }
}

export function engineUnderTest(name: string): EngineUnderTest {
  const found = [duckdbUnderTest, stubUnderTest, postgresUnderTest()].find(each => each.name === name)
  if (found === undefined) throw new Error(`no engine "${name}" is under test`)
  return found
}
