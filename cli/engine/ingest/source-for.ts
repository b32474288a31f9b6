/** The readers of sources, one line a kind. Each is loaded only when it is used: few commands need an HTTP client. */
import { type Ingest, isInWarehouse, type SourceIngest } from '@svc/server/language'
import { inProjectTypes } from './reading-types.ts'
import type { IngestOf, Source } from './source.ts'

interface SourceReader<Of extends SourceIngest> {
  load(ingest: Of): Promise<Source>
}

const readers: Readonly<Record<SourceIngest['type'], SourceReader<SourceIngest>>> = {
  file: { load: async (ingest: IngestOf<'file'>) => (await import('./file-source.ts')).fileSource(ingest) },
  rows: { load: async (ingest: IngestOf<'rows'>) => (await import('./rows-source.ts')).rowsSource(ingest) },
  sql: { load: async (ingest: IngestOf<'sql'>) => (await import('./sql/sql-source.ts')).sqlSource(ingest) },
  warehouse: {
    load: async (ingest: IngestOf<'warehouse'>) =>
      (await import('./warehouse/warehouse-source.ts')).warehouseSource(ingest),
  },
  rest_api: {
    load: async (ingest: IngestOf<'rest_api'>) => (await import('./rest/rest-source.ts')).restSource(ingest),
  },
}

/** Throws a plain Error for `type: none`, which nobody may fetch. */
export async function sourceFor(ingest: Ingest): Promise<Source> {
  if (ingest.type === 'none') throw new Error('an asset without a source has nothing to fetch')
  const source = await readers[ingest.type].load(ingest)
  // A table of the warehouse is read by the warehouse itself.
  return isInWarehouse(ingest) ? source : inProjectTypes(source)
}
