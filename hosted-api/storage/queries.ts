/** Queries of callers (`?` texts, knex builders) on the connections of one engine. */
import type { Knex } from 'knex'
import { readRevision } from './revisions.ts'
import type { Cell, Engine, Queries, Query, Readers, Row } from './storage.ts'
import { readStorageError } from './storage-error.ts'

/** Runs one text: with `?` for each value on SQLite, with `$1`, `$2`, … on PostgreSQL. */
export type RunText = (text: string, values: readonly Cell[]) => Promise<readonly Row[]>

export function createQueries(engine: Engine, build: Knex, run: RunText): Queries {
  async function all<R extends Row>(query: Query, values: readonly Cell[] = []): Promise<readonly R[]> {
    try {
      if (typeof query === 'string')
        return (await run(engine === 'postgres' ? numbered(query) : query, values)) as readonly R[]
      const { sql, bindings } = query.toSQL().toNative()
      return (await run(sql, bindings as readonly Cell[])) as readonly R[]
    } catch (error) {
      throw readStorageError(error)
    }
  }
  return {
    engine,
    build,
    all,
    first: async <R extends Row>(query: Query, values?: readonly Cell[]) => (await all<R>(query, values))[0],
  }
}

/** What a process that only reads has: without anything in memory, because another process writes. */
export function createReaders(reads: Queries, close: () => Promise<void>): Readers {
  const { engine } = reads
  return { engine, reads, longReads: reads, revision: project => readRevision(reads, project), close }
}

const numberedTexts = new Map<string, string>()

function numbered(text: string): string {
  const known = numberedTexts.get(text)
  if (known !== undefined) return known
  let count = 0
  const result = text.replace(/'(?:[^']|'')*'|\?/g, part => (part === '?' ? `$${++count}` : part))
  if (numberedTexts.size < 1000) numberedTexts.set(text, result)
  return result
}
