/**
 * Values by which a column can be known again wherever they turn up. Every column has them in several versions. From
 * one version to the next NULLs stay where they are, equal values stay equal, and texts, numbers and dates keep their
 * order: conditions, counts and keys of order say the same, so what changes in a result has flowed there.
 */
import { type Random, seededRandom } from '../random.ts'
import { enumValues, fewValues, type Table, type TableColumn, type ValueKind } from './tables.ts'

export interface MarkedValue {
  /** As a literal of SQL. */
  readonly sql: string
  /** The texts in it that belong to this column alone. */
  readonly marks: readonly string[]
}

const letters = 'abcdefghijklmnopqrstuvwxyz'

function word(random: Random, length: number): string {
  return Array.from({ length }, () => letters[random.below(26)] ?? 'a').join('')
}

function digits(random: Random, length: number): string {
  return Array.from({ length }, () => String(random.below(10))).join('')
}

/** Words in the order of their rows, whatever the version. */
function ranked(row: number, random: Random, length: number): string {
  return `${letters[1 + row * 4] ?? 'z'}${word(random, length - 1)}`
}

function text(value: string, ...marks: readonly string[]): MarkedValue {
  return { sql: `'${value}'`, marks: marks.length > 0 ? marks : [value] }
}

type Maker = (row: number, random: Random, version: number) => MarkedValue

const makers: Readonly<Record<ValueKind, Maker>> = {
  key: row => ({ sql: String(row + 1), marks: [] }),
  word: (row, random) => text(ranked(row, random, 12)),
  mail: (row, random) => {
    const [user, host] = [ranked(row, random, 12), word(random, 9)]
    return text(`${user}@${host}.eu`, user, host)
  },
  'full name': (row, random) => {
    const [first, last] = [ranked(row, random, 9), word(random, 9)]
    return text(`${first} ${last}`, first, last)
  },
  phone: (row, random) => text(`${row + 1}${digits(random, 11)}`),
  few: (row, _random, version) => ({ sql: `'${fewValues[(row + version) % 3]}'`, marks: [] }),
  enum: (row, _random, version) => ({ sql: `'${enumValues[(row + version) % 3]}'`, marks: [] }),
  boolean: (row, _random, version) => ({ sql: String((row === 0) === (version === 0)), marks: [] }),
  date: (row, random) => date(row, random),
  time: (row, random) => {
    const day = date(row, random)
    return { ...day, sql: `'${day.marks[0]} ${digitsOf(random, 10, 23)}:${digitsOf(random, 10, 59)}:11'` }
  },
  number: (row, random) => number(row, random),
  fraction: (row, random) => {
    const whole = number(row, random)
    return { ...whole, sql: `${whole.sql}.25` }
  },
  amount: (row, random) => {
    const whole = number(row, random)
    return { ...whole, sql: `${whole.sql}.50` }
  },
  struct: (row, random) => {
    const [mail, city, zip] = [ranked(row, random, 12), ranked(row, random, 12), number(row, random)]
    return {
      sql: `{'mail': '${mail}', 'city': '${city}', 'zip': ${zip.sql}}`,
      marks: [mail, city, ...zip.marks],
    }
  },
  list: (row, random) => {
    const items = [ranked(row, random, 12), ranked(row, random, 12)]
    return { sql: `['${items.join("', '")}']`, marks: items }
  },
  map: (row, random) => {
    const items = [ranked(row, random, 12), ranked(row, random, 12)]
    return { sql: `MAP {'k': '${items[0]}', 'l': '${items[1]}'}`, marks: items }
  },
  json: (row, random) => {
    const [mail, count] = [ranked(row, random, 12), number(row, random)]
    return { sql: `'{"mail": "${mail}", "count": ${count.sql}}'`, marks: [mail, ...count.marks] }
  },
}

function digitsOf(random: Random, from: number, to: number): string {
  return String(from + random.below(to - from))
}

function number(row: number, random: Random): MarkedValue {
  const value = `${row + 1}${digits(random, 6)}${1 + random.below(9)}`
  return { sql: value, marks: [value] }
}

function date(row: number, random: Random): MarkedValue {
  const days = row * 4000 + random.below(3900)
  const value = new Date(Date.UTC(1940, 0, 1 + days)).toISOString().slice(0, 10)
  return { sql: `'${value}'`, marks: [value] }
}

/** One value a row; the last row of most columns has none. */
export function columnValues(
  table: Table,
  column: TableColumn,
  seed: number,
  version: number,
): readonly MarkedValue[] {
  const random = seededRandom(hashOf(`${seed} ${version} ${table.name}.${column.name}`))
  const make = makers[column.kind]
  return Array.from({ length: table.rows }, (_, row) =>
    row === table.rows - 1 && column.kind !== 'key' ? { sql: 'NULL', marks: [] } : make(row, random, version),
  )
}

function hashOf(value: string): number {
  let hash = 2166136261
  for (const letter of value) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619)
  return hash >>> 0
}
