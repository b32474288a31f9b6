/** The generic tests that become something of svc's own; all others are macros of the project. */

import { dbtTests } from './dbt-tests.ts'
import { dbtExpectationsTests } from './dbtexpectations-tests.ts'
import { dbtUtilsTests } from './dbtutils-tests.ts'
import type { GenericTest } from './test-kind.ts'

const all = [...dbtTests, ...dbtUtilsTests, ...dbtExpectationsTests]
const byName = new Map(all.flatMap(test => test.names.map(name => [name, test] as const)))

export function genericTest(name: string): GenericTest | undefined {
  return byName.get(name)
}
