/**
 * Stores the answers to queries in a file: short values in its index, long texts after it, each decoded when it is looked at.
 * Most of them nobody looks at: of 1,000 assets they are 3.3 of 3.6 MB, and to parse them all takes 20 of the 500 ms of an
 * unchanged plan.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readRecordFile, writeRecordFile } from '@svc/server/workspace'
import type { JsonRow } from '../warehouse/warehouse.ts'

/** The rows by query. */
export type Answers = ReadonlyMap<string, readonly JsonRow[]>

/** Increase this when the same queries return something else. */
const format = 3

/** Texts from this length on are not in the index. */
const longText = 1000

/** A text that stands after the index: its row, its column, and where it begins and ends, in bytes. */
type LongText = readonly [row: number, column: string, start: number, end: number]
/** In the rows, an empty text stands for a long one. */
type Stored = readonly [query: string, rows: readonly Record<string, unknown>[], long: readonly LongText[]]

/** Returns the answers stored under this key; none if there is no such file. */
export function readAnswers(path: string, key: string): Answers {
  const file = readRecordFile(path, keyOf(key))
  if (file === undefined) return new Map()
  const { body, index } = file
  return new Map((index as readonly Stored[]).map(stored => [stored[0], rowsOf(stored, body)]))
}

function rowsOf([, rows, long]: Stored, body: Buffer): readonly JsonRow[] {
  for (const [row, column, start, end] of long) {
    const get = () => body.toString('utf8', start, end)
    Object.defineProperty(rows[row], column, { enumerable: true, get })
  }
  return rows as readonly JsonRow[]
}

/** If nothing can be written, the next command is only slower. */
export function keepAnswers(path: string, key: string, answers: Answers): void {
  const body: Buffer[] = []
  let length = 0
  const put = (text: string): readonly [start: number, end: number] => {
    const bytes = Buffer.from(text)
    body.push(bytes)
    length += bytes.length
    return [length - bytes.length, length]
  }
  const index = Array.from(answers, ([query, rows]) => storedOf(query, rows, put))
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(join(dirname(path), '.gitignore'), '*\n')
    writeRecordFile(path, keyOf(key), index, body)
  } catch {
    // The disk may be full, or the folder may belong to another user.
  }
}

function storedOf(
  query: string,
  rows: readonly JsonRow[],
  put: (text: string) => readonly [start: number, end: number],
): Stored {
  const long: LongText[] = []
  const short = rows.map((row, at) => {
    const values: Record<string, unknown> = { ...row }
    for (const [column, value] of Object.entries(values)) {
      if (typeof value !== 'string' || value.length < longText) continue
      long.push([at, column, ...put(value)])
      values[column] = ''
    }
    return values
  })
  return [query, short, long]
}

function keyOf(key: string): string {
  return `svc answers ${format}, ${key}`
}
