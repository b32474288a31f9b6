/** What a file of another tool says, as entries of the glossary with their places in that file. */
import type { EntryFields, EntryKind, EntryValue } from '@svc/server/language'

export type ImportFormat = 'csv' | 'svc' | 'datahub' | 'openmetadata'

export interface ImportedEntry {
  readonly kind: EntryKind
  /** As the file has it, or as made from its path there; undefined if the name has to do. */
  readonly id: string | undefined
  /** Without empty values; of a link its term by identifier or name, its asset, column and role. */
  readonly fields: EntryFields
  /** `line 3`, or a pointer into JSON. */
  readonly place: string
}

export interface ImportProblem {
  readonly place: string
  readonly message: string
}

export interface Imported {
  readonly format: ImportFormat
  readonly entries: readonly ImportedEntry[]
  /** What the file has and glossary.yaml has no place for, in words. */
  readonly ignored: readonly string[]
  readonly problems: readonly ImportProblem[]
}

/** Gathers what a reader finds. */
export class ImportNotes {
  readonly entries: ImportedEntry[] = []
  readonly problems: ImportProblem[] = []
  private readonly leftOut = new Map<string, number>()

  problem(place: string, message: string): void {
    this.problems.push({ place, message })
  }

  link(place: string, fields: Parameters<typeof fieldsOf>[0]): void {
    this.entries.push({ kind: 'link', id: undefined, fields: fieldsOf(fields), place })
  }

  /** Counts a value that has no place in glossary.yaml; an empty one is none. */
  ignore(what: string, value: unknown): void {
    if (isEmpty(value)) return
    this.leftOut.set(what, (this.leftOut.get(what) ?? 0) + 1)
  }

  result(format: ImportFormat): Imported {
    const ignored = [...this.leftOut].map(([what, count]) => `${what} (${count})`)
    return { format, entries: this.entries, ignored, problems: this.problems }
  }
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** A text, a number or a boolean as text; undefined for all else and for what is empty. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}

export function textsOf(value: unknown): readonly string[] {
  const items = Array.isArray(value) ? value : [value]
  return items.flatMap(item => textOf(item) ?? [])
}

/** The name of an entry as it is written to the glossary. */
export function nameOf(value: EntryValue | undefined): string {
  return String(value ?? '')
    .trim()
    .replace(/\s+/g, ' ')
}

/** Leaves out keys without a value. */
export function fieldsOf(values: Readonly<Record<string, EntryValue | undefined>>) {
  const given = Object.entries(values).flatMap(([key, value]) =>
    value === undefined || value.length === 0 ? [] : [[key, value] as const],
  )
  return Object.fromEntries(given)
}
