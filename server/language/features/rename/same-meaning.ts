/** Binds a file again with the edits of a rename, and compares the meaning of every name with that before. */

import type { ColumnOrigin } from '../../analysis.ts'
import { parseAsset } from '../../project/parse-asset.ts'
import type { Asset } from '../../project/project.ts'
import type { Column, Mention } from '../../sql/binder/model.ts'
import type { Value } from '../../sql/binder/values.ts'
import type { SqlWorld } from '../../sql/binder/world.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import type { Range } from '../../text/range.ts'
import type { Knowledge } from '../knowledge.ts'
import { fileRange, isTransform } from '../names/mentions.ts'
import { type BoundBlock, bindBlocks, boundBlocks, boundWorld } from '../sql/bound-sql.ts'

/** Names of assets. */
export type Owners = Pick<ReadonlySet<string>, 'has'>

export interface ColumnChange {
  /** The assets whose column is renamed. */
  readonly owners: Owners
  readonly from: string
  readonly to: string
}

/** Returns the new text, and the ranges of inserted text in it. */
function applied(text: string, edits: readonly TextEdit[]) {
  const sorted = [...edits].sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end)
  const inserted: Range[] = []
  let made = ''
  let done = 0
  for (const { range, newText } of sorted) {
    // Two parts of the rename found the same place.
    if (range.start < done) continue
    made += text.slice(done, range.start)
    const length = insertedLength(text.slice(range.start, range.end), newText)
    if (length > 0) inserted.push({ start: made.length, end: made.length + length })
    made += newText
    done = range.end
  }
  return { text: made + text.slice(done), inserted }
}

/** Returns the length of the inserted text; for a name that gets a qualifier, that of the qualifier. */
function insertedLength(before: string, after: string): number {
  if (before === '') return after.length
  return before.includes('.') ? 0 : after.lastIndexOf('.') + 1
}

/**
 * Returns whether all names keep their meaning after the edits. `change` is undefined if no column of an asset is renamed.
 * `wrapped` means that tables are read through a SELECT that restores the old name of their column.
 */
export function meansTheSame(
  knowledge: Knowledge,
  before: Asset,
  edits: readonly TextEdit[],
  change?: ColumnChange,
  wrapped = false,
): boolean {
  const { text, inserted } = applied(before.text, edits)
  const after = parseAsset(before.path, text, knowledge.project.settings, () => '')
  const world = boundWorld(knowledge, before)
  const old = boundBlocks(knowledge, before)
  const now = bindBlocks(
    after,
    change === undefined ? world : changedWorld(world, change),
    knowledge.project.engine,
  )
  return (
    old.length === now.length &&
    old.every((block, index) => sameBlock(block, now[index], { inserted, change, wrapped }))
  )
}

function changedWorld(world: SqlWorld, change: ColumnChange): SqlWorld {
  return {
    ...world,
    table(tag) {
      const table = world.table(tag)
      return { ...table, columns: table.columns.map(column => changedColumn(column, change)) }
    },
  }
}

/** Returns the column with its new name; the id, which identifies its fields, stays. */
function changedColumn(column: Column, { owners, from, to }: ColumnChange): Column {
  if (column.maker.kind !== 'input' || column.name.toLowerCase() !== from.toLowerCase()) return column
  const { asset, source } = column.maker.origin
  if (source !== undefined || !owners.has(asset)) return column
  const origin = { asset, column: to }
  return {
    ...column,
    name: to,
    maker: { kind: 'input', origin },
    value: { ...column.value, origins: [origin] },
  }
}

interface Comparison {
  readonly inserted: readonly Range[]
  readonly change: ColumnChange | undefined
  readonly wrapped: boolean
}

function sameBlock(
  old: BoundBlock,
  now: BoundBlock | undefined,
  { inserted, change, wrapped }: Comparison,
): boolean {
  if (now === undefined) return false
  const before = old.bound.mentions
    .filter(mention => mention.role === 'read')
    .map(mention => keyOf(mention, wrapped ? undefined : change))
  const isInserted = (mention: Mention): boolean => {
    const range = fileRange(now, mention.span)
    return inserted.some(each => each.start <= range.start && range.end <= each.end)
  }
  const reads = now.bound.mentions.filter(mention => mention.role === 'read' && !isInserted(mention))
  const after = reads.map(mention =>
    wrapped && change ? unwrappedKey(mention, change) : keyOf(mention, undefined),
  )
  const wasAmbiguous = old.bound.mentions.some(mention => mention.ambiguous)
  if (!wasAmbiguous && reads.some(mention => mention.ambiguous)) return false
  // An inserted qualifier is a mention of its own and is not compared.
  return before.join('\n') === after.join('\n') && sameOutput(old, now, change)
}

/**
 * Returns whether all output columns have the same names, except for the renamed one, and the same origins.
 */
function sameOutput(old: BoundBlock, now: BoundBlock, change: ColumnChange | undefined): boolean {
  if (!isTransform(old)) return true
  const before = old.bound.output.columns
  const after = now.bound.output.columns
  const isOwner = change?.owners.has(old.asset.name) ?? false
  const sameName = (name: string, newName: string): boolean => {
    // A name that is made from an expression gets an alias where it would change.
    if (name === '') return true
    const isRenamed = isOwner && name.toLowerCase() === change?.from.toLowerCase()
    return newName.toLowerCase() === (isRenamed ? change?.to : name)?.toLowerCase()
  }
  return (
    after.length === before.length &&
    before.every(({ name, value }, index) => {
      const other = after[index]
      return other !== undefined && sameName(name, other.name) && sameSources(value, other.value, change)
    })
  )
}

function sameSources(before: Value, after: Value, change: ColumnChange | undefined): boolean {
  const keys = (origins: readonly ColumnOrigin[], as: ColumnChange | undefined): string =>
    origins
      .map(origin => originKey(origin, as))
      .sort()
      .join('\n')
  return (
    keys(before.origins, change) === keys(after.origins, undefined) &&
    keys(before.hints, change) === keys(after.hints, undefined)
  )
}

/** Returns the key of a column of a wrapped table as if it had no SELECT around it. */
function unwrappedKey(mention: Mention, change: ColumnChange): string {
  const { target } = mention
  if (target.kind !== 'column') return keyOf(mention, undefined)
  const { maker } = target.column
  const isOutOfStar =
    maker.kind === 'star' || (maker.kind === 'named' && maker.item?.expression.kind === 'star')
  const inner = isOutOfStar ? maker.of : undefined
  if (inner?.maker.kind !== 'input' || !change.owners.has(inner.maker.origin.asset))
    return keyOf(mention, undefined)
  return columnKey(inner, { ...change, from: change.to, to: change.from })
}

function keyOf({ target }: Mention, change: ColumnChange | undefined): string {
  return target.kind === 'column' ? columnKey(target.column, change) : target.id
}

/**
 * Returns the key of a column. Columns from outside are identified by their names, which may be renamed ones.
 */
function columnKey({ id, name, maker }: Column, change: ColumnChange | undefined): string {
  if (maker.kind === 'opaque') return `opaque ${name.toLowerCase()}`
  return maker.kind === 'input' ? originKey(maker.origin, change) : id
}

function originKey({ asset, column, source }: ColumnOrigin, change: ColumnChange | undefined): string {
  const isRenamed =
    source === undefined && change?.owners.has(asset) && column.toLowerCase() === change.from.toLowerCase()
  return `${asset} ${source ?? '-'} ${(isRenamed ? change?.to : column)?.toLowerCase()}`
}
