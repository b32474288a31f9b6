/**
 * A table of entries: a row an entry, columns named as the keys of glossary.yaml. A column `kind` says what each row
 * is; the tables that the hosted store exports have one.
 */
import {
  type CsvRow,
  didYouMean,
  type EntryKey,
  type EntryKind,
  type EntryValue,
  entryShapes,
  parseCsv,
} from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { fieldsOf, type Imported, ImportNotes } from './imported.ts'
import { isOpenMetadataTable, readOpenMetadataTable } from './openmetadata-table.ts'

/** What the hosted store keeps of an entry and glossary.yaml does not. */
const storeColumns = ['tags', 'metadata', 'status', 'reviewers', 'related', 'unit']
/** A term may have its links in its own row. */
const linkColumns = ['asset', 'column', 'role', 'links']

export interface Table {
  readonly header: readonly string[]
  readonly rows: readonly CsvRow[]
}

export function readCsvImport(text: string, kind: EntryKind | undefined): Imported {
  const notes = new ImportNotes()
  const table = readTable(text, notes)
  if (isOpenMetadataTable(table.header)) return readOpenMetadataTable(table, notes)
  refuseColumns(table.header)
  const fallback = kind ?? kindOf(table.header)
  const isExport = table.header.includes('kind') && table.header.includes('id')
  for (const { line, cells } of table.rows) {
    const row = new Map(table.header.map((name, index) => [name, plain(cells[index] ?? '')]))
    readRow(notes, `line ${line}`, row, { fallback, onlySemicolons: isExport })
  }
  return notes.result('csv')
}

function readTable(text: string, notes: ImportNotes): Table {
  const firstLine = text.slice(0, text.search(/\r|\n|$/))
  const separator = ['\t', ';'].find(each => firstLine.includes(each) && !firstLine.includes(',')) ?? ','
  const { rows, problems } = parseCsv(text, separator)
  const [head, ...rest] = rows
  if (head === undefined) throw new SvcError('import-unreadable', 'the table is empty')
  const header = head.cells.map(cell => columnName(cell.trim()))
  for (const { line, message } of problems) notes.problem(`line ${line}`, message)
  const whole = rest.filter(({ line, cells }) => {
    if (cells.length === header.length) return true
    notes.problem(`line ${line}`, `it has ${cells.length} cells, and the first row ${header.length}`)
    return false
  })
  return { header, rows: whole }
}

function columnName(written: string): string {
  return written === 'identifier' ? 'id' : written
}

function refuseColumns(header: readonly string[]): void {
  const keys = Object.values(entryShapes).flatMap(shape => shape.keys.map(({ name }) => name))
  const known = new Set(['kind', ...keys, ...linkColumns, ...storeColumns])
  const unknown = header.find(name => !known.has(name))
  if (unknown !== undefined) {
    const question = didYouMean(unknown, known)
    throw new SvcError('import-unreadable', `the table has a column "${unknown.slice(0, 100)}"${question}`, {
      hint: `Columns are called as the keys of glossary.yaml: ${[...new Set(keys)].join(', ')}; and kind, links.`,
    })
  }
  const twice = header.find((name, index) => header.indexOf(name) !== index)
  if (twice !== undefined) throw new SvcError('import-unreadable', `the table has two columns "${twice}"`)
}

/** What rows without a `kind` are: told by columns that only one kind has. */
function kindOf(header: readonly string[]): EntryKind {
  const has = (...names: readonly string[]) => names.some(name => header.includes(name))
  if (has('sql_definition', 'time_grain', 'source_assets')) return 'metric'
  if (has('rule', 'pii_columns', 'applies_to', 'enforcement', 'derived')) return 'policy'
  if (has('values', 'type')) return 'dimension'
  return has('term') && !has('name') ? 'link' : 'term'
}

type Row = ReadonlyMap<string, string>

interface RowRules {
  readonly fallback: EntryKind
  /** Lists of an export are separated by semicolons, and a comma is part of an item. */
  readonly onlySemicolons: boolean
}

