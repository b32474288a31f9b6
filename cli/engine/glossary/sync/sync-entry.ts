/** Entries of the glossary as the hosted store and glossary.yaml both have them, so that they can be compared. */
import {
  completeFields,
  type EntryFields,
  type EntryKind,
  type EntryValue,
  entryId,
  findTerm,
  glossaryEntries,
  linkId,
  type Project,
} from '@svc/server/language'
import type { StoreGlossary, StoreRecord } from '../../../../hosted-api/client/index.ts'

export interface SyncEntry {
  readonly kind: EntryKind
  readonly id: string
  readonly name: string
  readonly fields: EntryFields
}

export interface StoredEntry extends SyncEntry {
  /** The record's number and version in the store. */
  readonly record: number
  readonly version: number
}

/** By `kind id`. */
export type Entries<T extends SyncEntry = SyncEntry> = ReadonlyMap<string, T>

export function keyOf({ kind, id }: Pick<SyncEntry, 'kind' | 'id'>): string {
  return `${kind} ${id}`
}

/** Links that the files of assets hold themselves are not of glossary.yaml, and so left alone on both sides. */
export function localEntries({ glossary }: Pick<Project, 'glossary'>): Entries {
  return byKey(
    glossaryEntries(glossary).map(({ kind, id, name, fields }) => ({
      ...{ kind, id, name },
      fields: comparable(kind, fields),
    })),
  )
}

export function storedEntries(document: StoreGlossary, project: Project): Entries<StoredEntry> {
  const named = (kind: EntryKind, records: readonly StoreRecord[]) =>
    records.map(record => storedEntry(kind, record))
  const links = document.terms.flatMap(term =>
    term.links.map(link => storedLink(String(term['identifier']), String(term['name']), link)),
  )
  const own = linksOfAssets(project, document)
  const local = localEntries(project)
  return byKey([
    ...named('term', document.terms),
    ...named('metric', document.metrics),
    ...named('dimension', document.dimensions),
    ...named('policy', document.policies),
    ...links.filter(link => local.has(keyOf(link)) || !own.has(link.id)),
  ])
}

function storedEntry(kind: EntryKind, record: StoreRecord): StoredEntry {
  const name = String(record['name'])
  const values = Object.fromEntries(Object.entries(record).map(([key, value]) => [key, entryValue(value)]))
  return {
    kind,
    // A policy has no identifier in the file, so that its name tells which it is.
    id: kind === 'policy' ? entryId('policy', name) : String(record['identifier']),
    name,
    fields: comparable(kind, completeFields(kind, values)),
    record: record.id,
    version: record.version,
  }
}

function storedLink(term: string, termName: string, link: StoreRecord): StoredEntry {
  const asset = String(link['asset_name'])
  const column = typeof link['column'] === 'string' ? link['column'] : undefined
  const fields = { term, asset, column, role: String(link['role']) }
  return {
    kind: 'link',
    id: linkId(term, asset, column),
    name: `${termName} -> ${asset}${column === undefined ? '' : `.${column}`}`,
    fields: comparable('link', completeFields('link', fields)),
    record: link.id,
    version: link.version,
  }
}

function entryValue(value: unknown): EntryValue | undefined {
  if (Array.isArray(value)) return value.map(String)
  return value === null || value === undefined || typeof value === 'object' ? undefined : String(value)
}

/** The identifier is the address; the store adds the tables that the SQL of a metric names. */
function comparable(kind: EntryKind, { id: _, ...fields }: EntryFields): EntryFields {
  if (kind !== 'metric') return fields
  const sources = [fields['source_assets'] ?? []].flat()
  const all = [...new Set([...sources, ...referencedAssets(String(fields['sql_definition'] ?? ''))])]
  return all.length === 0 ? fields : { ...fields, source_assets: all }
}

const referenceTag = /\{\{\s*ref\(\s*(['"])([^'"{}]+)\1\s*\)\s*\}\}/g

function referencedAssets(sql: string): readonly string[] {
  return [...sql.matchAll(referenceTag)].map(match => match[2] ?? '')
}

/** Their terms may be in one of the two only. */
function linksOfAssets({ glossary, byName }: Project, { terms }: StoreGlossary): ReadonlySet<string> {
  const fold = (text: unknown) => String(text).trim().toLowerCase()
  const stored = new Map(
    terms.flatMap(term =>
      [...((term['synonyms'] ?? []) as readonly unknown[]), term['name'], term['identifier']].map(
        name => [fold(name), String(term['identifier'])] as const,
      ),
    ),
  )
  const links = [...byName.values()].flatMap(({ name, definition }) =>
    Object.entries(definition.columns).flatMap(([column, { term }]) => {
      const id = term === undefined ? undefined : (findTerm(glossary, term)?.id ?? stored.get(fold(term)))
      return id === undefined ? [] : [linkId(id, name, column)]
    }),
  )
  return new Set(links)
}

function byKey<T extends SyncEntry>(entries: readonly T[]): Entries<T> {
  return new Map(entries.map(entry => [keyOf(entry), entry]))
}
