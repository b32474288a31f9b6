/** Reads one asset with its content, as it is now or as it was when it was removed. */

import type { NodeKind } from '../../../server/contract/pack.ts'
import type { Queries, Row } from '../../storage/index.ts'
import type { PackAsset } from '../pack/pack.ts'
import { headOf, jsonOf, nullableColumns, type Reading, textOrNull } from './visible.ts'

export interface StoredAsset extends PackAsset {
  readonly id: number
  readonly project: number
  readonly removedAt: string | null
}

const selected = `select asset.id, asset.project_id, asset.identifier, asset.removed_at, state.name, state.path, state.kind,
  state.description, state.owner, state.tags, state.definition_hash, state.blocks, state.columns, state.tests,
  state.details from asset join asset_state as state on state.asset_id = asset.id`

/** Returns undefined if it is in no complete upload. */
export async function readAsset(queries: Queries, asset: number): Promise<StoredAsset | undefined> {
  const project = await projectOfAsset(queries, asset)
  if (project === undefined) return undefined
  const head = await headOf(queries, project)
  const row = await queries.first(
    `${selected} where asset.id = ? and state.from_upload <= ? order by state.from_upload desc, state.id desc limit 1`,
    [asset, head],
  )
  return row === undefined ? undefined : storedAsset(row)
}

/** Returns the newest content with this hash, of the definition or, if the pack had none, of the content. */
export async function readContentOf(
  { queries, head }: Reading,
  asset: number,
  hash: string,
): Promise<StoredAsset | undefined> {
  const row = await queries.first(
    `${selected} where asset.id = ? and state.from_upload <= ? and (state.definition_hash = ? or state.hash = ?)
      order by state.from_upload desc, state.id desc limit 1`,
    [asset, head, hash, hash],
  )
  return row === undefined ? undefined : storedAsset(row)
}

export async function projectOfAsset(queries: Queries, asset: number): Promise<number | undefined> {
  const row = await queries.first('select project_id from asset where id = ?', [asset])
  return row === undefined ? undefined : Number(row['project_id'])
}

function storedAsset(row: Row): StoredAsset {
  return {
    id: Number(row['id']),
    project: Number(row['project_id']),
    identifier: String(row['identifier']),
    name: String(row['name']),
    path: String(row['path']),
    kind: row['kind'] as NodeKind,
    removedAt: textOrNull(row['removed_at']),
    description: textOrNull(row['description']),
    owner: textOrNull(row['owner']),
    tags: jsonOf(row['tags']),
    definitionHash: textOrNull(row['definition_hash']),
    blocks: jsonOf(row['blocks']),
    columns: nullableColumns(row['columns']),
    tests: jsonOf(row['tests']),
    details: jsonOf(row['details']),
  }
}
