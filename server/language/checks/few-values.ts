/** Columns of which a test says that they have a handful of values: an answer about one tells the value itself. */
import type { Engine } from '../engines/engine.ts'
import type { Asset } from '../project/project.ts'

/** Folded names; undefined: there are none. */
export function testedFewValues({ definition }: Asset, { fold }: Engine): ReadonlySet<string> | undefined {
  const names = definition.tests.flatMap(test => (test.kind === 'accepted_values' ? fold(test.column) : []))
  return names.length === 0 ? undefined : new Set(names)
}
