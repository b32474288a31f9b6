/** Renames slots in one SQL text: every mention of them, and `AS old` where the new name must not go on. */
import type { TextEdit } from '../../text/diagnostic.ts'
import type { NamedBlock } from '../names/asset-names.ts'
import { rootOf, type Slot } from '../names/slots.ts'
import type { StarItem } from '../sql/query-tree.ts'
import { writtenName } from '../sql/quote-name.ts'
import { canPin, closureOf } from './closure.ts'
import { sqlEdit, sqlInsertion, sqlName } from './written-names.ts'

/** How careful a rename is: what the next one does when the first would change what a name means. */
export interface Care {
  /** The new name goes no further than the first column that passes it on. */
  readonly pinAll: boolean
  /** Columns without a qualifier get one where several tables have the name. */
  readonly qualify: boolean
  /** Tables that have the column are read through `SELECT * RENAME (…)`, so that nothing else changes. */
  readonly wrap: boolean
}

export const cares: readonly Care[] = [
  { pinAll: false, qualify: false, wrap: false },
  { pinAll: false, qualify: true, wrap: false },
  { pinAll: true, qualify: false, wrap: false },
  { pinAll: true, qualify: true, wrap: false },
  { pinAll: true, qualify: false, wrap: true },
]

export interface BlockRename {
  readonly edits: readonly TextEdit[]
  readonly renamed: ReadonlySet<Slot>
}

/** Slots that get the new name, with the edits that give it to them. */
export interface Seeds {
  readonly slots: ReadonlySet<Slot>
  readonly edits: readonly TextEdit[]
}

/** Undefined: it cannot be done without changing what other names mean. */
export function renameInBlock(
  named: NamedBlock,
  seeds: Seeds,
  newName: string,
  care: Care,
): BlockRename | undefined {
  if (care.wrap) return wrapTables(named, seeds, newName)
  const closure = closureOf(named.bound, seeds.slots, newName, care.pinAll)
  if (closure === undefined || isInRow(named, closure.renamed)) return undefined
  const edits: (TextEdit | undefined)[] = [...seeds.edits]
  for (const mention of named.bound.mentions) {
    if (mention.target.kind !== 'column') continue
    const before = named.block.text.slice(mention.range.start, mention.range.end)
    const isRenamed = closure.renamed.has(mention.target.slot)
    const isMeant = isRenamed || mention.target.slot.name.toLowerCase() === newName.toLowerCase()
    const table =
      care.qualify && isMeant && mention.role === 'read' && !mention.qualified ? mention.table : undefined
    const qualifier = table === undefined || table.name === '' ? '' : `${writtenName(table.name)}.`
    if (!isRenamed && qualifier === '') continue
    const text = `${qualifier}${isRenamed ? sqlName(newName, before) : before}`
    edits.push(sqlEdit(named, mention.range, text) ?? impossible)
  }
  for (const slot of closure.pinned) edits.push(pinEdit(named, slot, newName))
  return edits.includes(impossible) ? undefined : { edits: edits.filter(isEdit), renamed: closure.renamed }
}

/** A row that is used as a value has the names of its columns in it. */
function isInRow({ bound }: NamedBlock, renamed: ReadonlySet<Slot>): boolean {
  return bound.mentions.some(
    ({ row, target }) => row && target.kind === 'table' && target.slots.some(slot => renamed.has(slot)),
  )
}

/** `FROM a` becomes `FROM (SELECT * RENAME (new AS old) FROM a) AS a`. */
function wrapTables(named: NamedBlock, seeds: Seeds, newName: string): BlockRename | undefined {
  const tables = named.bound.selects
    .flatMap(select => select.tables)
    .flatMap(table => {
      const slot = table.slots.find(each => seeds.slots.has(each))
      return slot === undefined ? [] : [{ table, slot }]
    })
  const isInput = tables.every(({ table, slot }) => slot.maker.kind === 'input' && table.table.kind === 'tag')
  if (seeds.slots.size === 0) return { edits: [], renamed: new Set() }
  if (named.block.kind !== 'query' || tables.length === 0 || !isInput) return undefined
  const edits = tables.flatMap(({ table, slot }) => {
    const { start, end } = table.table.nameRange
    const pair = `${writtenName(newName)} AS ${writtenName(slot.name)}`
    const alias = table.alias === undefined ? ` AS ${writtenName(table.name)}` : ''
    const head = `(SELECT * RENAME (${pair}) FROM `
    return [start === 0 ? undefined : sqlInsertion(named, start, head), sqlInsertion(named, end, `)${alias}`)]
  })
  return edits.every(isEdit) ? { edits, renamed: new Set() } : undefined
}

