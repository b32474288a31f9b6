/** The words that a project uses: its tags and its owners. Counted on demand, once per snapshot. */
import { oncePer } from '../once.ts'
import type { Project } from '../project/project.ts'

/** Returns words with the number of assets that have them, most common first. */
export const projectWords = oncePer((project: Project) => {
  const tags = new Map<string, number>()
  const owners = new Map<string, number>()
  const add = (counts: Map<string, number>, word: string): void =>
    void counts.set(word, (counts.get(word) ?? 0) + 1)
  for (const { definition } of project.byName.values()) {
    for (const tag of definition.tags) add(tags, tag)
    if (definition.owner !== undefined) add(owners, definition.owner)
  }
  const sorted = (counts: Map<string, number>) =>
    [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return { tags: sorted(tags), owners: sorted(owners) }
})
