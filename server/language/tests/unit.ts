import type { UnitTest } from '../schema/definition.ts'
import type { Values } from '../schema/read-value.ts'
import { unitShape } from '../schema/unit-schema.ts'
import { placeholder } from '../text/snippet.ts'
import type { TestKind } from './test-kind.ts'

/** The kind `unit`; `server/language/unit` implements it. */
export const unit: TestKind<UnitTest> = {
  key: {
    name: 'unit',
    doc: 'The SQL gives the expected rows for given rows; runs in memory, without the warehouse.',
    shape: unitShape,
  },
  failsFor: 'other rows than expected from rows that are given ([unit tests](unit-tests.md))',
  snippet: `:\n  given:\n    ${placeholder(1, 'input')}:\n      - {$2}\n  expect:\n    - {$3}$0`,
  read: value => [value as Values as unknown as Omit<UnitTest, 'kind'>],
  names: key => (key === 'cte' ? 'CTE' : undefined),
}
