/**
 * Reads the spool of an earlier process again, byte by byte: it verifies that the files contain what the
 * saved state says, and determines the shape of the records again. It trusts nothing that it has not read.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat, truncate } from 'node:fs/promises'
import { basename } from 'node:path'
import { createRecordReader, type JsonShape } from '@svc/server/language'
import { clearSpool } from './progress-file.ts'
import { type ReopenedSpool, type SpoolState, spoolFile } from './spool.ts'

/**
 * Returns undefined if the files do not match the state, or do not show the shape of the records, because numbers in them became
 * texts; `shape` is then incomplete and must not be used.
 */
export async function reopenSpool(
  folder: string,
  state: SpoolState,
  { shape, levels }: { readonly shape: JsonShape; readonly levels: number },
): Promise<ReopenedSpool | undefined> {
  if ((state.quoted ?? 0) > 0) return undefined
  const hash = createHash('sha256')
  let records = 0
  const onRecord = () => void records++
  const reader = createRecordReader({
    place: { kind: 'lines' },
    shape,
    levels,
    onRecord,
    mostLevels: Number.POSITIVE_INFINITY,
  })
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
  // Files that were started after the state was saved, bodies of pages and temporary files of DuckDB go.
  await clearSpool(folder, [
    ...state.sizes.map((_, index) => basename(spoolFile(folder, index))),
    'progress.json',
  ])
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
