/** What `svc glossary export` and the hosted store write, or the `glossary.yaml` of another project. */
import { type EntryKind, type EntryValue, entryShapes, isRecord } from '@svc/server/language'
import type { DocumentPath, DocumentPlaces } from './document.ts'
import { fieldsOf, type Imported, ImportNotes, textOf, textsOf } from './imported.ts'

const kinds = Object.keys(entryShapes) as EntryKind[]

export function isSvcDocument(root: unknown): boolean {
  return isRecord(root) && kinds.some(kind => Array.isArray(root[entryShapes[kind].list]))
}

export function readSvcDocument(root: unknown, places: DocumentPlaces): Imported {
  const notes = new ImportNotes()
  if (!isRecord(root)) return notes.result('svc')
  for (const kind of kinds) {
    const { list } = entryShapes[kind]
    const items = root[list] ?? []
    if (!Array.isArray(items)) notes.problem(places([list]), `${list} is no list`)
    else for (const [index, item] of items.entries()) readEntry(notes, places, kind, item, [list, index])
  }
  return notes.result('svc')
}

function readEntry(
  notes: ImportNotes,
  places: DocumentPlaces,
  kind: EntryKind,
  item: unknown,
  path: DocumentPath,
) {
  const place = places(path)
  if (!isRecord(item)) {
    notes.problem(place, `it is no ${kind}`)
    return
  }
  const values = Object.fromEntries(
    entryShapes[kind].keys.map(key => [key.name, entryValue(key.isList, item[key.name])]),
  )
  const missing = entryShapes[kind].keys.find(
    ({ name, isRequired }) => isRequired && values[name] === undefined,
  )
  const wrong = entryShapes[kind].keys.find(({ name, choices }) => {
    const value = values[name]
    return choices !== undefined && typeof value === 'string' && !choices.includes(value)
  })
  if (missing !== undefined) notes.problem(place, `the ${kind} has no ${missing.name}`)
  else if (wrong !== undefined)
    notes.problem(place, `${wrong.name} cannot be "${String(values[wrong.name]).slice(0, 100)}"`)
  else addEntry(notes, kind, item, fieldsOf(values), place)
  for (const key of storeKeys) notes.ignore(key, key === 'status' && item[key] === 'draft' ? '' : item[key])
}

/** What the hosted store keeps and glossary.yaml does not. */
const storeKeys = ['tags', 'metadata', 'status', 'reviewers', 'related', 'unit']

function addEntry(
  notes: ImportNotes,
  kind: EntryKind,
  item: Readonly<Record<string, unknown>>,
  { id: _, ...fields }: Readonly<Record<string, EntryValue>>,
  place: string,
): void {
  // In an export `id` is a number of a store, and the identifier has a key of its own.
  const id = textOf(item['identifier']) ?? (typeof item['id'] === 'string' ? item['id'] : undefined)
  notes.entries.push({ kind, id: kind === 'policy' ? undefined : id, fields, place })
  const links = Array.isArray(item['links']) ? item['links'].filter(isRecord) : []
  for (const link of links) {
    const asset = textOf(link['asset_name']) ?? textOf(link['asset'])
    if (asset === undefined) notes.problem(place, 'a link has no asset')
    else {
      const [column, role] = [textOf(link['column']), textOf(link['role'])]
      notes.link(place, { term: id ?? String(fields['name']), asset, column, role })
    }
  }
}

function entryValue(isList: boolean, value: unknown): EntryValue | undefined {
  if (!isList) return textOf(value)
  const items = value === undefined || value === null ? [] : textsOf(value)
  return items.length === 0 ? undefined : items
}
