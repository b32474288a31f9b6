/** Tells what the files ask for that the run does not do, as soon as the columns are known that it is judged by. */
import type { Warning } from '@svc/server/contract'
import type { Project, ProjectAnalysis } from '@svc/server/language'
import { fileWarnings } from '../workspace/file-warnings.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'

/**
 * @param open the sources that are still to be fetched: what is said of their assets, and of those that read them, may be
 *   otherwise then
 */
export function tellFileWarnings(
  { workspace, progress, emit }: Run,
  { names }: Pick<PreparedRun, 'names'>,
  analysis: ProjectAnalysis,
  open: ReadonlySet<string>,
): void {
  const waiting = withReaders(workspace.project, names, open)
  const told = new Set(progress.warnings.map(keyOf))
  for (const warning of fileWarnings(workspace, analysis, names)) {
    if (told.has(keyOf(warning)) || (warning.asset !== null && waiting.has(warning.asset))) continue
    emit({ type: 'warning', ...warning })
  }
}

function keyOf({ code, asset, place, message }: Warning): string {
  return JSON.stringify([code, asset, place, message])
}

/** @param names parents first */
function withReaders(
  project: Project,
  names: readonly string[],
  sources: ReadonlySet<string>,
): ReadonlySet<string> {
  const reached = new Set(sources)
  for (const name of names) if (project.parents(name).some(parent => reached.has(parent))) reached.add(name)
  return reached
}
