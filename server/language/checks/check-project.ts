/**
 * Collects all problems of a project's files from the parser, the checks and the catalogue. Findings that
 * depend on one file are cached with the file, the others as long as their inputs stay the same
 * (`check-state`).
 */

import type { ProjectAnalysis } from '../analysis.ts'
import type { Engine } from '../engines/engine.ts'
import { glossaryPath } from '../glossary/glossary.ts'
import { asWritten } from '../macros/expand-asset.ts'
import { ownTestProblems } from '../own-tests/own-test-problems.ts'
import { settingsPath } from '../project/parse-settings.ts'
import { patched } from '../project/patched-map.ts'
import type { Asset, Project, Settings } from '../project/project.ts'
import { storedFacts } from '../project/stored-asset.ts'
import type { SourceShapes } from '../source/source-shape.ts'
import { compareTexts } from '../text/compare.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { redact } from '../text/redact.ts'
import type { Check, CheckContext, Finding } from './check.ts'
import { checkGlossary } from './check-glossary.ts'
import { type CheckResult, type CheckState, checkState, keepResult } from './check-state.ts'
import { credentialCode } from './credentials.ts'
import { unmatchedDefaults } from './defaults-unmatched.ts'
import { credentialsInSettings, hardCodedCredentials } from './hard-coded-credentials.ts'
import { hasReaders } from './has-readers.ts'
import { fileChecks, projectChecks } from './index.ts'
import { firstProblems } from './many-problems.ts'
import { placedFinding } from './placed-finding.ts'
import { reservedName, reservedSchemas } from './reserved-name.ts'
import { unmatchedSelectors } from './selector-unmatched.ts'
import { environmentsInSettings, unknownEnvironment } from './unknown-environment.ts'
import { unknownVar, variablesInSettings } from './unknown-var.ts'

/**
 * Returns diagnostics by path for every file of the project (an empty list for a correct one), for
 * `svc.yaml`, and for `glossary.yaml` if there is one; each list is sorted by place. If `analysis` and
 * `sources` are undefined, checks that need columns are skipped. An unchanged list is the same object.
 * `isClean` returns true for assets that are known to have no problems in this snapshot (`clean-assets`),
 * which are not checked again.
 */
export function checkProject(
  project: Project,
  analysis: ProjectAnalysis | undefined,
  sources?: SourceShapes,
  isClean?: IsClean,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const state = checkState(project, analysis, sources)
  const { shown, outdated } = state
  state.shown =
    shown === undefined || outdated.size > manyFiles
      ? allProblems(state, isClean)
      : withOutdated(state, shown)
  outdated.clear()
  return state.shown
}

export type IsClean = (asset: Asset) => boolean

/** If more files differ than this, a new map is cheaper than a patched one. */
const manyFiles = 200

const noProblems: readonly Diagnostic[] = []

function allProblems(
  state: CheckState,
  isClean: IsClean | undefined,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const { glossary, macros, assets } = state.project
  const results = new Map([[settingsPath, settingsProblems(state.project)]])
  if (glossary.file !== undefined) results.set(glossaryPath, glossaryProblems(state))
  for (const [path, problems] of problemsOfOwnTests(state)) results.set(path, problems)
  for (const [path, problems] of macros.problems) results.set(path, problems)
  for (const [path, asset] of assets) {
    const passes = isClean?.(asset) === true
    if (passes) state.hasPassedOver = true
    results.set(path, passes ? noProblems : problemsIn(state, asset))
  }
  return results
}

function withOutdated(
  state: CheckState,
  shown: ReadonlyMap<string, readonly Diagnostic[]>,
): ReadonlyMap<string, readonly Diagnostic[]> {
  let results = shown
  for (const path of state.outdated) {
    const asset = state.project.assets.get(path)
    if (asset !== undefined) results = patched(results, path, problemsIn(state, asset))
  }
  const ofSettings = settingsProblems(state.project)
  if (results.get(settingsPath) !== ofSettings) results = patched(results, settingsPath, ofSettings)
  for (const [path, problems] of problemsOfOwnTests(state))
    if (results.get(path) !== problems) results = patched(results, path, problems)
  if (state.project.glossary.file === undefined) return results
  const problems = glossaryProblems(state)
  return results.get(glossaryPath) === problems ? results : patched(results, glossaryPath, problems)
}

