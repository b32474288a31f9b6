/** Answers to questions as a file: what is short in its index, long texts behind it, each read when it is looked at. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readRecordFile, writeRecordFile } from '@svc/server/workspace'
import type { JsonRow } from '../warehouse/warehouse.ts'

/** Rows by question. */
export type Answers = ReadonlyMap<string, readonly JsonRow[]>

/** Raised when what is asked stays the same and the answers change. */
const format = 1

/** Texts from this length on are not in the index. */
const longText = 1000

type Packed = Readonly<Record<string, Scalar | LongText | { readonly value: unknown }>>
type Scalar = string | number | boolean | null
/** Where in the body it begins and ends, in bytes. */
type LongText = { readonly text: readonly [start: number, end: number] }
type Index = readonly (readonly [question: string, rows: readonly Packed[]])[]

/** Those of this key; none where there is no such file. */
export function readAnswers(path: string, key: string): Answers {
  const file = readRecordFile(path, keyOf(key))
  if (file === undefined) return new Map()
  const index = file.index as Index
  return new Map(index.map(([question, rows]) => [question, rows.map(row => unpacked(row, file.body))]))
}

/** Where nothing can be written, the next command is slower, and that is all. */
export function keepAnswers(path: string, key: string, answers: Answers): void {
  const body: Uint8Array[] = []
  let length = 0
  const put = (text: string): LongText => {
    const bytes = Buffer.from(text)
    body.push(bytes)
    length += bytes.length
    return { text: [length - bytes.length, length] }
  }
  const index: Index = [...answers].map(([question, rows]) => [question, rows.map(row => packed(row, put))])
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(join(dirname(path), '.gitignore'), '*\n')
    writeRecordFile(path, keyOf(key), index, body)
  } catch {
    // A full disk, a folder of someone else.
  }
}

function keyOf(key: string): string {
  return `svc answers ${format}, ${key}`
}

function packed(row: JsonRow, put: (text: string) => LongText): Packed {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, packedValue(value, put)]))
}

function packedValue(value: unknown, put: (text: string) => LongText): Packed[string] {
  if (typeof value === 'string') return value.length < longText ? value : put(value)
  return typeof value === 'object' && value !== null ? { value } : (value as Scalar)
}

/** The same row, with what is not in it yet. */
function unpacked(row: Packed, body: Buffer): JsonRow {
  for (const column in row) {
    const packed = row[column]
    if (typeof packed !== 'object' || packed === null) continue
    const get = () => ('text' in packed ? body.toString('utf8', ...packed.text) : packed.value)
    Object.defineProperty(row, column, { enumerable: true, get })
  }
  return row
}
