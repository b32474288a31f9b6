/**
 * The glossary as a table for spreadsheets: a row per record, a column per field. Reading restores what was
 * written.
 */
import papa from 'papaparse'
import { invalid, invalidAt, Problem } from '../../http/index.ts'
import type { Pace } from '../../http/pace.ts'
import { type Field, isJson, type Kind } from '../kind.ts'
import { allKinds, entryKinds, kinds } from '../kinds.ts'
import { contentFields } from '../record.ts'
import type { GlossaryDocument } from './document.ts'
import { type ImportEntry, requireEntryCount } from './read-entries.ts'
import { tableParts } from './table-parts.ts'

/** The columns of links, which replace record numbers, because these differ between databases. */
const linkColumns = ['term', 'asset', 'column', 'role']

const csvColumns: readonly string[] = [
  'kind',
  ...new Set([...entryKinds.flatMap(kind => contentFields(kind).map(({ name }) => name)), ...linkColumns]),
]

type Cells = Readonly<Record<string, string>>

export function writeCsv(document: GlossaryDocument): string {
  const rows = [
    ...document.terms.map(record => cellsOf(kinds.term, record)),
    ...document.metrics.map(record => cellsOf(kinds.metric, record)),
    ...document.dimensions.map(record => cellsOf(kinds.dimension, record)),
    ...document.policies.map(record => cellsOf(kinds.policy, record)),
    ...document.terms.flatMap(term => (term['links'] as readonly Record<string, unknown>[]).map(linkCells)),
  ]
  // A spreadsheet would execute text that starts like a formula: papaparse puts ' before it.
  return papa.unparse(rows as Cells[], { columns: [...csvColumns], escapeFormulae: true, newline: '\r\n' })
}

/**
 * Returns the entries of a table whose first row names its columns, and stops as soon as there are too many.
 * @throws Problem `malformed_json` if it is not a table, `invalid` for unknown columns and kinds
 */
export async function readCsv(text: string, pace: Pace): Promise<readonly ImportEntry[]> {
  const entries: ImportEntry[] = []
  for (const { header, rows, delimiter, before } of tableParts(text, csvColumns.length)) {
    for (const [index, row] of cellsOfPart(header + rows, delimiter, before).entries()) {
      entries.push(entryOf(row, `/${before + index + 1}`))
    }
    requireEntryCount(entries)
    const pause = pace.pause()
    if (pause !== undefined) await pause
  }
  return entries
}

/** @param before the rows of earlier parts */
function cellsOfPart(text: string, delimiter: string, before: number): readonly Cells[] {
  const { data, errors, meta } = papa.parse<Cells>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    delimiter,
  })
  const broken = errors.find(({ type }) => type === 'Quotes' || type === 'FieldMismatch')
  if (broken !== undefined) {
    throw new Problem(
      'malformed_json',
      `Row ${before + (broken.row ?? 0) + 2} of the table: ${broken.message}.`,
    )
  }
  const unknown = (meta.fields ?? []).filter(name => !csvColumns.includes(name))
  if (unknown.length > 0) {
    throw invalid(
      unknown.map(name => ({
        pointer: `/0/${name}`,
        code: 'unknown_column',
        detail: `There is no column "${name}"; there are ${csvColumns.join(', ')}.`,
      })),
    )
  }
  return data
}

function cellsOf(kind: Kind, record: Readonly<Record<string, unknown>>): Cells {
  const cells = contentFields(kind).map(field => [field.name, cellOf(field, record[field.name])])
  return { kind: kind.name, ...Object.fromEntries(cells) }
}

function linkCells(link: Readonly<Record<string, unknown>>): Cells {
  const { term_identifier, asset_name, column, role } = link
  return {
    kind: 'link',
    term: String(term_identifier),
    asset: String(asset_name),
    column: String(column ?? ''),
    role: String(role),
  }
}

/** Lists are written as `a; b`, or as JSON if an item would be ambiguous; objects as JSON. */
function cellOf(field: Field, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (!isJson(field)) return String(value)
  const isPlain = Array.isArray(value) && value.every(isPlainItem)
  if (isPlain) return (value as string[]).join('; ')
  return isEmptyObject(value) ? '' : JSON.stringify(value)
}

function isPlainItem(item: unknown): boolean {
  return typeof item === 'string' && item.trim() === item && !/[;[{]/.test(item)
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function entryOf(row: Cells, pointer: string): ImportEntry {
  const kind = allKinds.find(({ name }) => name === row['kind']?.trim())
  if (kind === undefined) {
    const detail = `"${row['kind'] ?? ''}" is no kind; kinds are ${allKinds.map(({ name }) => name).join(', ')}.`
    throw invalidAt(`${pointer}/kind`, 'not_allowed', detail)
  }
  const cells = Object.entries(row).filter(
    ([name, text]) => name !== 'kind' && text !== undefined && text !== '',
  )
  if (!kind.named)
    return { kind, pointer, body: Object.fromEntries(cells.map(([name, text]) => [name, plain(text)])) }
  const lists = new Set(
    contentFields(kind)
      .filter(isJson)
      .map(({ name }) => name),
  )
  const body = Object.fromEntries(
    cells.map(([name, text]) => [
      name,
      lists.has(name) ? jsonValue(plain(text), pointer, name) : plain(text),
    ]),
  )
  return { kind, pointer, body }
}

/** Removes the ' that prevents a spreadsheet from executing the text. */
function plain(text: string): string {
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}

function jsonValue(text: string, pointer: string, name: string): unknown {
  if (!/^\s*[[{]/.test(text))
    return text
      .split(';')
      .map(item => item.trim())
      .filter(Boolean)
  try {
    return JSON.parse(text)
  } catch {
    throw invalidAt(`${pointer}/${name}`, 'malformed', `"${name}" begins like JSON and is none.`)
  }
}
