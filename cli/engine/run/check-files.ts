/**
 * Checks the files before a run: the selected files must be free of errors; errors in other files do not stop
 * it.
 */
import {
  type Diagnostic,
  type Glossary,
  glossaryPath,
  lineIndex,
  type ProjectAnalysis,
  type Range,
  settingsPath,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { Breakage } from '../plan/plan.ts'
import { isUnitTestCode } from '../quality/unit-results.ts'
import { problemsWith } from '../workspace/problems.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Failure } from './asset-failure.ts'
import { concernsAssets, hidesPolicies } from './glossary-errors.ts'

export interface FileCheck {
  /** Undefined means every file of the project. */
  readonly names: readonly string[] | undefined
  /**
   * Returns the errors that a plan explains itself: readers of a column that goes away or changes its type.
   * Called only if a file has errors, because these are among them.
   */
  readonly breaks: () => readonly Breakage[]
  /** False if the caller handles unit tests. By default a failed unit test is an error like any other. */
  readonly unitTests?: boolean
}

/**
 * Returns the breaking changes that explain errors. Throws SvcError `invalid-project` (`invalid-settings`,
 * `unit-test-failed`) with the first error that they do not explain.
 */
export function checkFiles(
  workspace: Workspace,
  analysis: ProjectAnalysis,
  check: FileCheck,
): readonly Breakage[] {
  const found = fileErrors(workspace, analysis, check.names)
  if (found.length === 0) return []
  const breaks = check.breaks()
  const explained = new Set(breaks.map(({ path, range }) => `${path}:${range.start}`))
  const errors = found.filter(
    ({ code, path, range }) =>
      !explained.has(`${path}:${range.start}`) && !(check.unitTests === false && isUnitTestCode(code)),
  )
  refuseErrors(workspace, errors)
  return breaks
}

/**
 * Returns the first error of each broken file as the failure of its asset, for a run that promotes what passed. Throws SvcError
 * like `checkFiles` for errors that are not those of one asset: nobody knows then what the project is.
 */
export function brokenFiles(
  workspace: Workspace,
  analysis: ProjectAnalysis,
  { names, breaks }: FileCheck,
): (Failure & { readonly asset: string })[] {
  const errors = fileErrors(workspace, analysis, names)
  if (errors.length === 0) return []
  const { assets, byName } = workspace.project
  const assetOf = ({ path }: Diagnostic) => assets.get(path)?.name ?? ''
  refuseErrors(
    workspace,
    errors.filter(error => !byName.has(assetOf(error))),
  )
  const explained = new Set(breaks().map(({ path, range }) => `${path}:${range.start}`))
  const first = new Map(errors.toReversed().map(error => [assetOf(error), error]))
  return [...first].map(([asset, { code, message, hint, path, range }]) => {
    const isBreak = explained.has(`${path}:${range.start}`)
    const failed = isUnitTestCode(code) ? 'unit-test-failed' : isBreak ? 'breaking-change' : 'invalid-project'
    const place = placeIn(workspace, path, range)
    return { code: failed, message, ...(hint === undefined ? {} : { hint }), asset, place, exitCode: 1 }
  })
}

function refuseErrors(workspace: Workspace, errors: readonly Diagnostic[]): void {
  const [first] = errors
  if (first === undefined) return
  if (errors.every(({ code }) => isUnitTestCode(code))) throw unitTestsFail(workspace, errors)
  const files = new Set(errors.map(({ path }) => path)).size
  const others = `${errors.length - 1} more in ${files} file${files === 1 ? '' : 's'}`
  throw new SvcError(
    first.path === settingsPath ? 'invalid-settings' : 'invalid-project',
    errors.length === 1 ? first.message : `${first.message} (and ${others})`,
    {
      hint: errors.some(({ path }) => path === glossaryPath)
        ? fixAdvice(workspace.project.glossary, errors)
        : 'svc validate shows every error at its place.',
      place: placeIn(workspace, first.path, first.range),
    },
  )
}

/** Nothing is fetched or built before unit tests pass, because they test the SQL itself. */
function unitTestsFail(workspace: Workspace, [first, ...others]: readonly Diagnostic[]): SvcError {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return new SvcError('unit-test-failed', `${first?.message ?? ''}${more}`, {
    hint: 'svc test --unit shows what differs, row by row.',
    ...(first && { place: placeIn(workspace, first.path, first.range) }),
  })
}

/** Throws SvcError `breaking-change` for what a plan shows and a run refuses. */
export function refuseBreaks(workspace: Workspace, breaks: readonly Breakage[]): void {
  const [first] = breaks
  if (first === undefined) return
  const others = breaks.length === 1 ? '' : ` (and ${breaks.length - 1} more places)`
  throw new SvcError(
    'breaking-change',
    `"${first.asset}" reads column "${first.column}", which goes away or changes its type${others}`,
    {
      hint: 'Change its readers too; svc plan shows each of them.',
      asset: first.asset,
      place: placeIn(workspace, first.path, first.range),
    },
  )
}

/** Returns the errors in the files of `names` (undefined: all files) and in the settings. */
export function fileErrors(
  workspace: Workspace,
  analysis: ProjectAnalysis,
  names: readonly string[] | undefined,
): Diagnostic[] {
  const { project } = workspace
  const selected = names && new Set(names)
  const wanted = names && new Set(names.flatMap(name => project.byName.get(name)?.path ?? []))
  return [...problemsWith(workspace, analysis)]
    .filter(([path]) => wanted === undefined || wanted.has(path) || !project.assets.has(path))
    .flatMap(([, diagnostics]) => diagnostics.filter(({ severity }) => severity === 'error'))
    .filter(error => selected === undefined || !isOfOthers(project.glossary, error, selected))
}

function isOfOthers(glossary: Glossary, error: Diagnostic, names: ReadonlySet<string>): boolean {
  return error.path === glossaryPath && !concernsAssets(glossary, error, names)
}

/** Returns what to do about errors that stop a command. */
export function fixAdvice(glossary: Glossary, errors: readonly Diagnostic[]): string {
  const isHidden = errors.some(error => error.path === glossaryPath && hidesPolicies(glossary, error))
  return isHidden
    ? 'Fix glossary.yaml first: as it is, its policies are unknown, so that no asset can run.'
    : 'Fix them, or select assets that do not depend on them.'
}

export function placeIn(workspace: Workspace, path: string, range: Range): string {
  const text = workspace.textOf(path)
  if (text === undefined) return path
  const { line, column } = lineIndex(text).position(range.start)
  return `${path}:${line}:${column}`
}