const impossible: TextEdit = { path: '', range: { start: 0, end: 0 }, newText: '' }

function isEdit(edit: TextEdit | undefined): edit is TextEdit {
  return edit !== undefined
}

/** Keeps the old name of a column that passes on a renamed one. */
function pinEdit(named: NamedBlock, slot: Slot, newName: string): TextEdit | undefined {
  const { maker } = slot
  if (maker.kind === 'passed')
    return sqlInsertion(named, maker.item.range.end, ` AS ${writtenName(slot.name)}`)
  if (maker.kind === 'star' && maker.item !== undefined)
    return starRename(named, maker.item, newName, slot.name)
  return impossible
}

/** `* RENAME (from AS to)`, or one more in the RENAME that is there. */
function starRename(named: NamedBlock, item: StarItem, from: string, to: string): TextEdit {
  const pair = `${writtenName(from)} AS ${writtenName(to)}`
  const last = [...item.rename.values()].at(-1)
  if (last === undefined) return sqlInsertion(named, item.range.end, ` RENAME (${pair})`)
  const isInBrackets = named.block.text.slice(last.range.end, item.range.end).trim().startsWith(')')
  return isInBrackets ? sqlInsertion(named, last.range.end, `, ${pair}`) : impossible
}

/** The new name for a column of the text's output, made where the column gets its name. */
export function seedsFor(named: NamedBlock, slot: Slot, newName: string): Seeds | undefined {
  const { maker } = slot
  switch (maker.kind) {
    case 'named':
      return { slots: new Set([slot]), edits: [] }
    case 'passed':
      return localRoot(slot) === undefined
        ? { slots: new Set([slot]), edits: [asNew(named, maker.item.range.end, newName)] }
        : seedsFor(named, maker.of, newName)
    case 'expression':
      return maker.item === undefined
        ? undefined
        : { slots: new Set([slot]), edits: [asNew(named, maker.item.range.end, newName)] }
    case 'star': {
      if (localRoot(slot) !== undefined) return seedsFor(named, maker.of, newName)
      if (maker.item === undefined || !canPin(slot)) return undefined
      const edit = starRename(named, maker.item, slot.name, newName)
      return edit === impossible ? undefined : { slots: new Set([slot]), edits: [edit] }
    }
    case 'union':
      return unionSeeds(named, maker.byName ? maker.sides : maker.sides.slice(0, 1), newName)
    default:
      return undefined
  }
}

function unionSeeds(named: NamedBlock, sides: readonly Slot[], newName: string): Seeds | undefined {
  const all = sides.map(side => seedsFor(named, side, newName))
  const slots = new Set(all.flatMap(seeds => [...(seeds?.slots ?? [])]))
  return all.includes(undefined) ? undefined : { slots, edits: all.flatMap(seeds => seeds?.edits ?? []) }
}

function asNew(named: NamedBlock, offset: number, newName: string): TextEdit {
  return sqlInsertion(named, offset, ` AS ${writtenName(newName)}`)
}

/** The slot of this text that a column is passed on from; undefined: it comes from outside, or of two. */
function localRoot(slot: Slot): Slot | undefined {
  const root = rootOf(slot)
  const passesThrough = slot.maker.kind === 'passed' || slot.maker.kind === 'star'
  return passesThrough && (root.maker.kind === 'named' || root.maker.kind === 'union') && reaches(slot, root)
    ? root
    : undefined
}

function reaches(slot: Slot, root: Slot): boolean {
  if (slot === root) return true
  return (slot.maker.kind === 'passed' || slot.maker.kind === 'star') && reaches(slot.maker.of, root)
}
