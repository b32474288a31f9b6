/** Asks the engine whether a statement of many unknown names is refused, at the price of a few of them. */
import type { NameProblem } from '../language/sql/binder/model.ts'
import type { Job } from './bind-level.ts'
import type { Binder } from './binder.ts'
import { newEditList } from './edit-list.ts'
import { render } from './rendered.ts'

/** For each unknown name an engine compares all known ones, although it tells of one name only. */
const fewProblems = 60
const asked = 5

/**
 * Returns true if the engine refuses one of the first unknown names while all others are repaired: then it refuses the statement
 * as well. False says nothing.
 */
export async function isRefusedForNames(
  binder: Binder,
  { statement, bound: { problems, repairs } }: Job,
): Promise<boolean> {
  if (problems.length <= fewProblems) return false
  const edits = newEditList()
  for (const edit of [...repairs, ...problems.slice(asked).flatMap(({ repair }) => repair)]) edits.add(edit)
  const rendered = render(statement, edits.all)
  const result = await binder.bind(rendered.sql)
  if ('columns' in result || result.error.position === undefined) return false
  const at = rendered.toTemplate(result.error.position)
  return problems.slice(0, asked).some(problem => isAbout(problem, at))
}

function isAbout({ span }: NameProblem, at: number): boolean {
  return span.start <= at && at <= span.end
}
