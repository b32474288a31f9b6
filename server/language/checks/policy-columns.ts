/** Finds entries of `pii_columns` that name no column of the project: they are usually misspelt and protect nothing. */

import type { ProjectAnalysis } from '../analysis.ts'
import type { Engine } from '../engines/engine.ts'
import { getOrInsertComputed } from '../get-or-insert.ts'
import { glossaryPath } from '../glossary/glossary.ts'
import { once } from '../once.ts'
import { isNamePattern, nameTest } from '../personal/marking.ts'
import { locate } from '../project/locate.ts'
import type { Asset, Project } from '../project/project.ts'
import { promisedTables } from '../source/table-contract.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { type NameIndex, newNameIndex } from '../text/name-index.ts'
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

/** The columns of an asset, and their folded names with the asset before them. */
interface Own {
  readonly names: ReadonlySet<string>
  readonly whole: ReadonlySet<string>
  readonly index: NameIndex
}

/** All columns that SQL delivers or reads, and those of contracts. */
class Columns {
  private readonly engine: Engine
  private readonly byAsset = new Map<string, Own>()
  private readonly assets = new Map<string, string>()
  private readonly open = new Set<string>()
  private readonly folded = new Set<string>()
  private readonly ofAny = once(() =>
    newNameIndex([...this.byAsset.values()].flatMap(({ names }) => [...names])),
  )
  private readonly ofAnyWithAsset = once(() =>
    newNameIndex(
      [...this.byAsset].flatMap(([name, { names }]) => Array.from(names, column => `${name}.${column}`)),
    ),
  )

  constructor({ byName, engine }: Project, analysis: ProjectAnalysis) {
    this.engine = engine
    for (const asset of byName.values()) {
      const known = analysis.of(asset.name)
      const names = columnsOf(asset, known)
      const whole = new Set([...names].map(name => engine.fold(`${asset.name}.${name}`)))
      this.byAsset.set(asset.name, { names, whole, index: newNameIndex(names) })
      getOrInsertComputed(this.assets, engine.fold(asset.name), () => asset.name)
      for (const name of names) this.folded.add(engine.fold(name))
      if (known?.complete !== true) this.open.add(asset.name)
    }
  }

  mayHave(written: string): boolean {
    if (isNamePattern(written)) return this.open.size > 0 || this.hasOneLike(written)
    const folded = this.engine.fold(written)
    if (this.folded.has(folded)) return true
    const named = this.assetIn(written)
    if (named === undefined) return this.open.size > 0 && !written.includes('.')
    return this.open.has(named) || this.byAsset.get(named)?.whole.has(folded) === true
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
      const own = this.byAsset.get(asset)?.index.nearest(written.slice(dot + 1)) ?? []
      return own.map(name => `${asset}.${name}`)
    }
    return (dot < 0 ? this.ofAny() : this.ofAnyWithAsset()).nearest(written)
  }

  private hasOneLike(written: string): boolean {
    const isNamed = nameTest([written], this.engine)
    for (const [asset, { names }] of this.byAsset)
      for (const column of names) if (isNamed({ asset, column })) return true
    return false
  }

  private assetIn(written: string): string | undefined {
    const dot = written.lastIndexOf('.')
    if (dot < 0 || isNamePattern(written)) return undefined
    const name = written.slice(0, dot)
    return this.byAsset.has(name) ? name : this.assets.get(this.engine.fold(name))
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
