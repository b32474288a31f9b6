/**
 * Judges files by the columns that their sources have now. `schemas.lock.json` knows those of the last promotion, and a run that
 * believed it could never take in a source that has changed since (decisions 8, "What a failed run leaves").
 */
import {
  type Diagnostic,
  declaredTables,
  type ProjectAnalysis,
  type RawTable,
  type SourceShapes,
} from '@svc/server/language'
import { errorCodes } from '../errors.ts'
import type { FetchedSource } from '../ingest/source.ts'
import { brokenReaders } from '../plan/column-changes.ts'
import { tablesOfLoad } from '../plan/last-load.ts'
import { tellUnitTests, unitResults, waitingResults } from '../quality/unit-results.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { fileErrorCode, fileErrors, fileFailure } from './check-files.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { Run } from './run.ts'
import { failAsset, type RunProgress } from './run-progress.ts'
import { sourcesToFetch } from './standing-loads.ts'
import { tellFileWarnings } from './tell-file-warnings.ts'

/**
 * Returns the analysis without the columns that only the lock knows of `names`, which are to be fetched; undefined if there are
 * none. Errors that it still has are those of the files: what a contract declares holds whatever comes.
 */
export async function withoutLockedColumns(
  workspace: Workspace,
  names: readonly string[],
): Promise<ProjectAnalysis | undefined> {
  const locked = names.filter(name => workspace.lockedSources.has(name))
  if (locked.length === 0) return undefined
  const { project } = workspace
  const declared = (name: string): readonly RawTable[] | undefined => {
    const asset = project.byName.get(name)
    return asset && declaredTables(asset, project.engine)
  }
  return workspace.reshape(new Map(locked.map(name => [name, declared(name)])))
}

/**
 * Marks the assets as failed whose SQL does not fit what was fetched, before anything is built. Returns the run with the columns
 * of its sources as they are now.
 */
export async function judgeFetched(
  run: Run,
  prepared: PreparedRun,
  fetched: ReadonlyMap<string, FetchedSource>,
): Promise<PreparedRun> {
  const { workspace } = run
  const shapes: ReadonlyMap<string, readonly RawTable[]> = new Map([
    ...unknownStanding(workspace, prepared),
    ...[...fetched].map(([name, { tables }]) => [name, tables.map(({ shape }) => shape)] as const),
  ])
  const isAsKnown = [...shapes].every(([name, tables]) => hasColumns(workspace.sources, name, tables))
  const open = new Set(sourcesToFetch(prepared).filter(name => !fetched.has(name)))
  if (isAsKnown && !prepared.unlocked) {
    tellFileWarnings(run, prepared, prepared.analysis, open)
    return prepared
  }
  const known = workspace.lockedSources
  const analysis = await workspace.reshape(shapes)
  tellFileWarnings(run, prepared, analysis, open)
  tellWaited(run, prepared, analysis)
  const errors = fileErrors(workspace, analysis, prepared.names)
  if (errors.length > 0) failAll(errors, run, { ...prepared, analysis }, known)
  return { ...prepared, analysis }
}

/** Returns the columns of loads that are taken as they are, where no lock knows them: that of a run that failed. */
function unknownStanding(
  { sources }: Workspace,
  { standing, state }: PreparedRun,
): readonly (readonly [string, readonly RawTable[]])[] {
  return [...standing].flatMap(([name, key]) => {
    const load = state.builds.get(key)
    const isKnown = sources.get(name)?.every(({ complete }) => complete) === true
    return load === undefined || isKnown ? [] : [[name, tablesOfLoad(load)] as const]
  })
}

/** Tells the results of unit tests that waited for their source. */
function tellWaited(
  { workspace, emit }: Run,
  { analysis: before, names }: PreparedRun,
  now: ProjectAnalysis,
): void {
  const waited = new Set(waitingResults(workspace, before, names).map(testKey))
  tellUnitTests(
    unitResults(workspace, now, names).filter(result => waited.has(testKey(result))),
    emit,
  )
}

function testKey({ asset, name }: { readonly asset: string; readonly name: string }): string {
  return `${asset}\n${name}`
}

/** Marks the assets as failed whose unit tests still wait, because nothing told the columns of their source. */
export function failWaiting(run: Run, { names, analysis }: PreparedRun): void {
  const { workspace, progress, emit } = run
  const waiting = waitingResults(workspace, analysis, names).filter(
    ({ asset }) => !progress.assets.has(asset),
  )
  tellUnitTests(waiting, emit)
  for (const { asset, message, place, severity } of waiting) {
    if (severity !== 'error' || progress.assets.has(asset)) continue
    failAsset(run, names, {
      code: 'unit-test-failed',
      message: message ?? 'a unit test fails',
      hint: 'The columns of its source are not known: name their types in contract.columns.',
      asset,
      place,
      exitCode: errorCodes['unit-test-failed'],
    })
  }
}

/** Where a source was known before, the files were right then, and its columns are what has changed. */
function failAll(
  errors: readonly Diagnostic[],
  run: Run,
  { names, analysis, state }: PreparedRun,
  known: ReadonlySet<string>,
): void {
  const { workspace, progress } = run
  const { project } = workspace
  const breaks = brokenReaders(project, analysis, state, names)
  const failed = new Set<string>()
  for (const error of errors) {
    const asset = project.assets.get(error.path)?.name
    if (asset === undefined || hasFailed(progress, asset, failed)) continue
    const broken = breaks.find(({ path, range }) => path === error.path && range.start === error.range.start)
    const code = fileErrorCode(error, broken !== undefined || known.has(asset))
    const said = broken === undefined ? error : { ...error, hint: changedHint(broken.column) }
    progress.problems.push(error)
    if (failed.has(asset)) continue
    failed.add(asset)
    const more = errors.filter(({ path }) => path === error.path).length - 1
    failAsset(run, names, fileFailure(workspace, asset, code, said, more))
  }
}

/** What failed before this judgement has said so; what was skipped says its own errors too. */
function hasFailed({ assets }: RunProgress, asset: string, failed: ReadonlySet<string>): boolean {
  return assets.get(asset)?.status === 'failed' && !failed.has(asset)
}

function changedHint(column: string): string {
  return `Column "${column}" is not what it was at the last promotion; change this file to what the source delivers now.`
}

/** Compares names and types; whether values may be absent and where they came from changes no SQL. */
function hasColumns(sources: SourceShapes, name: string, tables: readonly RawTable[]): boolean {
  const known = sources.get(name)
  return known?.every(({ complete }) => complete) === true && columnsOf(known) === columnsOf(tables)
}

function columnsOf(tables: readonly RawTable[]): string {
  return JSON.stringify(
    tables.map(({ child, columns }) => [child, columns.map(({ name, type }) => [name, type])]),
  )
}
