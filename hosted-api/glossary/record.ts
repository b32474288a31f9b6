/** Converts a record between JSON and a row. */
import type { Cell, Row } from '../storage/index.ts'
import { fold } from './fold.ts'
import { type Field, isJson, type Kind } from './kind.ts'
import { namedFields } from './kinds/shared.ts'
import { type SearchText, searchText } from './search-text.ts'

/** The content of a record: its fields by name. A missing field is null or its default. */
export type Content = Readonly<Record<string, unknown>>

/** A record in answers (2.2-2.6). */
export type GlossaryRecord = Readonly<Record<string, unknown>> & {
  readonly id: number
  readonly project: number
  readonly version: number
}

/** Returns all content fields of a kind, in the order of answers. */
export function contentFields(kind: Kind): readonly Field[] {
  return kind.named ? [...namedFields, ...kind.fields] : kind.fields
}

export function contentOf(kind: Kind, row: Row): Content {
  return Object.fromEntries(contentFields(kind).map(field => [field.name, fromCell(field, row[field.name])]))
}

/** Returns the values of the columns of `contentFields`, in order. */
export function cellsOf(kind: Kind, content: Content): readonly Cell[] {
  return contentFields(kind).map(field => toCell(field, content[field.name] ?? field.default ?? null))
}

export function recordOf(kind: Kind, row: Row): GlossaryRecord {
  const joined = Object.keys(kind.joined?.columns ?? {}).map(name => [name, row[name] ?? null])
  const { id, project_id, origin, version, created_at, created_by, updated_at, updated_by, deleted_at } = row
  const { name, identifier, description, ...rest } = contentOf(kind, row)
  return {
    id: Number(id),
    ...(kind.named ? { name, identifier, description } : {}),
    project: Number(project_id),
    ...rest,
    ...Object.fromEntries(joined),
    origin,
    version: Number(version),
    created_at,
    created_by,
    updated_at,
    updated_by,
    ...(deleted_at === null ? {} : { deleted_at }),
  }
}

/**
 * Returns the text that `q` searches, with the name on its first line. `q` is case-folded in the same way.
 */
function searchKey(kind: Kind, content: Content): string {
  const texts = [content['name'], content['identifier'], content['description']]
  const searched = kind.fields.filter(field => field.searched !== undefined).map(field => content[field.name])
  return fold([...texts, ...searched].flat().filter(Boolean).join('\n'))
}

/** Returns the values of the columns from which a record is found. */
export function searchCells(kind: Kind, content: Content): readonly Cell[] {
  if (!kind.named) return [searchKey(kind, content)]
  const { title, body } = recordText(kind, content)
  return [searchKey(kind, content), title, body]
}

/** Returns the words that the search finds. */
export function recordText(kind: Kind, content: Content): SearchText {
  const valuesOf = (wanted: Field['searched']) =>
    kind.fields.filter(field => field.searched === wanted).flatMap(field => content[field.name] ?? [])
  const identifier = String(content['identifier'] ?? '')
  // By convention all identifiers of a kind begin with the same word, which finds nothing in particular.
  const own = identifier.startsWith(`${kind.prefix}.`) ? identifier.slice(kind.prefix.length + 1) : identifier
  const names = [own, ...valuesOf('name')]
  return searchText(String(content['name'] ?? ''), names, [content['description'], ...valuesOf(true)])
}

function fromCell(field: Field, cell: Cell | undefined): unknown {
  if (cell === null || cell === undefined) return null
  return isJson(field) ? JSON.parse(String(cell)) : cell
}

function toCell(field: Field, value: unknown): Cell {
  if (value === null || value === undefined) return null
  return isJson(field) ? JSON.stringify(value) : (value as Cell)
}
