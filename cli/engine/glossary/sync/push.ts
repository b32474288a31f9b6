/** `svc glossary push`: what glossary.yaml changed goes to the store, entry by entry, each against the version that was read. */
import { entryShapes } from '@svc/server/language'
import { changedKeys, type SideChange, type Sides } from './compare.ts'
import { EntryRefused, type GlossaryStore } from './glossary-store.ts'
import type { SkippedEntry } from './pull.ts'
import { type Entries, keyOf, type SyncEntry } from './sync-entry.ts'

export type Pushed = Awaited<ReturnType<typeof pushChanges>>

/** Links need their terms, and a term goes after its links. */
function inOrder(changes: readonly SideChange[]): readonly SideChange[] {
  const rank = ({ kind, action }: SideChange) => {
    if (kind === 'link') return action === 'remove' ? 1 : 2
    return action === 'remove' ? 3 : 0
  }
  return [...changes].sort((a, b) => rank(a) - rank(b))
}

/** `onDone` gets what both sides have in common after each change, so that nothing is lost when a later one fails. */
export async function pushChanges(
  store: GlossaryStore,
  sides: Sides,
  changes: readonly SideChange[],
  onDone: (base: Entries) => void,
) {
  const base = commonBase(sides)
  const push = new Push(store, sides)
  const done: SideChange[] = []
  const skipped: SkippedEntry[] = []
  onDone(base)
  for (const change of inOrder(changes)) {
    const reason = await push.one(change)
    if (reason === undefined) {
      done.push(change)
      noteDone(base, sides, change)
      onDone(base)
    } else skipped.push({ kind: change.kind, id: change.id, reason })
  }
  return { done, skipped }
}

/** What is the same on both sides is their common past. */
function commonBase({ base, ours, theirs }: Sides): Map<string, SyncEntry> {
  const common = new Map(base)
  for (const [key, own] of ours) {
    const other = theirs.get(key)
    if (other !== undefined && changedKeys(own.fields, other.fields).length === 0) common.set(key, own)
  }
  for (const key of base.keys()) if (!ours.has(key) && !theirs.has(key)) common.delete(key)
  return common
}

function noteDone(base: Map<string, SyncEntry>, { ours, theirs }: Sides, change: SideChange): void {
  const key = keyOf(change)
  const own = ours.get(key)
  if (change.action === 'remove' || own === undefined) {
    base.delete(key)
    return
  }
  const pushed = new Set(change.changes.map(each => each.key))
  const other = theirs.get(key)?.fields ?? {}
  const was = base.get(key)?.fields ?? {}
  const fields = { ...was }
  for (const name of new Set([...Object.keys(own.fields), ...Object.keys(was), ...pushed])) {
    const value = own.fields[name]
    const isCommon =
      pushed.has(name) || change.action === 'add' || JSON.stringify(value) === JSON.stringify(other[name])
    if (!isCommon) continue
    if (value === undefined) delete fields[name]
    else fields[name] = value
  }
  base.set(key, { ...own, fields })
}

class Push {
  private readonly store: GlossaryStore
  private readonly sides: Sides
  private readonly newTerms = new Map<string, number>()
  private readonly assets = new Map<string, number | undefined>()

  constructor(store: GlossaryStore, sides: Sides) {
    this.store = store
    this.sides = sides
  }

  /** Returns why the store does not take it. */
  async one(change: SideChange): Promise<string | undefined> {
    try {
      return await this.send(change)
    } catch (error) {
      if (error instanceof EntryRefused) return error.message
      throw error
    }
  }

  private async send(change: SideChange): Promise<string | undefined> {
    const key = keyOf(change)
    const stored = this.sides.theirs.get(key)
    if (change.action !== 'add' && stored !== undefined) {
      if (change.action === 'remove') await this.store.remove(stored)
      else await this.store.change(stored, patchOf(change))
      return undefined
    }
    const own = this.sides.ours.get(key)
    if (own === undefined) return undefined
    if (own.kind === 'link') return this.addLink(own)
    const id = own.kind === 'policy' ? {} : { id: own.id }
    const record = await this.store.create(own.kind, own.id, { ...own.fields, ...id })
    if (own.kind === 'term') this.newTerms.set(own.id, record.id)
    return undefined
  }

  private async addLink({ id, fields }: SyncEntry): Promise<string | undefined> {
    const [term, asset] = [String(fields['term']), String(fields['asset'])]
    const termNumber =
      this.newTerms.get(term) ?? this.sides.theirs.get(keyOf({ kind: 'term', id: term }))?.record
    if (termNumber === undefined) return `the store has no term ${term}`
    if (!this.assets.has(asset)) this.assets.set(asset, await this.store.assetNumber(asset))
    const assetNumber = this.assets.get(asset)
    if (assetNumber === undefined) return `the store has no asset "${asset}": svc upload sends it`
    await this.store.create('link', id, { ...fields, term: termNumber, asset: assetNumber })
    return undefined
  }
}

/** A merge patch: null takes a value out. */
function patchOf({ kind, changes }: SideChange): object {
  const defaults = new Map(entryShapes[kind].keys.map(each => [each.name, each.default]))
  return Object.fromEntries(changes.map(each => [each.key, each.new ?? defaults.get(each.key) ?? null]))
}
