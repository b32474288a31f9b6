/** Shows every error of every file, as `validate` does, when errors in files stop a command (decisions 3). */
import { SvcError } from '../engine/errors.ts'
import { unitResults } from '../engine/quality/unit-results.ts'
import { fixAdvice } from '../engine/run/check-files.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { problemsOf } from '../engine/workspace/problems.ts'
import { renderDiagnostics } from '../render/diagnostics.ts'
import { countOf } from '../render/numbers.ts'
import type { Output } from '../render/output.ts'
import { failedTest } from '../render/run-lines.ts'
import { hasFailed } from '../render/tests.ts'

/**
 * Returns the error to report after the problems were shown. With a selector, the engine's own message is
 * enough.
 */
export async function withAllProblems(
  error: unknown,
  workspace: OpenedWorkspace | undefined,
  values: readonly string[],
  { err }: Output,
): Promise<unknown> {
  if (!(error instanceof SvcError) || workspace === undefined) return error
  if (error.code === 'unit-test-failed' && values.length === 0) await showUnitTests(workspace, err)
  const concernsAll = error.code === 'invalid-project' && values.length === 0
  if (!concernsAll && error.code !== 'invalid-settings') return error
  const all = [...(await problemsOf(workspace)).values()].flat()
  const errors = all.filter(diagnostic => diagnostic.severity === 'error')
  if (errors.length === 0) return error
  err.lines([...renderDiagnostics(errors, path => workspace.textOf(path), err.style), ''])
  const files = new Set(errors.map(diagnostic => diagnostic.path)).size
  return new SvcError(
    error.code,
    `${countOf(errors.length, 'error')} in ${countOf(files, 'file')}; nothing was done`,
    {
      hint: fixAdvice(workspace.project.glossary, errors),
      cause: error,
    },
  )
}

/** Shows failed unit tests row by row, as `svc test --unit` does. */
async function showUnitTests(workspace: OpenedWorkspace, err: Output['err']): Promise<void> {
  const results = unitResults(workspace, await workspace.analysis(), workspace.project.order)
  err.lines([...results.filter(hasFailed).flatMap(result => failedTest(result, err.style)), ''])
}
