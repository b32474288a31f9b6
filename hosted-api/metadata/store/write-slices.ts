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
  /** `slice` is a placeholder for the text of the slice. */
  readonly values: readonly (Cell | { readonly slice: true })[]
}

const slice = { slice: true } as const

export async function writeSlice(tx: Tx, claim: Claim, at: string, { kind, text }: Slice): Promise<void> {
  const statement = statements[kind](tx.engine, claim, at)
  await tx.all(
    statement.text,
    statement.values.map(value => (typeof value === 'object' && value !== null ? text : value)),
  )
}

const stateColumns: RowColumns = {
  identifier: 'text',
  name: 'text',
  path: 'text',
  kind: 'text',
  hash: 'text',
  details_hash: 'text',
  edges_hash: 'text',
  definition_hash: 'text',
  description: 'text',
  owner: 'text',
  tags: 'text',
  blocks: 'text',
  columns: 'text',
  tests: 'text',
  details: 'text',
  search_title: 'text',
  search_body: 'text',
}

const edgeColumns: RowColumns = { from: 'text', to: 'text', owner: 'text', kind: 'text', columns: 'text' }

type Write = (engine: Engine, claim: Claim, at: string) => Statement

const statements: Readonly<Record<SliceKind, Write>> = {
  /** A new asset counts as removed until the upload is complete. */
  assets: (engine, { project }, at) => ({
    text: `insert into asset (project_id, identifier, name, path, created_at, updated_at, removed_at)
      select cast(? as integer), item.identifier, item.name, item.path, cast(? as text), cast(? as text), cast(? as text)
      from ${objectRows(engine, { identifier: 'text', name: 'text', path: 'text' })}
      where true on conflict (project_id, identifier) do nothing`,
    values: [project, at, at, at, slice],
  }),
  closedStates: (engine, { upload }) => ({
    text: `update asset_state set to_upload = ? where to_upload is null and asset_id in (${numberRows(engine)})`,
    values: [upload, slice],
  }),
  closedEdges: (engine, { upload }) => ({
    text: `update lineage_edge set to_upload = ? where to_upload is null and owner_asset in (${numberRows(engine)})`,
    values: [upload, slice],
  }),
  states: (engine, { project, upload }) => {
    const names = Object.keys(stateColumns).filter(name => name !== 'identifier')
    return {
      text: `insert into asset_state (project_id, asset_id, from_upload, ${names.join(', ')})
        select cast(? as integer), ${assetOf('identifier')}, cast(? as integer), ${names.map(name => `item.${name}`).join(', ')}
        from ${objectRows(engine, stateColumns)}`,
      values: [project, project, upload, slice],
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
    values: [project, project, upload, slice],
  }),
  results: (engine, { project, upload }) => resultStatement(engine, project, upload),
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
    values: [project, upload, project, project, project, slice],
  }
}

/**
 * Selects the record number of the asset that a row names; its parameter is the project. It is not a join,
 * for which SQLite would parse the text again for every asset.
 */
function assetOf(column: string): string {
  return `(select asset.id from asset where asset.project_id = ? and asset.identifier = item."${column}")`
}

const versionColumns: RowColumns = {
  identifier: 'text',
  hash: 'text',
  deployed_at: 'text',
  status: 'text',
  run_id: 'text',
}

const resultColumns: RowColumns = {
  identifier: 'text',
  at: 'text',
  tests: 'text',
  total: 'integer',
  passed: 'integer',
  failed: 'integer',
}

/** The same results are stored once. */
function resultStatement(engine: Engine, project: number, upload: number): Statement {
  return {
    text: `insert into test_result (project_id, asset_id, upload_id, at, tests, total, passed, failed)
      select cast(? as integer), ${assetOf('identifier')}, cast(? as integer), item.at, item.tests, item.total, item.passed,
        item.failed
      from ${objectRows(engine, resultColumns)}
      where true on conflict (asset_id, at) do nothing`,
    values: [project, project, upload, slice],
  }
}

/** Results without a pack are visible at once. */
export async function writeResults(tx: Tx, project: number, text: string): Promise<void> {
  await writeSlice(tx, { project, upload: 0, holder: '' }, '', { kind: 'results', text })
}
