/**
 * Entries of the glossary as plain records: the keys of `glossary.yaml` with their values as text, so that
 * commands, imports and the hosted store compare and write all kinds alike.
 */
import { glossaryShape } from '../schema/glossary-schema.ts'
import type { Key, ObjectShape } from '../schema/shape.ts'
import { entryId } from './entry-id.ts'
import type { Glossary, TermLink } from './glossary.ts'
import { findTerm } from './terms.ts'

export const namedKinds = ['term', 'metric', 'dimension', 'policy'] as const
export type NamedKind = (typeof namedKinds)[number]
export type EntryKind = NamedKind | 'link'

/** A text, or the items of a list. */
export type EntryValue = string | readonly string[]
/** Values by key, without those that are empty; a key with a default always has a value. */
export type EntryFields = Readonly<Record<string, EntryValue>>

export interface EntryKey {
  readonly name: string
  readonly doc: string
  readonly isList: boolean
  readonly isRequired: boolean
  readonly default: string | undefined
  /** The allowed values; undefined if any text is. */
  readonly choices: readonly string[] | undefined
}

export interface EntryShape {
  readonly kind: EntryKind
  /** The key of the file under which its entries are. */
  readonly list: 'terms' | 'metrics' | 'dimensions' | 'policies' | 'links'
  /** The prefix of identifiers. */
  readonly prefix: string
  readonly keys: readonly EntryKey[]
}

export const entryShapes: Readonly<Record<EntryKind, EntryShape>> = {
  term: shapeOf('term', 'terms', 'term'),
  metric: shapeOf('metric', 'metrics', 'metric'),
  dimension: shapeOf('dimension', 'dimensions', 'dim'),
  policy: shapeOf('policy', 'policies', 'policy'),
  link: shapeOf('link', 'links', 'link'),
}

export interface GlossaryEntry {
  readonly kind: EntryKind
  /** What identifies it among its kind: its identifier; of a link its term, asset and column. */
  readonly id: string
  /** What people call it. */
  readonly name: string
  readonly fields: EntryFields
  /** The position in the list of the file. */
  readonly index: number
}

/** Returns the identifier of a link: its term by identifier, its asset and column. */
export function linkId(term: string, asset: string, column: string | undefined): string {
  return `${term} ${asset}${column === undefined ? '' : `.${column.toLowerCase()}`}`
}

/** Returns all entries of the file, in its order. */
export function glossaryEntries(glossary: Glossary): readonly GlossaryEntry[] {
  const { terms, metrics, dimensions, policies, links } = glossary
  return [
    ...terms.map(({ id, name, index, description, synonyms, owner }) =>
      entry('term', { id, name, index }, { name, description, synonyms, owner }),
    ),
    ...metrics.map(({ id, name, index, description, expression, timeGrain, sourceAssets, owner }) =>
      entry(
        'metric',
        { id, name, index },
        {
          name,
          description,
          sql_definition: expression,
          time_grain: timeGrain,
          source_assets: sourceAssets,
          owner,
        },
      ),
    ),
    ...dimensions.map(({ id, name, index, description, values, type }) =>
      entry('dimension', { id, name, index }, { name, description, values: values.map(String), type }),
    ),
    ...policies.map(({ name, index, rule, piiColumns, appliesTo, enforcement, derived }) =>
      entry(
        'policy',
        { id: entryId('policy', name), name, index },
        { name, rule, pii_columns: piiColumns, applies_to: appliesTo, enforcement, derived },
      ),
    ),
    ...links.map(link => linkEntry(glossary, link)),
  ]
}

/** Removes empty values, and adds defaults. */
export function completeFields(
  kind: EntryKind,
  fields: Readonly<Record<string, EntryValue | null | undefined>>,
): EntryFields {
  const complete: Record<string, EntryValue> = {}
  for (const { name, default: fallback } of entryShapes[kind].keys) {
    const value = fields[name]
    const isEmpty = value === undefined || value === null || value.length === 0
    if (!isEmpty) complete[name] = value
    else if (fallback !== undefined) complete[name] = fallback
  }
  return complete
}

export function isSameValue(a: EntryValue | undefined, b: EntryValue | undefined): boolean {
  return JSON.stringify(a ?? '') === JSON.stringify(b ?? '')
}

function entry(
  kind: EntryKind,
  { id, name, index }: { readonly id: string; readonly name: string; readonly index: number },
  fields: Readonly<Record<string, EntryValue | undefined>>,
): GlossaryEntry {
  return { kind, id, name, index, fields: completeFields(kind, fields) }
}

function linkEntry(glossary: Glossary, { term, asset, column, role, index }: TermLink): GlossaryEntry {
  const known = findTerm(glossary, term)
  const place = `${asset}${column === undefined ? '' : `.${column}`}`
  const id = linkId(known?.id ?? term, asset, column)
  const fields = { term: known?.id ?? term, asset, column, role: role ?? 'attribute' }
  return entry('link', { id, name: `${known?.name ?? term} -> ${place}`, index }, fields)
}

function shapeOf(kind: EntryKind, list: EntryShape['list'], prefix: string): EntryShape {
  const entries = glossaryShape.keys.find(({ name }) => name === list)?.shape
  const item = entries?.kind === 'list' ? entries.of : undefined
  return { kind, list, prefix, keys: ((item as ObjectShape | undefined)?.keys ?? []).map(keyOf) }
}

function keyOf({ name, doc, shape, required, default: fallback }: Key): EntryKey {
  return {
    name,
    doc,
    isList: shape.kind === 'list',
    isRequired: required === true,
    default: typeof fallback === 'string' ? fallback : undefined,
    choices: shape.kind === 'choice' ? shape.choices.map(({ value }) => value) : undefined,
  }
}
