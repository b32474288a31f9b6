/**
 * All problems of a project's files: what parsing found, what the checks find, what the catalogue said of the SQL.
 * Findings that rest on one file are kept with the file, the rest with the snapshot; nothing is ever checked twice.
 */
import type { ProjectAnalysis } from '../analysis.ts'
import { glossaryPath } from '../glossary/glossary.ts'
import { settingsPath } from '../project/parse-settings.ts'
import type { Asset, Project, Settings } from '../project/project.ts'
import { storedFacts } from '../project/stored-asset.ts'
import type { SourceShapes } from '../source/source-shape.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { redact } from '../text/redact.ts'
import type { Check, Finding } from './check.ts'
import { checkGlossary } from './check-glossary.ts'
import { credentialCode } from './credentials.ts'
import { credentialsInSettings, hardCodedCredentials } from './hard-coded-credentials.ts'
import { checks } from './index.ts'
import { projectFacts } from './project-facts.ts'
import { assetsWithUnknownSource } from './source-columns-unknown.ts'

/**
 * Diagnostics by path, for every file of the project (an empty list where all is well), for `svc.yaml` and for
 * `glossary.yaml` where there is one, each list sorted by place. `analysis` and `sources` undefined: what rests on columns is not checked.
 */
export function checkProject(
  project: Project,
  analysis: ProjectAnalysis | undefined,
  sources?: SourceShapes,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const results = new Map([[settingsPath, checkAsset(project, settingsPath, analysis, sources)]])
  if (project.glossary.file !== undefined)
    results.set(glossaryPath, checkAsset(project, glossaryPath, analysis, sources))
  for (const path of project.assets.keys()) results.set(path, checkAsset(project, path, analysis, sources))
  return results
}

/** The same for one file; empty for a path that the project does not have. */
export function checkAsset(
  project: Project,
  path: string,
  analysis: ProjectAnalysis | undefined,
  sources?: SourceShapes,
): readonly Diagnostic[] {
  if (path === settingsPath) return settingsProblems(project.settings)
  if (path === glossaryPath) return glossaryProblems(project, memoOf(project, analysis, sources))
  const asset = project.assets.get(path)
  if (asset === undefined) return []
  const memo = memoOf(project, analysis, sources)
  const known = memo.results.get(asset)
  if (known !== undefined) return known
  const found = withoutSecrets(() => asset.text, sortDiagnostics(allProblems(asset, project, memo)))
  memo.results.set(asset, found)
  return found
}

const problemsOfSettings = new WeakMap<Settings, readonly Diagnostic[]>()

function settingsProblems(settings: Settings): readonly Diagnostic[] {
  const known = problemsOfSettings.get(settings)
  if (known !== undefined) return known
  const found = [...settings.diagnostics]
  addFindings(found, hardCodedCredentials, settingsPath, credentialsInSettings(settings))
  const sorted = withoutSecrets(() => settings.file?.text ?? '', sortDiagnostics(found))
  problemsOfSettings.set(settings, sorted)
  return sorted
}

function glossaryProblems(project: Project, memo: Memo): readonly Diagnostic[] {
  memo.glossary ??= sortDiagnostics(checkGlossary(project, memo.analysis))
  return memo.glossary
}

function allProblems(asset: Asset, project: Project, memo: Memo): readonly Diagnostic[] {
  const { analysis, sources } = memo
  // What is known by name is known of the first of several namesakes only.
  const isFirst = project.byName.get(asset.name) === asset
  const own = isFirst ? analysis?.of(asset.name) : undefined
  const context = {
    project,
    facts: projectFacts(project),
    analysis: own,
    others: analysis,
    rawTables: isFirst ? sources?.get(asset.name) : undefined,
    unknownSources: memo.unknownSources,
  }
  const found = [...asset.diagnostics, ...fileProblems(asset), ...(own?.diagnostics ?? [])]
  for (const check of checks) {
    if (check.scope === 'project') addFindings(found, check, asset.path, check.run(asset, context))
  }
  return found
}

/** A value that is a credential must not come back in what another check says about it. */
function withoutSecrets(textOf: () => string, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const secretOnes = diagnostics.filter(diagnostic => diagnostic.code === credentialCode)
  if (secretOnes.length === 0) return diagnostics
  const text = textOf()
  const secrets = [...new Set(secretOnes.map(({ range }) => text.slice(range.start, range.end)))]
  return diagnostics.map(diagnostic => {
    const hint = diagnostic.hint === undefined ? {} : { hint: redact(diagnostic.hint, secrets) }
    return { ...diagnostic, message: redact(diagnostic.message, secrets), ...hint }
  })
}

const problemsOfFile = new WeakMap<Asset, readonly Diagnostic[]>()

/** Of the file alone. */
export function fileProblems(asset: Asset): readonly Diagnostic[] {
  const facts = storedFacts(asset)
  if (facts !== undefined) return facts.fileProblems ?? []
  const known = problemsOfFile.get(asset)
  if (known !== undefined) return known
  const found: Diagnostic[] = []
  for (const check of checks)
    if (check.scope === 'file') addFindings(found, check, asset.path, check.run(asset))
  problemsOfFile.set(asset, found)
  return found
}

function addFindings(found: Diagnostic[], check: Check, path: string, findings: Iterable<Finding>): void {
  for (const finding of findings) {
    found.push({ code: check.code, severity: check.severity, path, ...finding })
  }
}

// ---------------------------------------------------------------- memo and order

interface Memo {
  readonly analysis: ProjectAnalysis | undefined
  readonly sources: SourceShapes | undefined
  readonly unknownSources: readonly Asset[]
  readonly results: Map<Asset, readonly Diagnostic[]>
  glossary?: readonly Diagnostic[]
}

const memos = new WeakMap<Project, Memo>()

/** The results of the snapshot's last analysis: an editor asks for many files of one state in turn. */
function memoOf(
  project: Project,
  analysis: ProjectAnalysis | undefined,
  sources: SourceShapes | undefined,
): Memo {
  const known = memos.get(project)
  if (known !== undefined && known.analysis === analysis && known.sources === sources) return known
  const unknownSources = sources === undefined ? [] : assetsWithUnknownSource(project, sources)
  const memo = { analysis, sources, unknownSources, results: new Map<Asset, readonly Diagnostic[]>() }
  memos.set(project, memo)
  return memo
}

const severityRank = { error: 0, warning: 1, information: 2, hint: 3 } as const

/** By place, worse first at one place, each problem once. */
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

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function isSame(a: Diagnostic, b: Diagnostic | undefined): boolean {
  return (
    a.code === b?.code &&
    a.message === b.message &&
    a.range.start === b.range.start &&
    a.range.end === b.range.end
  )
}
