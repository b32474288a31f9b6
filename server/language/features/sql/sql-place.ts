/** The SQL around an offset of a file, parsed and bound: the start of every feature that reads SQL. */
import type { Engine } from '../../engines/engine.ts'
import type { SqlToken } from '../../engines/sql-token.ts'
import { once } from '../../once.ts'
import type { Asset } from '../../project/project.ts'
import type { BoundSql } from '../../sql/binder/model.ts'
import type { Range } from '../../text/range.ts'
import type { Knowledge } from '../knowledge.ts'
import { boundOf } from './bound-sql.ts'
import { callerOf, macroAt, macroBlock } from './macro-place.ts'
import { type SqlScope, scopeAt } from './scope-at.ts'
import { offsetInSql, type SqlBlock, sqlBlockAt } from './sql-blocks.ts'
import { sqlCursor } from './sql-cursor.ts'
import { sqlFileAt } from './sql-file.ts'
import { blockTokens } from './sql-tokens.ts'

export interface SqlPlace {
  readonly asset: Asset
  /** The engine of the project. */
  readonly engine: Engine
  readonly block: SqlBlock
  /** The offset in the block's SQL, or one after its end: YAML drops white space at the end of a value. */
  readonly offset: number
  /** The offset in the file, which may be in blank lines after the block. */
  readonly fileOffset: number
  readonly tokens: readonly SqlToken[]
  readonly bound: BoundSql
  scope(): SqlScope
  /** Maps a range in the SQL to one in the file. */
  toFile(range: Range): Range
}

/** Returns the place; undefined if there is no SQL. `offset` is in the file. */
export function sqlPlaceAt(knowledge: Knowledge, path: string, offset: number): SqlPlace | undefined {
  const { settings, macros } = knowledge.project
  const file = macros.files.get(path)
  const macro = file && macroAt(file, offset)
  if (macro !== undefined) {
    const at = offset - macro.body.range.start
    return placeIn(knowledge, callerOf(path, settings), macroBlock(macro), at, offset)
  }
  const asset = sqlFileAt(knowledge.project, path)
  const block = asset === undefined ? undefined : sqlBlockAt(asset, offset)
  if (asset === undefined || block === undefined) return undefined
  const isBehind = offset > block.range.end && !/\s$/.test(block.text)
  const inSql = isBehind ? block.text.length + 1 : offsetInSql(block, offset)
  return placeIn(knowledge, asset, block, inSql, offset)
}

/** Returns the place. `offset` is in the block's SQL. */
export function placeIn(
  knowledge: Knowledge,
  asset: Asset,
  block: SqlBlock,
  offset: number,
  fileOffset = block.toFile.toOriginal(offset),
): SqlPlace {
  const { engine } = knowledge.project
  const tokens = blockTokens(block, engine.grammar)
  // Binding is done on demand: it needs the warehouse's functions, and features about tags need neither.
  const bind = once(() => boundOf(knowledge, asset, block))
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
    scope: once(() => scopeAt(bind(), sqlCursor(block.code, offset, tokens, engine))),
    toFile: range => block.toFile.rangeToOriginal(range),
  }
}
