/**
 * Which slots of a text are renamed when some are: those that keep the name of what they pass on. Where that would go
 * wrong (two columns of one name, USING of one side only), the name is held fast on the way ("pinned").
 */
import type { BoundSql, Slot } from '../names/slots.ts'

export interface Closure {
  readonly renamed: ReadonlySet<Slot>
  /** Slots that keep their name although what they pass on is renamed. */
  readonly pinned: ReadonlySet<Slot>
}

/** Undefined: something is in the way that cannot be held off. */
export function closureOf(
  bound: BoundSql,
  seeds: ReadonlySet<Slot>,
  newName: string,
  pinAll: boolean,
): Closure | undefined {
  const slots = allSlots(bound)
  const pinned = new Set<Slot>()
  if (pinAll) for (const slot of slots) if (!seeds.has(slot) && canPin(slot)) pinned.add(slot)
  for (let round = 0; round <= slots.length; round++) {
    const renamed = spread(slots, seeds, pinned)
    const obstacle = obstacleIn(bound, slots, renamed, newName)
    if (obstacle === undefined) return { renamed, pinned: used(pinned, renamed) }
    const pin = pinPoint(obstacle, seeds, pinned)
    if (pin === undefined) return undefined
    pinned.add(pin)
  }
  return undefined
}

function spread(slots: readonly Slot[], seeds: ReadonlySet<Slot>, pinned: ReadonlySet<Slot>): Set<Slot> {
  const renamed = new Set(seeds)
  for (let size = -1; size !== renamed.size; ) {
    size = renamed.size
    for (const slot of slots) if (!pinned.has(slot) && isNamedAfter(slot, renamed)) renamed.add(slot)
  }
  return renamed
}

function isNamedAfter({ maker }: Slot, renamed: ReadonlySet<Slot>): boolean {
  if (maker.kind === 'passed' || maker.kind === 'star' || maker.kind === 'replaced')
    return renamed.has(maker.of)
  if (maker.kind === 'merged') return maker.members.every(member => renamed.has(member))
  if (maker.kind !== 'union') return false
  const [first] = maker.sides
  return maker.byName
    ? maker.sides.every(side => renamed.has(side))
    : first !== undefined && renamed.has(first)
}

function used(pinned: ReadonlySet<Slot>, renamed: ReadonlySet<Slot>): Set<Slot> {
  return new Set([...pinned].filter(slot => isNamedAfter(slot, renamed)))
}

// ---------------------------------------------------------------- obstacles

/** A renamed slot that must not be. */
function obstacleIn(
  bound: BoundSql,
  slots: readonly Slot[],
  renamed: ReadonlySet<Slot>,
  newName: string,
): Slot | undefined {
  for (const { maker } of slots) {
    const together =
      maker.kind === 'merged' ? maker.members : maker.kind === 'union' && maker.byName ? maker.sides : []
    if (together.every(slot => renamed.has(slot))) continue
    const found = together.find(slot => renamed.has(slot))
    if (found !== undefined) return found
  }
  const key = newName.toLowerCase()
  for (const relation of relationsOf(bound)) {
    const own = relation.find(slot => renamed.has(slot))
    if (own !== undefined && relation.some(slot => !renamed.has(slot) && slot.name.toLowerCase() === key))
      return own
  }
  return undefined
}

/** Lists of slots in which no name may be there twice. */
function relationsOf(bound: BoundSql): readonly (readonly Slot[])[] {
  return [
    ...bound.ctes.map(cte => cte.slots),
    ...bound.selects.map(select => select.output),
    ...bound.selects.flatMap(select => select.tables.map(table => table.slots)),
    bound.output,
  ]
}

/** The nearest slot on the way to the obstacle at which the old name can be written. */
function pinPoint(slot: Slot, seeds: ReadonlySet<Slot>, pinned: ReadonlySet<Slot>): Slot | undefined {
  if (seeds.has(slot)) return undefined
  if (canPin(slot)) return pinned.has(slot) ? undefined : slot
  const { maker } = slot
  const sources =
    maker.kind === 'merged'
      ? maker.members
      : maker.kind === 'union'
        ? maker.sides
        : 'of' in maker && maker.of !== undefined
          ? [maker.of]
          : []
  for (const source of sources) {
    const found = pinPoint(source, seeds, pinned)
    if (found !== undefined) return found
  }
  return undefined
}

/** `AS old` can be written behind a column, `RENAME (new AS old)` behind a star. */
export function canPin({ maker }: Slot): boolean {
  if (maker.kind === 'passed') return true
  if (maker.kind !== 'star' || maker.item === undefined) return false
  const { starRange, pattern } = maker.item
  return pattern === undefined && starRange.end - starRange.start === 1
}

/** Every slot of the text, those that it reads first. */
export function allSlots(bound: BoundSql): readonly Slot[] {
  const found = new Set<Slot>()
  const add = (slot: Slot): void => {
    if (found.has(slot)) return
    const { maker } = slot
    if (maker.kind === 'merged') for (const member of maker.members) add(member)
    else if (maker.kind === 'union') for (const side of maker.sides) add(side)
    else if ('of' in maker && maker.of !== undefined) add(maker.of)
    found.add(slot)
  }
  for (const relation of relationsOf(bound)) for (const slot of relation) add(slot)
  for (const { target } of bound.mentions) if (target.kind === 'column') add(target.slot)
  return [...found]
}
