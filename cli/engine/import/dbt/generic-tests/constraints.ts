/** Constraints of models: what they promise is tested. */
import type { PlainMap } from '../asset-draft.ts'
import type { DbtProject } from '../dbt-project.ts'
import type { Part } from '../yaml-part.ts'

export function keyTests(columns: readonly string[]): readonly PlainMap[] {
  const [only = ''] = columns
  const names = columns.length === 1 ? only : columns
  return [{ unique: names }, { not_null: names }]
}

/** Returns the columns that a constraint of a whole model names. */
export function columnsNamedBy(constraint: Part): readonly string[] {
  return (constraint.get('columns')?.items() ?? []).flatMap(each => each.text ?? [])
}

/**
 * Returns the tests of the constraints of a column, or of a whole model, beside those of its key; what has no counterpart is
 * noted.
 */
export function constraintTests(
  { project, asset }: { readonly project: DbtProject; readonly asset: string },
  constraints: readonly Part[],
  column?: string,
): readonly PlainMap[] {
  const tests: PlainMap[] = []
  for (const constraint of constraints) {
    const type = constraint.get('type')?.text
    const expression = constraint.get('expression')?.text
    const columns = column === undefined ? columnsNamedBy(constraint) : [column]
    const [only] = columns
    if (type === 'check' && expression !== undefined) tests.push({ expression })
    else if (only !== undefined && type === 'primary_key') continue
    else if (only !== undefined && (type === 'not_null' || type === 'unique'))
      tests.push({ [type]: columns.length === 1 ? only : columns })
    else {
      constraint.settle()
      const where = column === undefined ? asset : `${asset}.${column}`
      project.notes.add('todo', constraint.site, `the constraint ${type ?? ''} of ${where}`, {
        hint: 'Write it as a test, such as relationships: docs/tests.md.',
        asset,
      })
    }
  }
  return tests
}

/** Whether a schema file asks of a column that none of its values is missing. */
export function isFilled(part: Part, name: string): boolean {
  const column = part
    .get('columns')
    ?.items()
    .find(each => each.get('name')?.text?.toLowerCase() === name.toLowerCase())
  const lists = ['data_tests', 'tests'].flatMap(key => column?.get(key)?.items() ?? [])
  return lists.some(each => each.text === 'not_null')
}
