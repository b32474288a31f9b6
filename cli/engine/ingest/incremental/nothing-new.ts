/** The outcome of a fetch that brought no record, or no other ones than before: the load before stays as it is. */
import { quoteName } from '@svc/server/catalog'
import { tablesOfLoad, withKnown } from '../../plan/last-load.ts'
import type { FetchContext, FetchedSource, FetchedTable } from '../source.ts'
import type { LoadBase } from './base.ts'

export function nothingNew(
  { asset, previous }: FetchContext,
  { load }: Pick<LoadBase, 'load'>,
  bytes: number,
): FetchedSource {
  return {
    asset: asset.name,
    loadId: load.load_id ?? '',
    rows: 0,
    bytes,
    // The load does not record which names its columns have at the source.
    tables: withKnown(tablesOfLoad(load), previous).map(shape => emptyTable(shape)),
    excludedColumns: [],
    drift: [],
    pageDrift: [],
    delivered: [],
    rejects: undefined,
    recordHashes: `SELECT CAST(NULL AS VARCHAR) AS ${quoteName('record_hash')} WHERE false`,
  }
}

export function emptyTable(shape: FetchedTable['shape']): FetchedTable {
  const columns = shape.columns.map(({ name, type = 'VARCHAR' }) => ({ name, type }))
  const values = columns.map(({ name, type }) => `CAST(NULL AS ${type}) AS ${quoteName(name)}`)
  return { shape, columns, sql: `SELECT ${values.join(', ')} WHERE false` }
}
