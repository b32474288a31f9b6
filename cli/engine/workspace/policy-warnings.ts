/** What policies say of the files without stopping a run: breaches where they only warn, and names of nothing. */
import type { Warning, WarningCode } from '@svc/server/contract'
import { type Diagnostic, glossaryPath, type ProjectAnalysis, placeAt } from '@svc/server/language'
import { problemsWith } from './problems.ts'
import type { Workspace } from './workspace.ts'

/** The asset is null if it is about the policy itself. */
export interface PolicyWarning extends Warning {
  readonly place: string
}

const codes = [
  'policy-breach',
  'policy-without-asset',
  'policy-without-column',
] as const satisfies WarningCode[]

/** Returns the warnings about these assets, and about policies as such. */
export function policyWarnings(
  workspace: Workspace,
  analysis: ProjectAnalysis,
  names: readonly string[],
): readonly PolicyWarning[] {
  const { project } = workspace
  if (project.glossary.policies.length === 0) return []
  const problems = problemsWith(workspace, analysis)
  const warnings = [...(problems.get(glossaryPath) ?? [])].flatMap(each =>
    warningOf(null, project.glossary.file?.text, each),
  )
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
  { code, severity, message, path, range }: Diagnostic,
): PolicyWarning[] {
  const known = codes.find(each => each === code)
  if (severity !== 'warning' || known === undefined) return []
  return [{ asset, code: known, message, place: placeAt(path, text ?? '', range.start) }]
}
