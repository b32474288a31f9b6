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
  /** The same at another offset of the block's SQL. */
  scopeAt(offset: number): SqlScope
  /** From a range in the SQL to one in the file. */
  toFile(range: Range): Range
}

/** `offset` is in the file. Undefined: there is no SQL. */
export function sqlPlaceAt(knowledge: Knowledge, path: string, offset: number): SqlPlace | undefined {
  const asset = knowledge.project.assets.get(path)
  const block = asset === undefined ? undefined : sqlBlockAt(asset, offset)
  if (asset === undefined || block === undefined) return undefined
  const padded = offset > block.range.end ? withBlankBehind(block) : block
  return placeIn(knowledge, asset, padded, offsetInSql(padded, offset), offset)
}

/** YAML leaves out blanks at the end of a value, but a cursor behind them is not in the last word any more. */
function withBlankBehind(block: SqlBlock): SqlBlock {
  return /\s$/.test(block.text) ? block : { ...block, text: `${block.text} ` }
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
  const lookAt = (at: number): SqlScope =>
    block.kind === 'query' ? scopeAt(reading, at) : conditionScope(knowledge, asset, reading, at)
  return {
    asset,
    block,
    offset,
    fileOffset,
    world,
    reading,
    scope() {
      scope ??= lookAt(offset)
      return scope
    },
    scopeAt: lookAt,
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
