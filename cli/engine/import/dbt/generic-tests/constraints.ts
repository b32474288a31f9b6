/** Constraints of models: what they promise is tested. */
import type { PlainMap } from '../asset-draft.ts'
import type { DbtProject } from '../dbt-project.ts'
import type { Part } from '../yaml-part.ts'

export function keyTests(columns: readonly string[]): readonly PlainMap[] {
  const [only = ''] = columns
  const names = columns.length === 1 ? only : columns
  return [{ unique: names }, { not_null: names }]
}

/** Returns the tests of a column's constraints; what has no counterpart is noted. */
export function constraintTests(
  { project, asset }: { readonly project: DbtProject; readonly asset: string },
  constraints: readonly Part[],
  column: string,
  isKey: boolean,
): readonly PlainMap[] {
  const tests: PlainMap[] = isKey ? [...keyTests([column])] : []
  for (const constraint of constraints) {
    const type = constraint.get('type')?.text
    const expression = constraint.get('expression')?.text
    if (type === 'primary_key') continue
    if (type === 'not_null' || type === 'unique') tests.push({ [type]: column })
    else if (type === 'check' && expression !== undefined) tests.push({ expression })
    else {
      project.notes.add('todo', constraint.site, `the constraint ${type ?? ''} of ${asset}.${column}`, {
        hint: 'Write it as a test, such as relationships: docs/tests.md.',
        asset,
      })
    }
  }
  return tests
}