/** Returns the diagnostics of one file; none for a path that the project does not have. */
export function checkAsset(
  project: Project,
  path: string,
  analysis: ProjectAnalysis | undefined,
  sources?: SourceShapes,
): readonly Diagnostic[] {
  if (path === settingsPath) return settingsProblems(project)
  if (path === glossaryPath) return glossaryProblems(checkState(project, analysis, sources))
  const state = checkState(project, analysis, sources)
  const asset = project.assets.get(path)
  if (asset !== undefined) return problemsIn(state, asset)
  return project.macros.problems.get(path) ?? problemsOfOwnTests(state).get(path) ?? []
}

function problemsIn(state: CheckState, asset: Asset): readonly Diagnostic[] {
  const known = state.results.get(asset)
  if (known !== undefined) return known.diagnostics
  const result = checkedAsset(state, asset)
  keepResult(state, asset, result)
  return result.diagnostics
}

interface SettingsProblems {
  readonly unmatched: readonly Diagnostic[]
  readonly diagnostics: readonly Diagnostic[]
}

const problemsOfSettings = new WeakMap<Settings, SettingsProblems>()

function settingsProblems(project: Project): readonly Diagnostic[] {
  const { settings } = project
  const unmatched = [...unmatchedDefaults(project), ...unmatchedSelectors(project)]
  const known = problemsOfSettings.get(settings)
  const isSame =
    unmatched.map(({ message }) => message).join() === known?.unmatched.map(({ message }) => message).join()
  if (known !== undefined && isSame) return known.diagnostics
  const problems = [...settings.diagnostics, ...unmatched]
  addFindings(problems, hardCodedCredentials, settingsPath, credentialsInSettings(settings))
  addFindings(problems, reservedName, settingsPath, reservedSchemas(settings))
  addFindings(problems, unknownEnvironment, settingsPath, environmentsInSettings(settings))
  addFindings(problems, unknownVar, settingsPath, variablesInSettings(settings))
  const sorted = withoutSecrets(() => settings.file?.text ?? '', sortDiagnostics(problems))
  problemsOfSettings.set(settings, { unmatched, diagnostics: sorted })
  return sorted
}

function glossaryProblems(state: CheckState): readonly Diagnostic[] {
  const { project, analysis, during } = state.recorder
  if (state.glossary === undefined) {
    const { result, asked } = during(() => sortDiagnostics(checkGlossary(project, analysis)))
    state.glossary = { diagnostics: result, asked }
  }
  return state.glossary.diagnostics
}

/** An unchanged list is the same object. */
function problemsOfOwnTests(state: CheckState): ReadonlyMap<string, readonly Diagnostic[]> {
  const { project, analysis, ownTests: before } = state
  const found = ownTestProblems(project, analysis)
  state.ownTests = new Map(
    Array.from(found, ([path, problems]) => {
      const known = before.get(path)
      return [path, JSON.stringify(known) === JSON.stringify(problems) && known ? known : problems] as const
    }),
  )
  return state.ownTests
}

