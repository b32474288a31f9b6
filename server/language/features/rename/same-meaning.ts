/** Binds a file with the edits of a rename made, and says whether every name means what it meant before. */
import type { Asset } from '../../project/project.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import type { Range } from '../../text/range.ts'
import type { Knowledge } from '../knowledge.ts'
import { bindBlocks, fileRange, type NamedBlock, namedBlocks, namesWorld } from '../names/asset-names.ts'
import type { Mention, Slot } from '../names/slots.ts'
import type { NamesWorld } from '../names/work.ts'

export interface ColumnChange {
  /** Assets whose column is renamed. */
  readonly owners: ReadonlySet<string>
  readonly from: string
  readonly to: string
}

export interface Applied {
  readonly text: string
  /** Where text was put in, in the new text. */
  readonly inserted: readonly Range[]
}

export function applied(text: string, edits: readonly TextEdit[]): Applied {
  const sorted = [...edits].sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end)
  const inserted: Range[] = []
  let made = ''
  let done = 0
  for (const { range, newText } of sorted) {
    // Two features of the file named one place.
    if (range.start < done) continue
    made += text.slice(done, range.start)
    const length = insertedLength(text.slice(range.start, range.end), newText)
    if (length > 0) inserted.push({ start: made.length, end: made.length + length })
    made += newText
    done = range.end
  }
  return { text: made + text.slice(done), inserted }
}

/** All of what is put in; of a name that gets a qualifier, that. */
function insertedLength(before: string, after: string): number {
  if (before === '') return after.length
  return before.includes('.') ? 0 : after.lastIndexOf('.') + 1
}

/**
 * `change` undefined: no column of an asset is called differently. `wrapped`: tables are read through a SELECT that
 * gives their column its old name back.
 */
export function meansTheSame(
  knowledge: Knowledge,
  before: Asset,
  after: Asset,
  inserted: readonly Range[],
  change: ColumnChange | undefined,
  wrapped = false,
): boolean {
  const world = namesWorld(knowledge, before)
  const old = namedBlocks(knowledge, before)
  const now = bindBlocks(after, change === undefined ? world : changedWorld(world, change))
  return (
    old.length === now.length &&
    old.every((block, index) => sameBlock(block, now[index], { inserted, change, wrapped }))
  )
}

function changedWorld(world: NamesWorld, { owners, from, to }: ColumnChange): NamesWorld {
  const renamed = (name: string): string => (name.toLowerCase() === from.toLowerCase() ? to : name)
  return {
    table(tag) {
      const table = world.table(tag)
      const columns = table.columns.map(column =>
        column.origin.source === undefined && owners.has(column.origin.asset)
          ? {
              name: renamed(column.name),
              origin: { ...column.origin, column: renamed(column.origin.column) },
            }
          : column,
      )
      return { ...table, columns }
    },
  }
}

interface Comparison {
  readonly inserted: readonly Range[]
  readonly change: ColumnChange | undefined
  readonly wrapped: boolean
}

function sameBlock(
  old: NamedBlock,
  now: NamedBlock | undefined,
  { inserted, change, wrapped }: Comparison,
): boolean {
  if (now === undefined) return false
  const before = old.bound.mentions
    .filter(mention => mention.role === 'read')
    .map(mention => keyOf(mention, wrapped ? undefined : change))
  const isInserted = (mention: Mention): boolean => {
    const range = fileRange(now, mention.range)
    return inserted.some(each => each.start <= range.start && range.end <= each.end)
  }
  const reads = now.bound.mentions.filter(mention => mention.role === 'read' && !isInserted(mention))
  const after = reads.map(mention =>
    wrapped && change ? unwrappedKey(mention, change) : keyOf(mention, undefined),
  )
  const wasAmbiguous = old.bound.mentions.some(mention => mention.ambiguous)
  if (!wasAmbiguous && reads.some(mention => mention.ambiguous)) return false
  // A qualifier that was put in is a mention of its own.
  return before.join('\n') === after.join('\n') && sameOutput(old, now, change)
}

/** All columns are called as before, but for the one. */
function sameOutput(old: NamedBlock, now: NamedBlock, change: ColumnChange | undefined): boolean {
  if (old.block.path[0] !== 'transform') return true
  const { output } = now.bound
  const isOwner = change?.owners.has(old.asset.name) ?? false
  return (
    output.length === old.bound.output.length &&
    old.bound.output.every((slot, index) => {
      // A name that was made of an expression is written out where it would change.
      if (slot.name === '') return true
      const name = output[index]?.name.toLowerCase()
      const isRenamed = isOwner && slot.name.toLowerCase() === change?.from.toLowerCase()
      return name === (isRenamed ? change?.to.toLowerCase() : slot.name.toLowerCase())
    })
  )
}

/** What a column of a wrapped table is without the SELECT around it. */
function unwrappedKey(mention: Mention, change: ColumnChange): string {
  const { target } = mention
  if (target.kind !== 'column') return keyOf(mention, undefined)
  const { maker } = target.slot
  const isOutOfStar = maker.kind === 'star' || (maker.kind === 'named' && maker.item?.kind === 'star')
  const inner = isOutOfStar ? maker.of : undefined
  if (inner?.maker.kind !== 'input' || !change.owners.has(inner.maker.origin.asset))
    return keyOf(mention, undefined)
  return slotKey(inner, { ...change, from: change.to, to: change.from })
}

function keyOf({ target }: Mention, change: ColumnChange | undefined): string {
  return target.kind === 'column' ? slotKey(target.slot, change) : target.id
}

/** Columns from outside are called after their names, which may be those that change. */
function slotKey({ id, name, maker }: Slot, change: ColumnChange | undefined): string {
  if (maker.kind === 'opaque') return `opaque ${name.toLowerCase()}`
  if (maker.kind !== 'input') return id
  const { asset, column, source } = maker.origin
  const isRenamed =
    source === undefined && change?.owners.has(asset) && column.toLowerCase() === change.from.toLowerCase()
  return `${asset} ${source ?? '-'} ${(isRenamed ? change?.to : column)?.toLowerCase()}`
}
