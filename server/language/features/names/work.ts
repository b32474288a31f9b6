/** What the binding of one SQL text works with: the world outside, the slots that it makes, the mentions that it finds. */
import type { ColumnOrigin } from '../../analysis.ts'
import type { Range } from '../../text/range.ts'
import type { Name, Query } from '../sql/query-tree.ts'
import type { Piece } from '../sql/token-tree.ts'
import type { Binder, Scope } from './bind-expression.ts'
import type { BoundCte, BoundSelect, Maker, Mention, Open, Slot } from './slots.ts'

/** What lies outside the text. */
export interface NamesWorld {
  /** `tag`: its text, brackets included. */
  table(tag: string): TaggedColumns
}

export interface TaggedColumns {
  /** What the table is called where it has no alias. */
  readonly name: string
  /** Set where that is the name of an asset. */
  readonly asset: string | undefined
  readonly columns: readonly { readonly name: string; readonly origin: ColumnOrigin }[]
  /** Gives the origin of a column that is not listed; undefined: there are no others. */
  readonly more: ((column: string) => ColumnOrigin) | undefined
}

export interface Work {
  readonly text: string
  readonly pieces: readonly Piece[]
  readonly world: NamesWorld
  readonly binder: Binder
  readonly mentions: Mention[]
  readonly ctes: BoundCte[]
  readonly selects: BoundSelect[]
  readonly inputs: Map<string, Slot>
  readonly environments: Map<Query, readonly BoundCte[]>
  /** Binds a query in brackets that stands for a table. */
  readonly bindQuery: (id: string, query: Query, outer: Scope, ctes: readonly BoundCte[]) => Relation
  count: number
}

export interface Relation {
  readonly slots: readonly Slot[]
  readonly open: Open | undefined
}

/** `k(a, b)`: the first columns take the given names. */
export function named(relation: Relation, names: readonly Name[], work: Work, id: string): Relation {
  if (names.length === 0) return relation
  const slots = relation.slots.map((slot, index) => {
    const at = names[index]
    return at === undefined
      ? slot
      : defined(work, {
          id: `${id}.n${index}`,
          name: at.name,
          maker: { kind: 'named', at, item: undefined, of: slot },
        })
  })
  const more = names.slice(relation.slots.length).map((at, index) =>
    defined(work, {
      id: `${id}.n${relation.slots.length + index}`,
      name: at.name,
      maker: { kind: 'named', at, item: undefined, of: undefined },
    }),
  )
  return { slots: [...slots, ...more], open: more.length > 0 ? undefined : relation.open }
}

/** A slot whose name is written: that is a mention too. */
export function defined(work: Work, slot: Slot): Slot {
  if (slot.maker.kind === 'named')
    work.mentions.push({
      range: slot.maker.at.range,
      target: { kind: 'column', slot },
      role: 'definition',
      qualified: false,
    })
  return slot
}

/** For a relation of which nothing is known: any name may be a column of it. */
export function opaque(id: string): Open {
  const known = new Map<string, Slot>()
  return name => {
    const key = name.toLowerCase()
    const slot = known.get(key) ?? { id: `${id}.o:${known.size}`, name, maker: { kind: 'opaque' } }
    known.set(key, slot)
    return slot
  }
}

/** The same slots for every table that reads the same asset or source. */
export function inputsOf(work: Work, tag: TaggedColumns): Relation {
  const slotFor = (name: string, origin: ColumnOrigin): Slot => {
    const id = `in:${origin.asset}:${origin.source ?? '-'}:${origin.column.toLowerCase()}`
    const known = work.inputs.get(id)
    if (known !== undefined) return known
    const maker: Maker = { kind: 'input', origin }
    const slot = { id, name, maker }
    work.inputs.set(id, slot)
    return slot
  }
  const { more } = tag
  return {
    slots: tag.columns.map(column => slotFor(column.name, column.origin)),
    open: more && (name => slotFor(name, more(name))),
  }
}

export function byName(slots: readonly Slot[]): ReadonlyMap<string, Slot> {
  const found = new Map<string, Slot>()
  for (const slot of slots) {
    const key = slot.name.toLowerCase()
    if (key !== '' && !found.has(key)) found.set(key, slot)
  }
  return found
}

export function textAt(work: Work, range: Range): string {
  return work.text.slice(range.start, range.end)
}
