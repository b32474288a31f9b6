/**
 * Fetches rows written in the asset file itself. They are processed like all records, so that types and
 * contracts behave the same.
 */
import { dirname } from 'node:path'
import { withLocalReader } from '@svc/server/catalog'
import { createRecordReader, newShape, recordType } from '@svc/server/language'
import { finishFetch, peekedTables } from './finish-fetch.ts'
import { jsonSource } from './record-source.ts'
import type { FetchContext, FetchedSource, IngestOf, Source } from './source.ts'
import { Spool } from './spool.ts'

export function rowsSource(ingest: IngestOf<'rows'>): Source {
  return {
    fetch: context => fetchRows(ingest, context),
    async peek(context) {
      const shape = newShape()
      readRows(ingest, { shape, onRecord: () => undefined })
      return peekedTables(context, ingest, recordType(shape), true)
    },
  }
}

async function fetchRows(ingest: IngestOf<'rows'>, context: FetchContext): Promise<FetchedSource> {
  const spool = new Spool(context.spoolFolder)
  const shape = newShape()
  const bytes = readRows(ingest, { shape, onRecord: record => spool.write(record) })
  const spooled = spool.finish()
  const rows = spooled.records
  context.onProgress({ rows, bytes, pages: 1 })
  const source = jsonSource(spooled, recordType(shape))
  const records = { source, shape, loadId: spooled.hash, rows, bytes, pages: 1 }
  const { spoolFolder, signal } = context
  return withLocalReader({ temporaryFolder: dirname(spoolFolder), signal }, local =>
    finishFetch({ context, ingest, local }, records),
  )
}

function readRows(
  ingest: IngestOf<'rows'>,
  options: Pick<Parameters<typeof createRecordReader>[0], 'shape' | 'onRecord'>,
): number {
  const bytes = Buffer.from(JSON.stringify(ingest.rows))
  const levels = ingest.nested.depth + 2
  const reader = createRecordReader({ ...options, place: { kind: 'path', path: [] }, levels })
  reader.push(bytes)
  reader.end()
  return bytes.length
}
