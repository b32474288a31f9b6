/**
 * Limits the number of diagnostics per file: a file with a hundred thousand mistakes has one cause, and
 * nobody reads the rest.
 */
import type { Diagnostic } from '../text/diagnostic.ts'
import { mostProblems } from '../text/most-problems.ts'

const severities = ['error', 'warning', 'information', 'hint'] as const

/**
 * Returns the first diagnostics in order of place. The last one tells how many are left out and has the
 * severity of the worst of them.
 */
export function firstProblems(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length <= mostProblems) return diagnostics
  const shown = diagnostics.slice(0, mostProblems - 1)
  const rest = diagnostics.slice(mostProblems - 1)
  const [first] = rest
  if (first === undefined) return shown
  const severity = severities.find(each => rest.some(diagnostic => diagnostic.severity === each)) ?? 'error'
  return [
    ...shown,
    {
      code: 'too-many-problems',
      severity,
      path: first.path,
      range: first.range,
      message: `from here on the file has ${rest.length.toLocaleString('en-US')} more problems`,
      hint: 'They are shown when those above are fixed.',
    },
  ]
}
