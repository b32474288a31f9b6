/** The names of sources and of their tables may be templates: SQL asks for what they become. */
import { JinjaProblem } from '../jinja/problem.ts'
import type { DbtProject } from './dbt-project.ts'
import type { DbtSource } from './project-index.ts'
import { renderedText } from './unroll.ts'

/** A source whose name only dbt could tell is left out and noted: nothing could ask for it. */
export function namedSources(project: DbtProject, sources: readonly DbtSource[]): readonly DbtSource[] {
  return sources.flatMap(each => {
    const { of, part, sourcePart } = each
    try {
      const source = renderedText(project, of, each.source, sourcePart.site).trim()
      return [{ ...each, source, table: renderedText(project, of, each.table, part.site).trim() }]
    } catch (error) {
      if (!(error instanceof JinjaProblem)) throw error
      project.notes.problem(
        error,
        `the source ${each.source}.${each.table} did not come over`,
        'Write its name out.',
      )
      part.settle()
      return []
    }
  })
}
