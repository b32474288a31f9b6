/** A context pack in its normalized form. */

import type {
  ContextPack,
  PackVersion as ContractVersion,
  NodeKind,
  PackTestResults,
} from '../../../server/contract/pack.ts'
import type { Shape } from '../../../server/contract/schema.ts'
import type { EntryKind } from '../../../server/language/glossary/entries.ts'
import type { Warning } from '../../http/schemas.ts'
import type { ColumnSchema, EdgeColumns, TestDefinition } from '../read/schemas.ts'

export type PackColumn = Shape<typeof ColumnSchema>
export type PackTest = Shape<typeof TestDefinition>
export type ColumnPair = Shape<typeof EdgeColumns>[number]
export type TestOutcome = PackTestResults[string]['tests'][number]
export type PackGit = NonNullable<ContextPack['git']>

export interface Pack {
  readonly project: PackProject
  /** `partial`: the pack describes some assets and leaves the others unchanged. */
  readonly scope: 'full' | 'partial'
  /** The assets of the pack, without external nodes and exposures. */
  readonly assets: readonly PackAsset[]
  /** Nodes that only the lineage names. */
  readonly outsiders: readonly PackAsset[]
  readonly edges: readonly PackEdge[]
  /** What the pack says was deployed. A definition alone is no deployment. */
  readonly versions: readonly PackVersion[]
  /** The parts of assets that the pack does not say, by identifier. */
  readonly leftOut: ReadonlyMap<string, LeftOut>
  readonly results: readonly PackTestResult[]
  readonly glossary: readonly PackGlossaryEntry[]
  readonly git: PackGit | null
  readonly said: PackSaid
  readonly warnings: readonly PackWarning[]
}

export interface PackProject {
  /** The id in the project's own files. */
  readonly id: string
  readonly name: string
  readonly warehouse: string | null
  readonly default_schema: string | null
}

/** What a pack says of itself. The store decides nothing by it and hands it back. */
export interface PackSaid {
  readonly version: number | null
  readonly environment: string | null
  readonly settings_hash: string | null
}

export interface PackAsset {
  readonly identifier: string
  readonly name: string
  readonly path: string
  readonly kind: NodeKind
  readonly description: string | null
  readonly owner: string | null
  readonly tags: readonly string[]
  readonly definitionHash: string | null
  readonly blocks: Readonly<Record<string, unknown>>
  /** Null if the columns are unknown. */
  readonly columns: readonly PackColumn[] | null
  readonly tests: readonly PackTest[]
  /** Facts that change although the asset does not: rows, last run. */
  readonly details: Readonly<Record<string, unknown>>
}

export type LeftOut = ReadonlySet<
  'path' | 'kind' | 'description' | 'owner' | 'tags' | 'blocks' | 'columns' | 'tests'
>

/** The ends are identifiers of assets. */
export interface PackEdge {
  readonly from: string
  readonly to: string
  readonly kind: 'ref' | 'exposure'
  readonly columns: readonly ColumnPair[]
}

/** With `deployed_at` in UTC. */
export type PackVersion = { readonly identifier: string } & {
  readonly [K in keyof ContractVersion]-?: Exclude<ContractVersion[K], undefined>
}

/** The record of interface.md 2.14. */
export interface PackTestResult {
  readonly identifier: string
  readonly at: string
  readonly tests: readonly TestOutcome[]
}

/** An unchanged entry; the glossary validates it. */
export interface PackGlossaryEntry {
  readonly kind: EntryKind
  readonly entry: Readonly<Record<string, unknown>>
  /** JSON pointer into the body. */
  readonly pointer: string
}

/** A warning; the upload continues. */
export type PackWarning = Shape<typeof Warning>
