/** Stores the answers to queries in a file. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readRecordFile, writeRecordFile } from '@svc/server/workspace'
import type { JsonRow } from '../warehouse/warehouse.ts'

/** The rows by query. */
export type Answers = ReadonlyMap<string, readonly JsonRow[]>

/** Increase this when the same queries return something else. */
const format = 2

/** Returns the answers stored under this key; none if there is no such file. */
export function readAnswers(path: string, key: string): Answers {
  const index = readRecordFile(path, keyOf(key))?.index
  return new Map(index as Iterable<[string, readonly JsonRow[]]> | undefined)
}

/** If nothing can be written, the next command is only slower. */
export function keepAnswers(path: string, key: string, answers: Answers): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(join(dirname(path), '.gitignore'), '*\n')
    writeRecordFile(path, keyOf(key), [...answers], [])
  } catch {
    // The disk may be full, or the folder may belong to another user.
  }
}

function keyOf(key: string): string {
  return `svc answers ${format}, ${key}`
}
