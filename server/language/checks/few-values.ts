/**
 * Finds columns that, according to a test, have only a handful of values: a yes-or-no answer about one
 * reveals the value.
 */
import type { Engine } from '../engines/engine.ts'
import type { Asset } from '../project/project.ts'
import { testColumns, testKindOf } from '../tests/index.ts'

/** Returns folded names; undefined if there are none. */
export function testedFewValues({ definition }: Asset, { fold }: Engine): ReadonlySet<string> | undefined {
  const names = definition.tests.flatMap(test =>
    testKindOf(test).listedValues === undefined ? [] : testColumns(test).map(fold),
  )
  return names.length === 0 ? undefined : new Set(names)
}