function checkedAsset(state: CheckState, asset: Asset): CheckResult {
  const { project, facts, recorder, unknownSources } = state
  const isFirst = project.byName.get(asset.name) === asset
  const analysis = isFirst ? state.analysis?.of(asset.name) : undefined
  const rawTables = isFirst ? state.sources?.get(asset.name) : undefined
  const context: CheckContext = {
    project: recorder.project,
    facts,
    nearestAssets: recorder.nearestAssets,
    analysis,
    others: recorder.analysis,
    rawTables,
    unknownSources,
  }
  const { result, asked } = recorder.during(() => {
    const problems = [
      ...asset.diagnostics,
      ...fileProblems(asset, project.engine),
      ...(analysis?.diagnostics ?? []),
    ]
    for (const check of projectChecks) addAssetFindings(problems, check, asset, check.run(asset, context))
    for (const check of fileChecks)
      if (check.runInProject !== undefined)
        addAssetFindings(problems, check, asset, check.runInProject(asset, context))
    return firstProblems(withoutSecrets(() => asset.text, sortDiagnostics(problems)))
  })
  return {
    diagnostics: result,
    isFirst,
    analysis,
    rawTables,
    hasReaders: hasReaders(asset, project, facts),
    asked,
  }
}

/** In a file with more secrets than this, only the secrets are reported. */
const manySecrets = 200

/** Masks credentials in the diagnostics, which may quote values. */
function withoutSecrets(textOf: () => string, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const secretOnes = diagnostics.filter(diagnostic => diagnostic.code === credentialCode)
  if (secretOnes.length === 0) return diagnostics
  const text = textOf()
  const secrets = [...new Set(secretOnes.map(({ range }) => text.slice(range.start, range.end)))]
  // Searching for thousands of secrets in thousands of messages would take minutes.
  if (secrets.length > manySecrets) return secretOnes
  return diagnostics.map(diagnostic => {
    const { hint, related } = diagnostic
    return {
      ...diagnostic,
      message: redact(diagnostic.message, secrets),
      ...(hint !== undefined && { hint: redact(hint, secrets) }),
      ...(related && {
        related: related.map(place => ({ ...place, message: redact(place.message, secrets) })),
      }),
    }
  })
}

interface FileProblems {
  readonly engine: Engine
  readonly diagnostics: readonly Diagnostic[]
}

const problemsOfFile = new WeakMap<Asset, FileProblems>()

/** Returns the findings that depend on the file alone. Stored ones were found for the same engine. */
export function fileProblems(given: Asset, engine: Engine): readonly Diagnostic[] {
  const asset = asWritten(given)
  const facts = storedFacts(asset)
  if (facts !== undefined) return facts.fileProblems ?? []
  const known = problemsOfFile.get(asset)
  if (known?.engine === engine) return known.diagnostics
  const diagnostics: Diagnostic[] = []
  for (const check of fileChecks) addAssetFindings(diagnostics, check, asset, check.run(asset, engine))
  problemsOfFile.set(asset, { engine, diagnostics })
  return diagnostics
}

function addAssetFindings(
  diagnostics: Diagnostic[],
  check: Check,
  asset: Asset,
  findings: Iterable<Finding>,
): void {
  for (const finding of findings)
    addFindings(diagnostics, check, asset.path, [placedFinding(asset, check.about, finding)])
}

function addFindings(
  diagnostics: Diagnostic[],
  { code, severity = 'error' }: Check,
  path: string,
  findings: Iterable<Finding>,
): void {
  for (const finding of findings) diagnostics.push({ code, severity, path, ...finding })
}

// ---------------------------------------------------------------- order

const severityRank = { error: 0, warning: 1, information: 2, hint: 3 } as const

/** Sorts by place, with the worst first at one place, and removes duplicates. */
function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length < 2) return diagnostics
  const sorted = [...diagnostics].sort(
    (a, b) =>
      a.range.start - b.range.start ||
      a.range.end - b.range.end ||
      severityRank[a.severity] - severityRank[b.severity] ||
      compareTexts(a.code, b.code) ||
      compareTexts(a.message, b.message),
  )
  return sorted.filter((diagnostic, i) => i === 0 || !isSame(diagnostic, sorted[i - 1]))
}

function isSame(a: Diagnostic, b: Diagnostic | undefined): boolean {
  return (
    a.code === b?.code &&
    a.message === b.message &&
    a.range.start === b.range.start &&
    a.range.end === b.range.end
  )
}
