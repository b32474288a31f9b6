/** Columns of which a test says that they have a handful of values: an answer about one tells the value itself. */
import { onlyEngine } from '../engines/only-engine.ts'
import type { Asset } from '../project/project.ts'

/** Folded names; undefined: there are none. */
export function testedFewValues({ definition }: Asset): ReadonlySet<string> | undefined {
  const names = definition.tests.flatMap(test =>
    test.kind === 'accepted_values' ? onlyEngine.binding.fold(test.column) : [],
  )
  return names.length === 0 ? undefined : new Set(names)
}
