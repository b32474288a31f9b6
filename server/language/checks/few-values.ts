/** Columns of which a test says that they have a handful of values: an answer about one tells the value itself. */
import type { Engine } from '../engines/engine.ts'
import type { Asset } from '../project/project.ts'
import { testColumns, testKindOf } from '../tests/index.ts'

/** Folded names; undefined: there are none. */
export function testedFewValues({ definition }: Asset, { fold }: Engine): ReadonlySet<string> | undefined {
  const names = definition.tests.flatMap(test =>
    testKindOf(test).listedValues === undefined ? [] : testColumns(test).map(fold),
  )
  return names.length === 0 ? undefined : new Set(names)
}
