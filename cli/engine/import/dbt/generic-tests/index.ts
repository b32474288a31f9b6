/** The generic tests that become something of svc's own; all others are macros of the project. */

import { dbtTests } from './dbt-tests.ts'
import { dbtExpectationsExpressions, dbtExpectationsTests } from './dbtexpectations-tests.ts'
import { dbtUtilsTests } from './dbtutils-tests.ts'
import type { GenericTest, GenericTests } from './test-kind.ts'

const byName: ReadonlyMap<string, GenericTest> = new Map([
  ...named('', dbtTests),
  ...named('dbt_utils.', dbtUtilsTests),
  ...named('dbt_expectations.expect_', dbtExpectationsTests),
  ...named('dbt_expectations.', dbtExpectationsExpressions),
])

function named(prefix: string, tests: GenericTests): readonly (readonly [string, GenericTest])[] {
  return Object.entries(tests).map(([name, test]) => [prefix + name, test])
}

export function genericTest(name: string): GenericTest | undefined {
  return byName.get(name)
}
