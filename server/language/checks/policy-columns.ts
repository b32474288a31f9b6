/** Finds entries of `pii_columns` that name no column of the project: they are usually misspelt and protect nothing. */

import type { ProjectAnalysis } from '../analysis.ts'
import { glossaryPath } from '../glossary/glossary.ts'
import { isName } from '../personal/marking.ts'
import { locate } from '../project/locate.ts'
import type { Asset, Project } from '../project/project.ts'
import { promisedTables } from '../source/table-contract.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { nearestNames } from '../text/nearest-names.ts'
import { misspelt } from './misspelt.ts'
import { suggestOneOf } from './suggestion.ts'

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
          ...place,
          ...misspelt(
            written,
            policy,
            {
              message: `no column is called "${written}", so the policy protects nothing there`,
              hint: 'Write the name of a column, or asset.column; * and ? stand for any text and one character.',
              ...suggestOneOf(columns.nearest(written), place, ''),
            },
            columns.isOfAsset(written),
          ),
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
    const named = this.assetIn(written)
    if (named === undefined && this.open.size > 0 && (isPattern || !written.includes('.'))) return true
    if (named !== undefined && this.open.has(named)) return true
    const assets = named === undefined ? (isPattern ? [...this.byAsset.keys()] : []) : [named]
    return assets.some(asset =>
      [...(this.byAsset.get(asset) ?? [])].some(column => isName(written, { asset, column }, engine)),
    )
  }

  /** Whether it is a column of an asset that is there. */
  isOfAsset(written: string): boolean {
    return this.assetIn(written) !== undefined
  }

  /** A column of an asset that is there is compared with those of that asset alone. */
  nearest(written: string): readonly string[] {
    const asset = this.assetIn(written)
    const dot = written.lastIndexOf('.')
    if (asset !== undefined) {
      const own = nearestNames(written.slice(dot + 1), this.byAsset.get(asset) ?? [])
      return own.map(name => `${asset}.${name}`)
    }
    if (dot < 0)
      return nearestNames(written, new Set([...this.byAsset.values()].flatMap(names => [...names])))
    const all = [...this.byAsset].flatMap(([name, names]) => [...names].map(column => `${name}.${column}`))
    return nearestNames(written, all)
  }

  private assetIn(written: string): string | undefined {
    const dot = written.lastIndexOf('.')
    if (dot < 0 || /[*?]/.test(written)) return undefined
    const name = written.slice(0, dot)
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
