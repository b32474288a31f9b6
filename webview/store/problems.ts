/** Problems of the project's files, counted and grouped. Pure. */
import { grouped } from '../graph/grouped.ts'
import type { ProblemCounts } from '../graph/model.ts'
import type { ProjectProblems } from '../protocol.ts'

export type Problem = ProjectProblems['problems'][number]

export function problemCounts(problems: readonly Problem[]): ReadonlyMap<string, ProblemCounts> {
  const counts = [...grouped(problems, problem => problem.path)].map(([path, own]) => {
    const errors = own.filter(({ severity }) => severity === 'error').length
    return [path, { errors, warnings: own.length - errors }] as const
  })
  return new Map(counts)
}

export function totalOf(
  counts: ReadonlyMap<string, ProblemCounts>,
): ProblemCounts & { readonly files: number } {
  const all = [...counts.values()]
  return {
    errors: all.reduce((sum, { errors }) => sum + errors, 0),
    warnings: all.reduce((sum, { warnings }) => sum + warnings, 0),
    files: all.filter(({ errors }) => errors > 0).length,
  }
}

/** Returns the problems of each file, files with errors first. */
export function byFile(problems: readonly Problem[]): readonly (readonly [path: string, Problem[]])[] {
  const files = grouped(problems, problem => problem.path)
  const rank = (list: readonly Problem[]) => (list.some(({ severity }) => severity === 'error') ? 0 : 1)
  return [...files].sort((a, b) => rank(a[1]) - rank(b[1]) || (a[0] < b[0] ? -1 : 1))
}