function readRow(notes: ImportNotes, place: string, row: Row, rules: RowRules): void {
  const kind = kindOfRow(notes, place, row, rules.fallback)
  if (kind === undefined) return
  const { keys } = entryShapes[kind]
  const before = notes.problems.length
  refuseOtherCells(notes, place, row, kind)
  for (const name of storeColumns) notes.ignore(name, isNothing(row.get(name)) ? '' : row.get(name))
  const values = Object.fromEntries(
    keys.map(key => [key.name, cellValue(notes, place, key, row.get(key.name) ?? '', rules.onlySemicolons)]),
  )
  for (const { name, isRequired } of keys)
    if (isRequired && (values[name] ?? '').length === 0) notes.problem(place, `the ${kind} has no ${name}`)
  if (notes.problems.length > before) return
  const { id, ...fields } = fieldsOf(values)
  notes.entries.push({ kind, id: typeof id === 'string' ? id : undefined, fields, place })
  if (kind === 'term') addLinks(notes, place, row, String(id ?? fields['name']))
}

/** The store writes empty objects and lists as such. */
function isNothing(cell: string | undefined): boolean {
  return cell === undefined || ['', '{}', '[]', 'draft'].includes(cell)
}

function kindOfRow(notes: ImportNotes, place: string, row: Row, fallback: EntryKind): EntryKind | undefined {
  const written = row.get('kind')?.toLowerCase() ?? ''
  if (written === '') return fallback
  const kinds = Object.keys(entryShapes) as EntryKind[]
  const kind = kinds.find(each => each === written || entryShapes[each].list === written)
  if (kind === undefined)
    notes.problem(place, `"${written.slice(0, 100)}" is no kind; kinds are ${kinds.join(', ')}`)
  return kind
}

/** A cell that says nothing of this kind would be lost. */
function refuseOtherCells(notes: ImportNotes, place: string, row: Row, kind: EntryKind): void {
  const own = new Set(['kind', ...entryShapes[kind].keys.map(({ name }) => name), ...storeColumns])
  if (kind === 'term') for (const name of linkColumns) own.add(name)
  for (const [name, cell] of row) {
    if (cell === '' || own.has(name)) continue
    if (kind === 'policy' && (name === 'id' || name === 'description' || name === 'owner'))
      notes.ignore(`${name} of policies`, cell)
    else if (kind === 'dimension' && name === 'owner') notes.ignore('owner of dimensions', cell)
    else if (!isNothing(cell) && !isDefaultOfOther(name, cell))
      notes.problem(place, `a ${kind} has no ${name}`)
  }
}

/** An export fills in defaults for rows of other kinds too. */
function isDefaultOfOther(name: string, cell: string): boolean {
  return Object.values(entryShapes).some(({ keys }) =>
    keys.some(key => key.name === name && key.default === cell),
  )
}

function cellValue(
  notes: ImportNotes,
  place: string,
  { name, isList, choices }: EntryKey,
  cell: string,
  onlySemicolons: boolean,
): EntryValue | undefined {
  if (cell === '') return undefined
  if (isList) return listOf(notes, place, name, cell, onlySemicolons)
  if (choices === undefined || choices.includes(cell)) return cell
  notes.problem(place, `${name} cannot be "${cell.slice(0, 100)}"${didYouMean(cell, choices)}`)
  return undefined
}

function listOf(
  notes: ImportNotes,
  place: string,
  name: string,
  cell: string,
  onlySemicolons: boolean,
): readonly string[] {
  if (/^\s*\[/.test(cell)) {
    try {
      return (JSON.parse(cell) as readonly unknown[]).map(String)
    } catch {
      notes.problem(place, `${name} begins like a list in JSON and is none`)
      return []
    }
  }
  const separator = onlySemicolons || /[;\n]/.test(cell) ? /[;\n]/ : ','
  return cell
    .split(separator)
    .map(item => item.trim())
    .filter(item => item !== '')
}

function addLinks(notes: ImportNotes, place: string, row: Row, term: string): void {
  const [asset = '', column = '', role = ''] = ['asset', 'column', 'role'].map(name => row.get(name))
  if (asset !== '') notes.link(place, { term, asset, column, role })
  else if (column !== '') notes.problem(place, 'it has a column and no asset')
  for (const written of listOf(notes, place, 'links', row.get('links') ?? '', false)) {
    const dot = written.indexOf('.')
    const [name, own] = dot < 0 ? [written, ''] : [written.slice(0, dot), written.slice(dot + 1)]
    notes.link(place, { term, asset: name, column: own })
  }
}

/** Removes the ' that keeps a spreadsheet from executing the text. */
function plain(cell: string): string {
  const text = cell.trim()
  return /^'[=+\-@]/.test(text) ? text.slice(1) : text
}
