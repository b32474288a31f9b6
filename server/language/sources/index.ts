/** Lists the kinds of source, one line per kind, in the order of the reference and of completion. */
import type { ForEach, Ingest } from '../schema/definition.ts'
import type { FileOptions, LocalFiles } from '../source/file-options.ts'
import type { ExternalDataset } from './external-dataset.ts'
import { file } from './file.ts'
import { restApi } from './rest-api.ts'
import { rows } from './rows.ts'
import type { ChangesTold, RowRequests, SourceIngest, SourceKind } from './source-kind.ts'
import { sql } from './sql.ts'
import { warehouse } from './warehouse.ts'

type AnySourceKind = SourceKind<SourceIngest>

const kinds: Readonly<Record<SourceIngest['type'], AnySourceKind>> = {
  rest_api: restApi,
  sql,
  file,
  warehouse,
  rows,
}

export const sourceKinds: readonly AnySourceKind[] = Object.values(kinds)

/** The kinds that an editor offers for a new asset, the most common one first. */
export const sourcesToStartFrom: readonly AnySourceKind[] = [file, sql, restApi, warehouse, rows]

export function sourceKindOf({ type }: SourceIngest): AnySourceKind {
  return kinds[type]
}

/** Returns whether the rows of the source are in the warehouse: it is read where it is, and nothing is fetched. */
export function isInWarehouse(ingest: Ingest): boolean {
  return ingest.type !== 'none' && sourceKindOf(ingest).inWarehouse === true
}

/** Returns by what the user says that the rows have changed; undefined where the content tells it. */
export function changesToldOf(ingest: Ingest): ChangesTold | undefined {
  return ingest.type === 'none' ? undefined : sourceKindOf(ingest).changesTold?.(ingest)
}

/** Returns the local files that the source reads; undefined where it reads none. */
export function localFilesOf(ingest: Ingest): LocalFiles | undefined {
  return ingest.type === 'none' ? undefined : sourceKindOf(ingest).localFiles?.(ingest)
}

/** Returns what the source says of how its text files are written; undefined where it reads none. */
export function textOptionsOf(ingest: Ingest): FileOptions | undefined {
  return ingest.type === 'none' ? undefined : sourceKindOf(ingest).textOptions?.(ingest)
}

/** Returns how requests of the source use rows of another asset; undefined for sources that cannot. */
export function rowRequestsOf(ingest: Ingest): RowRequests | undefined {
  return ingest.type === 'none' ? undefined : sourceKindOf(ingest).rowRequests?.(ingest)
}

/** Returns the asset whose rows the source is asked for; undefined where it is asked once. */
export function forEachOf(ingest: Ingest | undefined): ForEach | undefined {
  return ingest === undefined ? undefined : rowRequestsOf(ingest)?.forEach
}

/** Returns whether a load reads only what no load before has, told without a cursor. */
export function loadsOnlyNew(ingest: Ingest): boolean {
  return ingest.type !== 'none' && sourceKindOf(ingest).loadsOnlyNew?.(ingest) === true
}

/** Returns what the source reads from outside; undefined where that has no name. `resolve` says what a written address stands for. */
export function externalDatasetOf(
  ingest: Ingest,
  resolve: (endpoint: string) => string | undefined,
): ExternalDataset | undefined {
  if (ingest.type === 'none') return undefined
  const endpoint = 'endpoint' in ingest ? resolve(ingest.endpoint) : ''
  return endpoint === undefined ? undefined : sourceKindOf(ingest).dataset?.(ingest, endpoint)
}

/** Returns the records that the asset file itself holds; undefined where they come from elsewhere. */
export function ownRecordsOf(ingest: Ingest): readonly unknown[] | undefined {
  return ingest.type === 'none' ? undefined : sourceKindOf(ingest).ownRecords?.(ingest)
}
