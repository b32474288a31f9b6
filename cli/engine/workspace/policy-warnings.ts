/** What policies say of the files without stopping a run: breaches where they only warn, and names of nothing. */
import { type Diagnostic, glossaryPath, type ProjectAnalysis, placeAt } from '@svc/server/language'
import { problemsWith } from './problems.ts'
import type { Workspace } from './workspace.ts'

export interface PolicyWarning {
  /** Null if it is about the policy itself. */
  readonly asset: string | null
  readonly code: string
  readonly message: string
  /** `path:line:column`. */
  readonly place: string
}

const codes = new Set(['policy-breach', 'policy-without-asset', 'policy-without-column'])

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
  if (severity !== 'warning' || !codes.has(code)) return []
  return [{ asset, code, message, place: placeAt(path, text ?? '', range.start) }]
}
