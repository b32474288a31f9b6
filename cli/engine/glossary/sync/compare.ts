/** Three-way: what each side changed since both were last the same, and where they contradict each other. Pure. */
import { type EntryFields, type EntryKind, type EntryValue, isSameValue } from '@svc/server/language'
import type { KeyChange } from '../entry-changes.ts'
import type { Entries, StoredEntry, SyncEntry } from './sync-entry.ts'

export interface SideChange {
  readonly kind: EntryKind
  readonly id: string
  readonly name: string
  readonly action: 'add' | 'change' | 'remove'
  /** From the other side's value to the one of the side that changed it. */
  readonly changes: readonly KeyChange[]
}

export interface Conflict {
  readonly kind: EntryKind
  readonly id: string
  /** `(entry)` where one side removed what the other changed. */
  readonly key: string
  readonly base: EntryValue | undefined
  readonly ours: EntryValue | undefined
  readonly theirs: EntryValue | undefined
}

export interface Compared {
  /** What glossary.yaml changed, and the store has not. */
  readonly ours: readonly SideChange[]
  /** What the store changed, and glossary.yaml has not. */
  readonly theirs: readonly SideChange[]
  readonly conflicts: readonly Conflict[]
}

export type Side = 'ours' | 'theirs'
/** Whose word counts where both changed the same; undefined leaves it a conflict. */
export type Take = (entry: Pick<SyncEntry, 'kind' | 'id'>) => Side | undefined

export const wholeEntry = '(entry)'

export interface Sides {
  readonly base: Entries
  readonly ours: Entries
  readonly theirs: Entries<StoredEntry>
}

export function compareSides({ base, ours, theirs }: Sides, take: Take): Compared {
  const found = { ours: [] as SideChange[], theirs: [] as SideChange[], conflicts: [] as Conflict[] }
  for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
    const [was, own, other] = [base.get(key), ours.get(key), theirs.get(key)]
    if (own !== undefined && other !== undefined) compareKeys(found, was, own, other, take(own))
    else if (own !== undefined) compareAlone(found, 'ours', was, own, take(own))
    else if (other !== undefined) compareAlone(found, 'theirs', was, other, take(other))
  }
  return found
}

type Found = { [K in keyof Compared]: Compared[K][number][] }

/** One side has it: it is new there, or the other removed it. */
function compareAlone(
  found: Found,
  side: Side,
  was: SyncEntry | undefined,
  entry: SyncEntry,
  taken: Side | undefined,
): void {
  const other = side === 'ours' ? 'theirs' : 'ours'
  const { kind, id, name } = entry
  const added = { ...{ kind, id, name }, action: 'add' as const, changes: allKeys(entry.fields) }
  if (was === undefined) {
    found[side].push(added)
    return
  }
  const isSame = changedKeys(was.fields, entry.fields).length === 0
  const winner = isSame ? other : taken
  if (winner === other) found[other].push({ ...{ kind, id, name }, action: 'remove', changes: [] })
  else if (winner === side) found[side].push(added)
  else {
    const text = summaryOf(entry.fields)
    const values = side === 'ours' ? { ours: text, theirs: undefined } : { ours: undefined, theirs: text }
    found.conflicts.push({ kind, id, key: wholeEntry, base: summaryOf(was.fields), ...values })
  }
}

/** Key by key, so that two people may change different keys of an entry. */
function compareKeys(
  found: Found,
  was: SyncEntry | undefined,
  own: SyncEntry,
  other: SyncEntry,
  taken: Side | undefined,
): void {
  const changed: Record<Side, KeyChange[]> = { ours: [], theirs: [] }
  const { kind, id, name } = own
  for (const { key, old: ours, new: theirs } of changedKeys(own.fields, other.fields)) {
    const base = was?.fields[key]
    const isOwn = was !== undefined && isSameValue(base, theirs)
    const isOther = was !== undefined && isSameValue(base, ours)
    const side = isOwn ? 'ours' : isOther ? 'theirs' : taken
    if (side === 'ours') changed.ours.push({ key, old: theirs, new: ours })
    else if (side === 'theirs') changed.theirs.push({ key, old: ours, new: theirs })
    else found.conflicts.push({ kind, id, key, base, ours, theirs })
  }
  for (const side of ['ours', 'theirs'] as const)
    if (changed[side].length > 0)
      found[side].push({ ...{ kind, id, name }, action: 'change', changes: changed[side] })
}

/** `old` of the first, `new` of the second. */
export function changedKeys(first: EntryFields, second: EntryFields): readonly KeyChange[] {
  const keys = [...new Set([...Object.keys(first), ...Object.keys(second)])]
  return keys
    .filter(key => !isSameValue(first[key], second[key]))
    .map(key => ({ key, old: first[key], new: second[key] }))
}

function allKeys(fields: EntryFields): readonly KeyChange[] {
  return Object.entries(fields).map(([key, value]) => ({ key, old: undefined, new: value }))
}

function summaryOf(fields: EntryFields): string {
  return Object.entries(fields)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : value.join(', ')}`)
    .join('; ')
}
