/** The SQL around an offset of a file, read: what every feature that looks into SQL begins with. */
import type { Asset } from '../../project/project.ts'
import type { Range } from '../../text/range.ts'
import type { Knowledge } from '../knowledge.ts'
import { type SqlRelation, type SqlWorld, tableCalled } from './output-columns.ts'
import { readSql, type SqlReading, type SqlScope, scopeAt } from './scope-at.ts'
import { offsetInSql, type SqlBlock, sqlBlockAt } from './sql-blocks.ts'
import { assetTable, sqlWorld } from './sql-world.ts'

export interface SqlPlace {
  readonly asset: Asset
  readonly block: SqlBlock
  /** In the block's SQL. */
  readonly offset: number
  /** The same in the file: behind the last character of a block there may be blank lines. */
  readonly fileOffset: number
  readonly world: SqlWorld
  readonly reading: SqlReading
  scope(): SqlScope
  /** From a range in the SQL to one in the file. */
  toFile(range: Range): Range
}

/** `offset` is in the file. Undefined: there is no SQL. */
export function sqlPlaceAt(knowledge: Knowledge, path: string, offset: number): SqlPlace | undefined {
  const asset = knowledge.project.assets.get(path)
  const block = asset === undefined ? undefined : sqlBlockAt(asset, offset)
  if (asset === undefined || block === undefined) return undefined
  return placeIn(knowledge, asset, block, offsetInSql(block, offset), offset)
}

/** `offset` is in the block's SQL. */
export function placeIn(
  knowledge: Knowledge,
  asset: Asset,
  block: SqlBlock,
  offset: number,
  fileOffset = block.toFile.toOriginal(offset),
): SqlPlace {
  const world = sqlWorld(knowledge, asset)
  const reading = readSql(block.text, world)
  let scope: SqlScope | undefined
  return {
    asset,
    block,
    offset,
    fileOffset,
    world,
    reading,
    scope() {
      scope ??=
        block.kind === 'query' ? scopeAt(reading, offset) : conditionScope(knowledge, asset, reading, offset)
      return scope
    },
    toFile: range => block.toFile.rangeToOriginal(range),
  }
}

/** A condition of a test sees the asset's own columns, by their names or behind the asset's name. */
function conditionScope(knowledge: Knowledge, asset: Asset, reading: SqlReading, offset: number): SqlScope {
  const scope = scopeAt(reading, offset)
  const own: SqlRelation = {
    ...assetTable(knowledge, asset.name, 'this'),
    table: tableCalled(asset.name),
    depth: scope.query.parent === undefined ? 0 : 1,
  }
  const relations = [...scope.relations, own]
  return { ...scope, relations, ownRelations: scope.core === undefined ? relations : scope.ownRelations }
}
