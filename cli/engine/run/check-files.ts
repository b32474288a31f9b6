/**
 * Checks the files before a command: assets with errors fail, and a command that needs all of the selected ones is refused.
 * Errors in other files do not stop it.
 */
import {
  type Asset,
  type Diagnostic,
  type Glossary,
  glossaryPath,
  nodeAt,
  type Project,
  type ProjectAnalysis,
  placeAt,
  type Range,
  settingsPath,
} from '@svc/server/language'
import { type ErrorCode, errorCodes, SvcError } from '../errors.ts'
import type { Breakage } from '../plan/plan.ts'
import { isUnitTestCode } from '../quality/unit-results.ts'
import { problemsWith } from '../workspace/problems.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Failure } from './asset-failure.ts'
import { breachCode } from './check-policies.ts'
import { concernedAssets, hidesPolicies } from './glossary-errors.ts'

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
 * Throws SvcError `invalid-project` (`invalid-settings`, `unit-test-failed`) with the first error that no breaking change
 * explains.
 */
export function checkFiles(workspace: Workspace, analysis: ProjectAnalysis, check: FileCheck): void {
  const found = fileErrors(workspace, analysis, check.names)
  if (found.length === 0) return
  const explained = new Set(check.breaks().map(placeKey))
  const isIgnored = ({ code }: Diagnostic) => check.unitTests === false && isUnitTestCode(code)
  refuseErrors(
    workspace,
    found.filter(error => !explained.has(placeKey(error)) && !isIgnored(error)),
  )
}

/** An asset that fails by errors of files, which are all told. */
export type FileFailure = Failure & { readonly asset: string; readonly errors: readonly Diagnostic[] }

/**
 * Returns the failure of each asset whose file has errors, parents first: a run does the work of all others (decisions 8).
 * Throws SvcError like `checkFiles` for errors that are not those of some assets: nobody knows then what the project is.
 */
export function brokenFiles(
  workspace: Workspace,
  analysis: ProjectAnalysis,
  { names, breaks }: FileCheck,
): FileFailure[] {
  const errors = fileErrors(workspace, analysis, names)
  if (errors.length === 0) return []
  const { project } = workspace
  const errorsOf = new Map<string, Diagnostic[]>()
  const others: Diagnostic[] = []
  for (const error of errors) {
    const assets = assetsOf(project, error).filter(name => project.byName.has(name))
    for (const name of assets) errorsOf.set(name, [...(errorsOf.get(name) ?? []), error])
    if (assets.length === 0) others.push(error)
  }
  refuseErrors(workspace, others)
  const explained = new Set(breaks().map(placeKey))
  const own = names && new Set(names)
  return project.order.flatMap(name => {
    const [first, ...more] = (own?.has(name) ?? true) ? (errorsOf.get(name) ?? []) : []
    if (first === undefined) return []
    const code = fileErrorCode(first, explained.has(placeKey(first)))
    return [{ ...fileFailure(workspace, name, code, first, more.length), errors: [first, ...more] }]
  })
}

function assetsOf(project: Project, error: Diagnostic): readonly string[] {
  if (error.path === glossaryPath) return concernedAssets(project, error) ?? []
  const asset = project.assets.get(error.path)
  return asset === undefined || !isNamed(asset) ? [] : [asset.name]
}

/** Else the asset has the name of its file, and the one that it was would be taken for deleted. */
function isNamed({ tree }: Asset): boolean {
  const name = nodeAt(tree, ['name'])
  return name?.kind === 'scalar' && name.value !== null
}

/** `isBreak`: the error is there because a column that its file reads is not what it was. */
export function fileErrorCode({ code }: Diagnostic, isBreak: boolean): ErrorCode {
  if (isUnitTestCode(code)) return 'unit-test-failed'
  if (code === breachCode) return breachCode
  return isBreak ? 'breaking-change' : 'invalid-project'
}

/** `more`: how many other errors the asset has. */
export function fileFailure(
  workspace: Workspace,
  asset: string,
  code: ErrorCode,
  { message, hint, path, range }: Pick<Diagnostic, 'message' | 'hint' | 'path' | 'range'>,
  more: number,
): Failure & { readonly asset: string } {
  return {
    code,
    message: more === 0 ? message : `${message} (and ${more} more error${more === 1 ? '' : 's'})`,
    hint,
    asset,
    place: placeIn(workspace, path, range),
    ...(code === 'unit-test-failed' ? {} : { problems: more + 1 }),
    exitCode: errorCodes[code],
  }
}

function placeKey({ path, range }: Pick<Diagnostic, 'path' | 'range'>): string {
  return `${path}:${range.start}`
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
    hint: svc => `${svc('test --unit')} shows what differs, row by row.`,
    ...(first && { place: placeIn(workspace, first.path, first.range) }),
  })
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
    .filter(error => selected === undefined || !isOfOthers(project, error, selected))
}

function isOfOthers(project: Project, error: Diagnostic, names: ReadonlySet<string>): boolean {
  if (error.path !== glossaryPath) return false
  return concernedAssets(project, error)?.some(name => names.has(name)) === false
}

/** Returns what to do about errors that stop a command. */
export function fixAdvice(glossary: Glossary, errors: readonly Diagnostic[]): string {
  const isHidden = errors.some(error => error.path === glossaryPath && hidesPolicies(glossary, error))
  if (isHidden)
    return 'Fix glossary.yaml first: as it is, its policies are unknown, so that no asset can run.'
  // All assets depend on the settings, so that no selection helps.
  const isOfSettings = errors.some(({ path }) => path === settingsPath)
  return isOfSettings
    ? 'Fix svc.yaml first: no asset can run before.'
    : 'Fix them, or select assets that do not depend on them.'
}

export function placeIn(workspace: Workspace, path: string, range: Range): string {
  const text = workspace.textOf(path)
  return text === undefined ? path : placeAt(path, text, range.start)
}
