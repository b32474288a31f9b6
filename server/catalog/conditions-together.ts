/**
 * Binds many conditions over one wide asset by one statement: an engine takes all columns of a relation for each query that reads
 * it, so that a test of each of thousands of columns would cost the square of them. Where one condition does not bind, the
 * statement does not, and each is bound by itself, as those of narrow assets are.
 */
import type { BindContext, Job } from './bind-level.ts'
import { privateTables } from './bound.ts'
import { conditionIn } from './test-conditions.ts'

/** Below it a query for each costs less than one that may fail. */
const fewColumns = 100
/** Characters of conditions in one statement. */
const mostText = 200_000

/** Returns the jobs that are known to bind. */
export async function boundTogether(
  { binder, tables }: BindContext,
  jobs: readonly Job[],
): Promise<ReadonlySet<Job>> {
  const good = new Set<Job>()
  for (const { relation, members } of groupsOf(jobs)) {
    await tables.ensure([...(members[0]?.job.statement.inputs.values() ?? [])].map(input => input.relation))
    const counts = members.map(({ condition }) => `count(*) FILTER (WHERE (${condition}))`)
    const result = await binder.bind(`SELECT ${counts.join(', ')} FROM ${relation}`)
    if ('columns' in result) for (const { job } of members) good.add(job)
  }
  return good
}

interface Group {
  readonly relation: string
  readonly members: { readonly job: Job; readonly condition: string }[]
}

function groupsOf(jobs: readonly Job[]): Group[] {
  const groups = new Map<string, Group & { text: number }>()
  for (const job of jobs) {
    const found = isSimple(job) ? conditionIn(job.statement.template, job.rendered.sql) : undefined
    if (found === undefined) continue
    const { relation, condition } = found
    const group = groups.get(relation) ?? { relation, members: [], text: 0 }
    groups.set(relation, group)
    if (group.text + condition.length > mostText) continue
    group.text += condition.length
    group.members.push({ job, condition })
  }
  return [...groups.values()].filter(({ members }) => members.length > 1)
}

/** It reads its wide asset alone, whose table stands for all statements. */
function isSimple({ statement, isSelect, bound, outside }: Job): boolean {
  const [input, ...others] = statement.inputs.values()
  return (
    isSelect &&
    bound.problems.length === 0 &&
    outside.length === 0 &&
    input !== undefined &&
    others.length === 0 &&
    privateTables(statement).length === 0 &&
    input.shape.columns.length > fewColumns
  )
}
