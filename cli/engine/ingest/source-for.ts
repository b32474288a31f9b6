/** The readers of sources, one line a kind. Each is loaded only when it is used: few commands need an HTTP client. */
import { type Ingest, isInWarehouse, type SourceIngest } from '@svc/server/language'
import { inProjectTypes } from './reading-types.ts'
import type { IngestOf, Source } from './source.ts'

const readers: { readonly [Type in SourceIngest['type']]: (ingest: IngestOf<Type>) => Promise<Source> } = {
  file: async ingest => (await import('./file-source.ts')).fileSource(ingest),
  rows: async ingest => (await import('./rows-source.ts')).rowsSource(ingest),
  sql: async ingest => (await import('./sql/sql-source.ts')).sqlSource(ingest),
  warehouse: async ingest => (await import('./warehouse/warehouse-source.ts')).warehouseSource(ingest),
  rest_api: async ingest => (await import('./rest/rest-source.ts')).restSource(ingest),
}

/** Throws a plain Error for `type: none`, which nobody may fetch. */
export async function sourceFor(ingest: Ingest): Promise<Source> {
  if (ingest.type === 'none') throw new Error('an asset without a source has nothing to fetch')
  const read = readers[ingest.type] as (ingest: SourceIngest) => Promise<Source>
  const source = await read(ingest)
  // A table of the warehouse is read by the warehouse itself.
  return isInWarehouse(ingest) ? source : inProjectTypes(source)
}
