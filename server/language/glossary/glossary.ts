/**
 * `glossary.yaml` as data (decisions 4, interface.md 2): what the words of the business mean, and which columns they
 * stand for. Reading it never fails; what is wrong is a diagnostic.
 */
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Range } from '../text/range.ts'

export const glossaryPath = 'glossary.yaml'

export interface Glossary {
  readonly terms: readonly Term[]
  readonly metrics: readonly Metric[]
  readonly dimensions: readonly Dimension[]
  readonly policies: readonly Policy[]
  readonly links: readonly TermLink[]
  readonly diagnostics: readonly Diagnostic[]
}

interface Entry {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Of the entry's name in `glossary.yaml`. */
  readonly range: Range
}

export interface Term extends Entry {
  readonly synonyms: readonly string[]
  readonly tags: readonly string[]
  readonly owner: string | undefined
}

export interface Metric extends Entry {
  readonly expression: string | undefined
}

export interface Dimension extends Entry {}

export interface Policy extends Entry {
  readonly severity: 'error' | 'warning' | 'information'
}

export interface TermLink {
  readonly term: string
  readonly asset: string
  readonly column: string | undefined
  readonly role: 'primary_key' | 'foreign_key' | 'attribute' | undefined
  readonly range: Range
}

export const emptyGlossary: Glossary = {
  terms: [],
  metrics: [],
  dimensions: [],
  policies: [],
  links: [],
  diagnostics: [],
}
