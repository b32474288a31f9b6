/** Answers to questions as a file. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readRecordFile, writeRecordFile } from '@svc/server/workspace'
import type { JsonRow } from '../warehouse/warehouse.ts'

/** Rows by question. */
export type Answers = ReadonlyMap<string, readonly JsonRow[]>

/** Raised when what is asked stays the same and the answers change. */
const format = 2

/** The answers that were kept under this key; none where there is no such file. */
export function readAnswers(path: string, key: string): Answers {
  const index = readRecordFile(path, keyOf(key))?.index
  return new Map(index as Iterable<[string, readonly JsonRow[]]> | undefined)
}

/** Where nothing can be written, the next command is slower, and that is all. */
export function keepAnswers(path: string, key: string, answers: Answers): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(join(dirname(path), '.gitignore'), '*\n')
    writeRecordFile(path, keyOf(key), [...answers], [])
  } catch {
    // A full disk, a folder of someone else.
  }
}

function keyOf(key: string): string {
  return `svc answers ${format}, ${key}`
}
