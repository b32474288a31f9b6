/** Problems of the project's files, counted and grouped. Pure. */
import type { ProblemCounts } from '../graph/model.ts'
import type { ProjectProblems } from '../protocol.ts'

export type Problem = ProjectProblems['problems'][number]

export function problemCounts(problems: readonly Problem[]): ReadonlyMap<string, ProblemCounts> {
  const counts = new Map<string, ProblemCounts>()
  for (const { path, severity } of problems) {
    const { errors, warnings } = counts.get(path) ?? { errors: 0, warnings: 0 }
    const isError = severity === 'error'
    counts.set(path, { errors: errors + (isError ? 1 : 0), warnings: warnings + (isError ? 0 : 1) })
  }
  return counts
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
  const files = new Map<string, Problem[]>()
  for (const problem of problems) files.set(problem.path, [...(files.get(problem.path) ?? []), problem])
  const rank = (list: readonly Problem[]) => (list.some(({ severity }) => severity === 'error') ? 0 : 1)
  return [...files].sort((a, b) => rank(a[1]) - rank(b[1]) || (a[0] < b[0] ? -1 : 1))
}
