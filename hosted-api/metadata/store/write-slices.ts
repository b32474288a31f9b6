/**
 * The statement for each kind of slice: it inserts rows from one JSON text, which stay invisible until the
 * upload is complete.
 */
import {
  type Cell,
  type Engine,
  numberRows,
  objectRows,
  type RowColumns,
  type Tx,
} from '../../storage/index.ts'
import type { Slice, SliceKind } from '../pack/rows.ts'
import type { Claim } from './claim.ts'

interface Statement {
  readonly text: string
  /** Without the last one, which is the text of the slice. */
  readonly values: readonly Cell[]
}

export async function writeSlice(tx: Tx, claim: Claim, at: string, { kind, text }: Slice): Promise<void> {
  const statement = statements[kind](tx.engine, claim, at)
  await tx.all(statement.text, [...statement.values, text])
}

function texts(...names: readonly string[]): RowColumns {
  return Object.fromEntries(names.map(name => [name, 'text']))
}

const assetColumns = texts('identifier', 'name', 'path')
const stateColumns = texts(
  ...['identifier', 'name', 'path', 'kind', 'hash', 'details_hash', 'edges_hash', 'definition_hash'],
  ...['description', 'owner', 'tags', 'blocks', 'columns', 'tests', 'details', 'search_title', 'search_body'],
)
const edgeColumns = texts('from', 'to', 'owner', 'kind', 'columns')
const versionColumns = texts('identifier', 'hash', 'deployed_at', 'status', 'run_id')
const resultColumns: RowColumns = {
  ...texts('identifier', 'at', 'tests'),
  total: 'integer',
  passed: 'integer',
  failed: 'integer',
}

type Write = (engine: Engine, claim: Claim, at: string) => Statement

const statements: Readonly<Record<SliceKind, Write>> = {
  /** A new asset counts as removed until the upload is complete. */
  assets: (engine, { project }, at) => ({
    text: `insert into asset (project_id, identifier, name, path, created_at, updated_at, removed_at)
      select cast(? as integer), item.identifier, item.name, item.path, cast(? as text), cast(? as text), cast(? as text)
      from ${objectRows(engine, assetColumns)}
      where true on conflict (project_id, identifier) do nothing`,
    values: [project, at, at, at],
  }),
  closedStates: (engine, { upload }) => ({
    text: `update asset_state set to_upload = ? where to_upload is null and asset_id in (${numberRows(engine)})`,
    values: [upload],
  }),
  closedEdges: (engine, { upload }) => ({
    text: `update lineage_edge set to_upload = ? where to_upload is null and owner_asset in (${numberRows(engine)})`,
    values: [upload],
  }),
  states: (engine, { project, upload }) => {
    const names = Object.keys(stateColumns).filter(name => name !== 'identifier')
    return {
      text: `insert into asset_state (project_id, asset_id, from_upload, ${names.join(', ')})
        select cast(? as integer), ${assetOf('identifier')}, cast(? as integer), ${names.map(name => `item.${name}`).join(', ')}
        from ${objectRows(engine, stateColumns)}`,
      values: [project, project, upload],
    }
  },
  edges: (engine, claim) => edgeStatement(engine, claim, 0, ''),
  loose: (engine, claim) =>
    edgeStatement(
      engine,
      claim,
      1,
      `where not exists (select 1 from lineage_edge as known where known.from_asset = edge.from_asset
        and known.to_asset = edge.to_asset and known.kind = edge.kind and known.to_upload is null)`,
    ),
  versions: (engine, { project, upload }) => ({
    text: `insert into asset_version (project_id, asset_id, upload_id, hash, deployed_at, status, run_id)
      select cast(? as integer), ${assetOf('identifier')}, cast(? as integer), item.hash, item.deployed_at, item.status,
        item.run_id
      from ${objectRows(engine, versionColumns)}
      where true on conflict (asset_id, hash, deployed_at) do nothing`,
    values: [project, project, upload],
  }),
  /** The same results are stored once. */
  results: (engine, { project, upload }) => ({
    text: `insert into test_result (project_id, asset_id, upload_id, at, tests, total, passed, failed)
      select cast(? as integer), ${assetOf('identifier')}, cast(? as integer), item.at, item.tests, item.total, item.passed,
        item.failed
      from ${objectRows(engine, resultColumns)}
      where true on conflict (asset_id, at) do nothing`,
    values: [project, project, upload],
  }),
}

function edgeStatement(
  engine: Engine,
  { project, upload }: Claim,
  loose: 0 | 1,
  condition: string,
): Statement {
  return {
    text: `insert into lineage_edge (project_id, from_asset, to_asset, owner_asset, kind, columns, loose, from_upload)
      select cast(? as integer), edge.from_asset, edge.to_asset, edge.owner_asset, edge.kind, edge.columns, ${loose},
        cast(? as integer)
      from (select ${assetOf('from')} as from_asset, ${assetOf('to')} as to_asset, ${assetOf('owner')} as owner_asset,
        item.kind, item.columns from ${objectRows(engine, edgeColumns)}) as edge ${condition}`,
    values: [project, upload, project, project, project],
  }
}

/**
 * Selects the record number of the asset that a row names; its parameter is the project. It is not a join,
 * for which SQLite would parse the text again for every asset.
 */
function assetOf(column: string): string {
  return `(select asset.id from asset where asset.project_id = ? and asset.identifier = item."${column}")`
}

/** Results without a pack are visible at once. */
export async function writeResults(tx: Tx, project: number, text: string): Promise<void> {
  await writeSlice(tx, { project, upload: 0, holder: '' }, '', { kind: 'results', text })
}
