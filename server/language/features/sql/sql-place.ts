/** The SQL around an offset of a file, read and bound: what every feature that looks into SQL begins with. */
import type { Engine } from '../../engines/engine.ts'
import type { SqlToken } from '../../engines/sql-token.ts'
import type { Asset } from '../../project/project.ts'
import type { BoundSql } from '../../sql/binder/model.ts'
import type { Range } from '../../text/range.ts'
import type { Knowledge } from '../knowledge.ts'
import { boundOf } from './bound-sql.ts'
import { type SqlScope, scopeAt } from './scope-at.ts'
import { offsetInSql, type SqlBlock, sqlBlockAt } from './sql-blocks.ts'
import { sqlCursor } from './sql-cursor.ts'
import { blockTokens } from './sql-tokens.ts'

export interface SqlPlace {
  readonly asset: Asset
  /** Of the project. */
  readonly engine: Engine
  readonly block: SqlBlock
  /** In the block's SQL, or one behind it: YAML leaves out the blanks at the end of a value. */
  readonly offset: number
  /** The same in the file: behind the last character of a block there may be blank lines. */
  readonly fileOffset: number
  readonly tokens: readonly SqlToken[]
  readonly bound: BoundSql
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
  const isBehind = offset > block.range.end && !/\s$/.test(block.text)
  const inSql = isBehind ? block.text.length + 1 : offsetInSql(block, offset)
  return placeIn(knowledge, asset, block, inSql, offset)
}

/** `offset` is in the block's SQL. */
export function placeIn(
  knowledge: Knowledge,
  asset: Asset,
  block: SqlBlock,
  offset: number,
  fileOffset = block.toFile.toOriginal(offset),
): SqlPlace {
  const { engine } = knowledge.project
  const tokens = blockTokens(block, engine.grammar)
  let bound: BoundSql | undefined
  // Binding waits for the functions of the warehouse; who asks about a tag needs neither.
  const bind = (): BoundSql => {
    bound ??= boundOf(knowledge, asset, block)
    return bound
  }
  const lookAt = (at: number): SqlScope => scopeAt(bind(), sqlCursor(block.text, at, tokens, engine))
  let scope: SqlScope | undefined
  return {
    asset,
    engine,
    block,
    offset,
    fileOffset,
    tokens,
    get bound() {
      return bind()
    },
    scope() {
      scope ??= lookAt(offset)
      return scope
    },
    scopeAt: lookAt,
    toFile: range => block.toFile.rangeToOriginal(range),
  }
}
