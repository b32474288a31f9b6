/** The rows of a unit test in the file: each value with its place and as it is written. */

import { uniqueBy } from '../lists.ts'
import { plainValue } from '../schema/read-value.ts'
import type { MapNode, Node, ScalarNode } from '../syntax/node.ts'
import { resolvePlainScalar } from '../syntax/plain-scalar.ts'
import { scalarPositions } from '../syntax/scalar-positions.ts'
import type { Range } from '../text/range.ts'
import { type CsvCell, parseCsvRows } from './csv-rows.ts'

export interface UnitTable {
  readonly form: 'list' | 'csv'
  readonly rows: readonly UnitRow[]
  /** Each column that is named anywhere, at its first place, in order. */
  readonly columns: readonly { readonly name: string; readonly range: Range }[]
  readonly range: Range
}

export interface UnitRow {
  readonly cells: readonly UnitCell[]
  readonly range: Range
}

export interface UnitCell {
  readonly column: string
  readonly columnRange: Range
  readonly value: UnitValue
  readonly range: Range
}

export type UnitValue =
  | { readonly kind: 'null' }
  /** A scalar as it is written (`007`, `1.50`); `plain` is its type in YAML. */
  | { readonly kind: 'text'; readonly text: string; readonly plain: 'text' | 'number' | 'boolean' }
  /** A list or a mapping. */
  | { readonly kind: 'json'; readonly json: string }

/** Reads a table. An item that is no row is left out and was reported by the schema. */
export function readUnitTable(text: string, node: Node): UnitTable {
  if (node.kind === 'scalar') return csvTable(text, node)
  const items = node.kind === 'sequence' ? node.items : []
  const rows = items.flatMap(item => (item.kind === 'map' ? [rowOf(text, item)] : []))
  return { form: 'list', rows, columns: columnsOf(rows), range: node.range }
}

function rowOf(text: string, node: MapNode): UnitRow {
  const cells = uniqueBy(node.entries, ({ key }) => String(key.value)).map(({ key, value }) => ({
    column: String(key.value),
    columnRange: key.range,
    value: cellValue(text, value),
    range: value?.range ?? key.range,
  }))
  return { cells, range: node.range }
}

function cellValue(text: string, node: Node | undefined): UnitValue {
  if (node === undefined) return { kind: 'null' }
  if (node.kind !== 'scalar') return { kind: 'json', json: JSON.stringify(plainValue(node)) }
  const { value } = node
  if (value === null) return { kind: 'null' }
  if (typeof value === 'string') return { kind: 'text', text: value, plain: 'text' }
  const written = text.slice(node.bodyRange.start, node.bodyRange.end)
  const isDecimal = typeof value === 'number' && /^[-+]?[\d.]+(e[-+]?\d+)?$/i.test(written)
  return {
    kind: 'text',
    text: isDecimal ? written : String(value),
    plain: typeof value as 'number' | 'boolean',
  }
}

function csvTable(text: string, node: ScalarNode): UnitTable {
  const { header, rows } = parseCsvRows(String(node.value ?? ''))
  const toFile = scalarPositions(text, node)
  const place = (range: Range): Range => toFile.rangeToOriginal(range)
  const names = header.map(name => ({ name: name.text, range: place(name.range) }))
  return {
    form: 'csv',
    columns: names,
    range: node.range,
    rows: rows.map(cells => ({
      range: place({ start: cells[0]?.range.start ?? 0, end: cells.at(-1)?.range.end ?? 0 }),
      cells: cells.map((cell, index) => ({
        column: names[index]?.name ?? '',
        columnRange: names[index]?.range ?? node.range,
        value: csvValue(cell),
        range: place(cell.range),
      })),
    })),
  }
}

/** Returns the value of a cell. Without quotes it may be a number, if its column has no known type. */
function csvValue({ text, isQuoted }: CsvCell): UnitValue {
  if (text === null) return { kind: 'null' }
  const meant = isQuoted ? 'string' : typeof resolvePlainScalar(text)
  return { kind: 'text', text, plain: meant === 'number' || meant === 'boolean' ? meant : 'text' }
}

function columnsOf(rows: readonly UnitRow[]): UnitTable['columns'] {
  const all = rows.flatMap(({ cells }) => cells.map(cell => ({ name: cell.column, range: cell.columnRange })))
  return uniqueBy(all, ({ name }) => name)
}
