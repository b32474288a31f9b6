/**
 * Reads a spool of an earlier process again, byte by byte: what its state promises must be there, and what the records
 * looked like is found out anew. Nothing is trusted that was not read.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, rm, stat, truncate } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createRecordReader, type JsonShape } from '@svc/server/language'
import { type ReopenedSpool, type SpoolState, spoolFile } from './spool.ts'

/** Undefined: the files are not what the state says. `shape` then holds what was seen of them and is of no more use. */
export async function reopenSpool(
  folder: string,
  state: SpoolState,
  { shape, levels }: { readonly shape: JsonShape; readonly levels: number },
): Promise<ReopenedSpool | undefined> {
  const hash = createHash('sha256')
  let records = 0
  const onRecord = () => void records++
  const reader = createRecordReader({ place: { kind: 'lines' }, shape, levels, onRecord })
  for (const [index, size] of state.sizes.entries()) {
    const path = spoolFile(folder, index)
    const found = (await stat(path).catch(() => undefined))?.size ?? -1
    if (found < size) return undefined
    if (found > size) await truncate(path, size)
    for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) {
      hash.update(piece as Buffer)
      // Bytes that are no records any more are told apart by the digest, not here.
      if (!readInto(reader, piece as Buffer)) return undefined
    }
  }
  if (hash.copy().digest('hex') !== state.digest || records !== state.records) return undefined
  await removeLater(folder, state.sizes.length)
  return { ...state, hash }
}

function readInto(reader: ReturnType<typeof createRecordReader>, piece: Buffer): boolean {
  try {
    reader.push(piece)
    return true
  } catch {
    return false
  }
}

/** Files that were begun after the state was saved, bodies of pages, and what DuckDB left. */
async function removeLater(folder: string, count: number): Promise<void> {
  const kept = new Set(Array.from({ length: count }, (_, index) => basename(spoolFile(folder, index))))
  for (const name of await readdir(folder)) {
    if (kept.has(name) || name === 'progress.json') continue
    await rm(join(folder, name), { recursive: true, force: true })
  }
}
