/** A run starts only from files without errors; broken files that it does not select do not stop it. */
import { checkProject, type Diagnostic, lineIndex, type ProjectAnalysis } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** `names` undefined: every file of the project. SvcError `invalid-project` naming the first error. */
export function checkFiles(
  workspace: Workspace,
  analysis: ProjectAnalysis,
  names: readonly string[] | undefined,
): void {
  const errors = fileErrors(workspace, analysis, names)
  const [first] = errors
  if (first === undefined) return
  const files = new Set(errors.map(({ path }) => path)).size
  const more =
    errors.length === 1 ? '' : ` (and ${errors.length - 1} more in ${files} file${files === 1 ? '' : 's'})`
  throw new SvcError('invalid-project', `${first.message}${more}`, {
    hint: 'svc validate shows every error at its place.',
    place: placeIn(workspace, first),
  })
}

/** The errors that stop a run of `names`. */
export function fileErrors(
  workspace: Workspace,
  analysis: ProjectAnalysis,
  names: readonly string[] | undefined,
): Diagnostic[] {
  const { project, sources } = workspace
  const wanted =
    names === undefined ? undefined : new Set(names.flatMap(name => project.byName.get(name)?.path ?? []))
  return [...checkProject(project, analysis, sources)]
    .filter(([path]) => wanted === undefined || wanted.has(path) || !project.assets.has(path))
    .flatMap(([, diagnostics]) => diagnostics.filter(({ severity }) => severity === 'error'))
}

function placeIn({ project }: Workspace, { path, range }: Diagnostic): string {
  const text = project.assets.get(path)?.text
  if (text === undefined) return path
  const { line, column } = lineIndex(text).position(range.start)
  return `${path}:${line}:${column}`
}
