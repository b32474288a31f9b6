/**
 * Reads the spool of an earlier process again, byte by byte: it verifies that the files contain what the
 * saved state says, and determines the shape of the records again. It trusts nothing that it has not read.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, rm, stat, truncate } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createRecordReader, type JsonShape } from '@svc/server/language'
import { type ReopenedSpool, type SpoolState, spoolFile } from './spool.ts'

/** Returns undefined if the files do not match the state; `shape` is then incomplete and must not be used. */
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
    const actual = (await stat(path).catch(() => undefined))?.size ?? -1
    if (actual < size) return undefined
    if (actual > size) await truncate(path, size)
    for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) {
      hash.update(piece as Buffer)
      // Bytes that are no longer valid records are detected by the digest, not here.
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

/**
 * Removes files that were started after the state was saved, bodies of pages, and temporary files of DuckDB.
 */
async function removeLater(folder: string, count: number): Promise<void> {
  const kept = new Set(Array.from({ length: count }, (_, index) => basename(spoolFile(folder, index))))
  for (const name of await readdir(folder)) {
    if (kept.has(name) || name === 'progress.json') continue
    await rm(join(folder, name), { recursive: true, force: true })
  }
}
