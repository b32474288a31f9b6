/**
 * Changes `glossary.yaml`, and with it the files of assets that name its terms: checked as a whole before
 * anything is written.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Diagnostic, type Glossary, glossaryPath, type Project, placeAt } from '@svc/server/language'
import { projectProblems } from '@svc/server/workspace'
import { writeGlossary, writeGlossaryCache } from '../artifacts/glossary-file.ts'
import { SvcError } from '../errors.ts'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { problemsOf } from '../workspace/problems.ts'

/** New texts by path. */
export type NewTexts = ReadonlyMap<string, string>

export interface CheckedChange {
  readonly texts: NewTexts
  readonly project: Project
  /** What is wrong from now on and no error of the glossary: patterns that fit nothing, breaches of policies. */
  readonly warnings: readonly string[]
}

/** Refuses to write into a file that cannot be parsed completely. */
export function refuseBroken({ diagnostics, file }: Glossary): void {
  const problem = diagnostics.find(isError)
  if (problem === undefined) return
  throw new SvcError('invalid-glossary', `${glossaryPath}: ${problem.message}`, {
    place: placeAt(glossaryPath, file?.text ?? '', problem.range.start),
    hint: 'svc validate shows every mistake at its place.',
  })
}

/** The codes of breaches: what a new policy forbids is not a mistake of the glossary. */
const breachCodes: ReadonlySet<string> = new Set(['policy-breach', 'publish-personal'])

/**
 * Checks the project as it would be. `looksAtAssets` is false for entries that name no assets: then the file
 * alone is checked. Throws SvcError `invalid-glossary`.
 */
export async function checkChange(
  workspace: OpenedWorkspace,
  texts: NewTexts,
  looksAtAssets: boolean,
): Promise<CheckedChange> {
  const { patchedProject } = await import('../ai/patch/check-project.ts')
  const project = patchedProject(workspace.project, texts)
  refuse(project.glossary.diagnostics.filter(isError))
  if (!looksAtAssets) return { texts, project, warnings: [] }
  const before = [...(await problemsOf(workspace)).values()].flat()
  const analysis = await analysisOf(workspace, project)
  const { sources, sourceDiagnostics } = workspace
  const after = [...projectProblems({ project, analysis, sources, sourceDiagnostics }).values()].flat()
  const added = newProblems(before, after)
  refuse(added.filter(each => isError(each) && !breachCodes.has(each.code)))
  const shown = added.filter(({ path, code }) => breachCodes.has(code) || path === glossaryPath)
  return { texts, project, warnings: shown.map(problem => toldProblem(project, problem)) }
}

/** Of the metrics as they would be; queries of assets do not change. */
async function analysisOf({ catalog, sources, signal, project }: OpenedWorkspace, changed: Project) {
  try {
    return await catalog.analyze(changed, sources, { signal, unitTests: 'none' })
  } finally {
    // What the catalogue remembers for the next command is that of the files as they are.
    await catalog.analyze(project, sources, { unitTests: 'none' })
  }
}

/** Writes all files or none. Throws SvcError `file-failed`, `invalid-glossary` (changed meanwhile). */
export async function writeChange(
  workspace: OpenedWorkspace,
  { texts, project }: CheckedChange,
): Promise<void> {
  const { root, world } = workspace
  const changed = [...texts].filter(([path, text]) => workspace.textOf(path) !== text)
  for (const [path] of changed) refuseMeanwhile(workspace, path)
  const [first] = changed
  if (changed.length === 1 && first?.[0] === glossaryPath) {
    writeGlossary(root, first[1], project, world.pid)
    return
  }
  if (changed.length === 0) return
  const [{ applyPatch }, { sha256Of }] = await Promise.all([
    import('../ai/patch/apply-patch.ts'),
    import('../ai/patch/check-patch.ts'),
  ])
  const files = changed.map(([path, after]) => {
    const before = textOf(workspace, path)
    return {
      path,
      before,
      after,
      beforeHash: before === undefined ? null : sha256Of(before),
      afterHash: sha256Of(after),
    }
  })
  applyPatch(workspace, { files, refusals: [], weakened: [] }, { agreed: true })
  writeGlossaryCache(root, project.glossary, project, world.pid)
}

function textOf(workspace: OpenedWorkspace, path: string): string | undefined {
  return path === glossaryPath ? workspace.project.glossary.file?.text : workspace.textOf(path)
}

/** An editor may have saved the file since it was read. */
function refuseMeanwhile(workspace: OpenedWorkspace, path: string): void {
  let now: string | undefined
  try {
    now = readFileSync(join(workspace.root, path), 'utf8')
  } catch {
    now = undefined
  }
  if (now === textOf(workspace, path)) return
  throw new SvcError('invalid-glossary', `${path} has changed while it was being edited`, {
    hint: 'Nothing was written; run the command again.',
  })
}

function refuse(problems: readonly Diagnostic[]): void {
  const [first, ...rest] = problems
  if (first === undefined) return
  const more = rest.length === 0 ? '' : ` (and ${rest.length} more)`
  throw new SvcError('invalid-glossary', `${first.path} would have a mistake: ${first.message}${more}`, {
    hint: `Nothing was written. ${first.hint ?? `svc explain ${first.code} shows an example.`}`,
  })
}

/** A problem that moved to another line is no new one. */
function newProblems(before: readonly Diagnostic[], after: readonly Diagnostic[]): readonly Diagnostic[] {
  const known = new Map<string, number>()
  const key = ({ path, code, message }: Diagnostic) => `${path}\n${code}\n${message}`
  for (const each of before) known.set(key(each), (known.get(key(each)) ?? 0) + 1)
  return after.filter(each => {
    const left = known.get(key(each)) ?? 0
    known.set(key(each), left - 1)
    return left <= 0
  })
}

function toldProblem(project: Project, { path, range, message, hint }: Diagnostic): string {
  const text = path === glossaryPath ? project.glossary.file?.text : project.assets.get(path)?.text
  return `${placeAt(path, text ?? '', range.start)}: ${message}${hint === undefined ? '' : ` (${hint})`}`
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}
