/**
 * Lines in the middle of CSV files that repeat the header, as files have them that were joined from several. They are
 * records like any others, so a run says where they are.
 */
import { createReadStream } from 'node:fs'
import { relative } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { CsvGroup } from '@svc/server/catalog'
import type { FetchContext } from './source.ts'

const placesShown = 3

/** `count`: how many records repeat the header, as the engine read them. */
export async function warnOfRepeatedHeaders(
  { root, onWarning, signal }: FetchContext,
  groups: readonly CsvGroup[],
  count: number,
): Promise<void> {
  if (count === 0 || onWarning === undefined) return
  const places: string[] = []
  const wanted = Math.min(count, placesShown)
  for (const { files, columns } of groups) {
    for (const path of files) {
      if (places.length >= wanted) break
      const lines = await linesLikeHeader(path, columns, wanted - places.length, signal)
      places.push(...lines.map(line => `line ${line} of ${relative(root, path).replaceAll('\\', '/')}`))
    }
  }
  const rest = count - places.length
  const where = places.length === 0 ? '' : `: ${places.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
  onWarning({
    code: 'repeated-header',
    count,
    ...(places[0] !== undefined && { example: places[0] }),
    message: `${count === 1 ? 'a record repeats' : `${count} records repeat`} the header${where}`,
    hint: 'Take such lines out of the file. contract: {evolution: {types: discard_row}} rejects them where a column is not text.',
  })
}

/** Returns the numbers of the first lines after the header that say the same as it does, however they are quoted. */
async function linesLikeHeader(
  path: string,
  columns: readonly string[],
  wanted: number,
  signal: AbortSignal,
): Promise<readonly number[]> {
  if (path.endsWith('.zst')) return []
  const file = createReadStream(path, { signal })
  const input = path.endsWith('.gz') ? file.pipe(createGunzip()) : file
  const header = bare(columns.join(''))
  const found: number[] = []
  let number = 0
  let isHeaderSeen = false
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number++
      if (line.length < header.length || bare(line) !== header) continue
      if (isHeaderSeen) found.push(number)
      isHeaderSeen = true
      if (found.length >= wanted) break
    }
  } finally {
    file.destroy()
  }
  return found
}

/** Returns a line without what stands between and around its values. */
function bare(line: string): string {
  return line.replace(/["'\s,;|\uFEFF]/g, '')
}
