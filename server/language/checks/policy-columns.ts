/** Finds entries of `pii_columns` that name no column of the project: they are usually misspelt and protect nothing. */

import type { ProjectAnalysis } from '../analysis.ts'
import { glossaryPath } from '../glossary/glossary.ts'
import { isName } from '../personal/marking.ts'
import { locate } from '../project/locate.ts'
import type { Asset, Project } from '../project/project.ts'
import { promisedTables } from '../source/table-contract.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { suggestName } from './suggestion.ts'

/** Returns no diagnostics for names that a column may have which no run has found yet. */
export function policyColumnProblems(
  project: Project,
  analysis: ProjectAnalysis | undefined,
): readonly Diagnostic[] {
  const { file, policies } = project.glossary
  if (file === undefined || analysis === undefined) return []
  if (policies.every(({ piiColumns }) => piiColumns.length === 0)) return []
  const columns = new Columns(project, analysis)
  return policies.flatMap(policy =>
    policy.piiColumns.flatMap((written, index): readonly Diagnostic[] => {
      if (columns.mayHave(written)) return []
      const range = locate(file, ['policies', policy.index, 'pii_columns', index])
      const place = { path: glossaryPath, range }
      return [
        {
          code: 'policy-without-column',
          severity: 'warning',
          ...place,
          message: `no column is called "${written}", so the policy protects nothing there`,
          hint: 'Write the name of a column, or asset.column; * and ? stand for any text and one character.',
          ...suggestName(written, columns.namesLike(written), place, ''),
        },
      ]
    }),
  )
}

/** All columns that SQL delivers or reads, and those of contracts. */
class Columns {
  private readonly project: Project
  private readonly byAsset = new Map<string, ReadonlySet<string>>()
  private readonly open = new Set<string>()
  private readonly folded = new Set<string>()

  constructor(project: Project, analysis: ProjectAnalysis) {
    this.project = project
    for (const asset of project.byName.values()) {
      const known = analysis.of(asset.name)
      const names = columnsOf(asset, known)
      this.byAsset.set(asset.name, names)
      for (const name of names) this.folded.add(project.engine.fold(name))
      if (known?.complete !== true) this.open.add(asset.name)
    }
  }

  mayHave(written: string): boolean {
    const { engine } = this.project
    const isPattern = /[*?]/.test(written)
    if (!isPattern && this.folded.has(engine.fold(written))) return true
    const dot = written.lastIndexOf('.')
    const named = isPattern || dot < 0 ? undefined : this.assetCalled(written.slice(0, dot))
    if (named === undefined && this.open.size > 0 && (isPattern || dot < 0)) return true
    if (named !== undefined && this.open.has(named)) return true
    const assets = named === undefined ? (isPattern ? [...this.byAsset.keys()] : []) : [named]
    return assets.some(asset =>
      [...(this.byAsset.get(asset) ?? [])].some(column => isName(written, { asset, column }, engine)),
    )
  }

  namesLike(written: string): readonly string[] {
    const dot = written.lastIndexOf('.')
    if (dot < 0) return [...new Set([...this.byAsset.values()].flatMap(names => [...names]))]
    return [...this.byAsset].flatMap(([asset, names]) => [...names].map(name => `${asset}.${name}`))
  }

  private assetCalled(name: string): string | undefined {
    if (this.byAsset.has(name)) return name
    return [...this.byAsset.keys()].find(asset => this.project.engine.sameName(asset, name))
  }
}

function columnsOf(asset: Asset, analysis: ReturnType<ProjectAnalysis['of']>): ReadonlySet<string> {
  return new Set([
    ...Object.keys(asset.definition.columns),
    ...promisedTables(asset.definition.contract).flatMap(({ columns }) => Object.keys(columns)),
    ...(analysis?.columns ?? []).map(({ name }) => name),
    ...(analysis?.lineage ?? []).flatMap(({ from }) =>
      from.flatMap(({ column, source }) => (source === undefined ? [] : [column])),
    ),
  ])
}
