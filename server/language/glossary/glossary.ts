/**
 * `glossary.yaml` as data (decisions 4, interface.md 2): the business terms, and the columns that they are
 * linked to. Reading never fails; problems are diagnostics.
 */
import type { JsonScalar } from '../schema/definition.ts'
import type { Node } from '../syntax/node.ts'
import type { SqlTemplate } from '../syntax/template.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Range } from '../text/range.ts'

export const glossaryPath = 'glossary.yaml'

export interface Glossary {
  readonly terms: readonly Term[]
  readonly metrics: readonly Metric[]
  readonly dimensions: readonly Dimension[]
  readonly policies: readonly Policy[]
  readonly links: readonly TermLink[]
  /** Diagnostics of the file alone; `checkGlossary` finds those that need the project. */
  readonly diagnostics: readonly Diagnostic[]
  /** The file; absent if there is none. */
  readonly file?: { readonly text: string; readonly tree: Node | undefined }
}

interface Entry {
  /** The given identifier, or one made from the name: `term.active_customer`. */
  readonly id: string
  readonly name: string
  readonly description: string
  /** The range of the entry's name in `glossary.yaml`. */
  readonly range: Range
  /** The position in the file's list. */
  readonly index: number
}

export interface Term extends Entry {
  readonly synonyms: readonly string[]
  readonly owner: string | undefined
}

export interface Metric extends Entry {
  /** The text of `sql_definition`. */
  readonly expression: string | undefined
  /** The template of `sql_definition`; undefined if there is none. */
  readonly sql: SqlTemplate | undefined
  readonly timeGrain: string | undefined
  readonly sourceAssets: readonly string[]
  readonly owner: string | undefined
}

export interface Dimension extends Entry {
  readonly values: readonly JsonScalar[]
  readonly type: string
}

/** A policy, which has no id in the file (interface.md 2.5); `description` is its `rule`. */
export interface Policy extends Entry {
  readonly rule: string
  /** Entries such as `email` or `customers.email`; empty for all columns that are marked `pii`. */
  readonly piiColumns: readonly string[]
  /** Patterns of asset names; empty for all assets. */
  readonly appliesTo: readonly string[]
  readonly enforcement: 'strict' | 'warn' | 'off'
  /** Whether columns that are only derived from personal data break it too. */
  readonly derived: 'allow' | 'deny'
  /** The severity of a breach. */
  readonly severity: 'error' | 'warning' | 'information'
}

export interface TermLink {
  /** The identifier or the name, as written. */
  readonly term: string
  readonly asset: string
  readonly column: string | undefined
  readonly role: 'primary_key' | 'foreign_key' | 'attribute' | undefined
  /** The range of the whole link. */
  readonly range: Range
  readonly termRange: Range
  readonly assetRange: Range
  readonly columnRange: Range | undefined
  readonly index: number
}

export const emptyGlossary: Glossary = {
  terms: [],
  metrics: [],
  dimensions: [],
  policies: [],
  links: [],
  diagnostics: [],
}

/** Returns the lists of what has a name, each with its kind. */
export function listsOf({ terms, metrics, dimensions, policies }: Glossary) {
  return [
    ['term', terms],
    ['metric', metrics],
    ['dimension', dimensions],
    ['policy', policies],
  ] as const
}
