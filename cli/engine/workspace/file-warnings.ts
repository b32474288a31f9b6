/**
 * What the files say of a run without stopping it: settings that meet nothing, SQL that means something else than it seems to,
 * policies that only warn. `svc validate` shows more; these are told by every run, which does not do what they ask for (decisions
 * 9, "Nothing in silence").
 */
import type { Warning, WarningCode } from '@svc/server/contract'
import {
  type Diagnostic,
  glossaryPath,
  type ProjectAnalysis,
  placeAt,
  settingsPath,
} from '@svc/server/language'
import { problemsWith } from './problems.ts'
import type { Workspace } from './workspace.ts'

/** The asset is null if it is about the glossary or the settings. */
export interface FileWarning extends Warning {
  readonly place: string
}

const ofPolicies = [
  'policy-breach',
  'policy-without-asset',
  'policy-without-column',
] as const satisfies readonly WarningCode[]

/** The others are advice on files, or are told by what the run does itself. */
export const codesOfFiles = [
  'column-doc-unknown',
  'contract-without-source',
  'defaults-unmatched',
  'file-passed-over',
  'table-option-idle',
  'selector-unmatched',
  'sql-bracketed-name',
  'sql-duplicate-column',
  'sql-null-comparison',
  'sql-shadowed-column',
  'unknown-environment',
  'unknown-placeholder',
  'unknown-var',
  ...ofPolicies,
] as const satisfies readonly WarningCode[]

export function isOfPolicy({ code }: Pick<Warning, 'code'>): boolean {
  return ofPolicies.some(each => each === code)
}

/** Returns the warnings about these assets, the settings and the glossary. */
export function fileWarnings(
  workspace: Workspace,
  analysis: ProjectAnalysis,
  names: readonly string[],
): readonly FileWarning[] {
  const { project } = workspace
  const problems = problemsWith(workspace, analysis)
  const shared = [
    [settingsPath, project.settings.file?.text],
    [glossaryPath, project.glossary.file?.text],
  ] as const
  const warnings = shared.flatMap(([path, text]) =>
    (problems.get(path) ?? []).flatMap(each => warningOf(null, text, each)),
  )
  for (const [path, found] of problems) {
    // A file that is not read is no asset.
    if (project.assets.has(path)) continue
    const passed = found.filter(({ code }) => code === 'file-passed-over')
    warnings.push(...passed.flatMap(each => warningOf(null, undefined, each)))
  }
  for (const name of names) {
    const asset = project.byName.get(name)
    for (const each of (asset && problems.get(asset.path)) ?? [])
      warnings.push(...warningOf(name, asset?.text, each))
  }
  return warnings
}

function warningOf(
  asset: string | null,
  text: string | undefined,
  { code, severity, message, hint, path, range }: Diagnostic,
): FileWarning[] {
  const known = codesOfFiles.find(each => each === code)
  if (severity !== 'warning' || known === undefined) return []
  const place = text === undefined ? path : placeAt(path, text, range.start)
  return [{ asset, code: known, message, place, ...(hint !== undefined && { hint }) }]
}
