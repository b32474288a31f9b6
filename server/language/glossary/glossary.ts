/**
 * `glossary.yaml` as data (decisions 4, interface.md 2): what the words of the business mean, and which columns they
 * stand for. Reading it never fails; what is wrong is a diagnostic.
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
  /** Of the file alone; what needs the project is found by `checkGlossary`. */
  readonly diagnostics: readonly Diagnostic[]
  /** The file itself; absent where there is none. */
  readonly file?: { readonly text: string; readonly tree: Node | undefined }
}

interface Entry {
  /** Given, or made of the name: `term.active_customer`. */
  readonly id: string
  readonly name: string
  readonly description: string
  /** Of the entry's name in `glossary.yaml`. */
  readonly range: Range
  /** Position in the file's list. */
  readonly index: number
}

export interface Term extends Entry {
  readonly synonyms: readonly string[]
  readonly owner: string | undefined
}

export interface Metric extends Entry {
  /** `sql_definition` as it is written. */
  readonly expression: string | undefined
  /** The same with its tags; undefined where there is none to read. */
  readonly sql: SqlTemplate | undefined
  readonly timeGrain: string | undefined
  readonly sourceAssets: readonly string[]
  readonly owner: string | undefined
}

export interface Dimension extends Entry {
  readonly values: readonly JsonScalar[]
  readonly type: string
}

/** A policy has no id in the file (interface.md 2.5); `description` is its `rule`. */
export interface Policy extends Entry {
  readonly rule: string
  /** `email`, or `customers.email`; empty: all columns that are marked `pii`. */
  readonly piiColumns: readonly string[]
  /** Patterns of assets; empty: all. */
  readonly appliesTo: readonly string[]
  readonly enforcement: 'strict' | 'warn' | 'off'
  /** Of a breach. */
  readonly severity: 'error' | 'warning' | 'information'
}

export interface TermLink {
  /** Identifier or name, as written. */
  readonly term: string
  readonly asset: string
  readonly column: string | undefined
  readonly role: 'primary_key' | 'foreign_key' | 'attribute' | undefined
  /** Of the whole link. */
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
