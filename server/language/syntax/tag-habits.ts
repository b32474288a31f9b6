/** What template tags of dbt mean here. */
import { habits } from '../engines/habits/index.ts'

/** Returns the advice for a tag that is written as in dbt; undefined for any other. */
export function tagHint(name: string): string | undefined {
  const bare = /^dbt(?:_\w+)?\./.test(name) ? 'dbt_utils' : name.toLowerCase()
  const habit = habits.find(({ find }) => find.kind === 'tag' && find.name === bare)
  return Object.values(habit?.on ?? {})[0]?.hint
}
