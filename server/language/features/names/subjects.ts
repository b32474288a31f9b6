/** What the editor can be asked about: assets, columns, variables, terms, and names that live inside one SQL text. */
import type { Range } from '../../text/range.ts'
import type { NamedBlock } from './asset-names.ts'
import { type BoundSql, rootOf, type Slot, type Target } from './slots.ts'

export type Subject =
  | { readonly kind: 'asset'; readonly name: string }
  /** An output column of an asset. */
  | { readonly kind: 'column'; readonly asset: string; readonly column: string }
  /** A column of an asset's source; `child` is '' for the source itself. */
  | { readonly kind: 'raw'; readonly asset: string; readonly child: string; readonly column: string }
  | { readonly kind: 'child'; readonly asset: string; readonly child: string }
  | { readonly kind: 'var'; readonly name: string }
  /** `term`: its identifier. */
  | { readonly kind: 'term'; readonly term: string }
  /** A CTE, an alias, a window, or a column of a CTE or subquery. */
  | { readonly kind: 'local'; readonly named: NamedBlock; readonly target: Target }

/** One place that a file names something at. */
export interface Occurrence {
  readonly range: Range
  readonly subject: Subject
  readonly role: 'definition' | 'read'
}

/** Equal for the same thing, different for two. */
export function subjectKey(subject: Subject): string {
  switch (subject.kind) {
    case 'asset':
      return `asset ${subject.name}`
    case 'column':
      return `column ${subject.asset} ${subject.column.toLowerCase()}`
    case 'raw':
      return `raw ${subject.asset} ${subject.child} ${subject.column.toLowerCase()}`
    case 'child':
      return `child ${subject.asset} ${subject.child}`
    case 'var':
      return `var ${subject.name}`
    case 'term':
      return `term ${subject.term}`
    case 'local': {
      const { named, target } = subject
      const id = target.kind === 'column' ? rootOf(target.slot).id : target.id
      return `local ${named.asset.path} ${named.block.path.join('.')} ${id}`
    }
  }
}

/** The subject that a mention in SQL stands for. */
export function subjectOf(named: NamedBlock, target: Target): Subject {
  if (target.kind === 'column') return subjectOfSlot(named, target.slot)
  if (target.kind === 'table' && target.alias === undefined) {
    if (target.cte !== undefined) return { kind: 'local', named, target: target.cte }
    if (target.asset !== undefined) return { kind: 'asset', name: target.asset }
  }
  return { kind: 'local', named, target }
}

function subjectOfSlot(named: NamedBlock, slot: Slot): Subject {
  const root = rootOf(slot)
  if (root.maker.kind === 'input') {
    const { asset, column, source } = root.maker.origin
    return source === undefined
      ? { kind: 'column', asset, column }
      : { kind: 'raw', asset, child: source, column }
  }
  const output = named.block.path[0] === 'transform' ? outputOf(named, root) : undefined
  if (output !== undefined) return { kind: 'column', asset: named.asset.name, column: output.name }
  return { kind: 'local', named, target: { kind: 'column', slot: root } }
}

/** The output column that carries the slot on under its name. */
function outputOf({ bound }: NamedBlock, root: Slot): Slot | undefined {
  const found = carriers.get(bound) ?? carriersOf(bound.output)
  carriers.set(bound, found)
  return found.get(root)
}

/** By the slot that is carried: a query may have thousands of columns. */
const carriers = new WeakMap<BoundSql, ReadonlyMap<Slot, Slot>>()

function carriersOf(output: readonly Slot[]): ReadonlyMap<Slot, Slot> {
  const found = new Map<Slot, Slot>()
  for (const slot of output) for (const root of carriedBy(slot)) if (!found.has(root)) found.set(root, slot)
  return found
}

/** Through unions to their first sides. */
function carriedBy(slot: Slot): readonly Slot[] {
  const root = rootOf(slot)
  const own = slot.name.toLowerCase() === root.name.toLowerCase() ? [root] : []
  const side = root.maker.kind === 'union' ? root.maker.sides[0] : undefined
  return side === undefined ? own : [...own, ...carriedBy(side)]
}
