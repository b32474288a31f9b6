/** Decides what a notifier is told now. Pure. */
import type { Notifier } from '@svc/server/language'
import type { Entry, Told } from './ledger.ts'
import type { Item } from './message.ts'
import type { Found, Problem } from './problems.ts'

export interface Decision {
  readonly told: Told
  readonly items: readonly Item[]
  /** The keys of the entries behind the items. */
  readonly keys: readonly string[]
  /** Whether there is something to tell, and too much was told in this hour. */
  readonly isLimited: boolean
}

/** How long a message of another process may be under way. */
const claimMs = 120_000
const hourMs = 3_600_000

/** `isWatched`: whether the notifier tells of an asset; null is the run as a whole. */
export function decide(
  before: Told,
  notifier: Notifier,
  found: Found,
  { now, isWatched }: { readonly now: Date; readonly isWatched: (asset: string | null) => boolean },
): Decision {
  const problems = found.problems.filter(({ asset }) => isWatched(asset))
  const open = new Map<string, Entry>()
  for (const [key, entry] of Object.entries(before.open)) {
    const next = isWatched(entry.asset) ? ended(entry, found, now) : undefined
    if (next !== undefined && !isForgotten(next, notifier, now)) open.set(key, next)
  }
  for (const problem of problems) {
    const key = keyOf(problem)
    const entry = standing(problem, open.get(key), now)
    const isOver = problem.past === true && found.isWell(problem.event, problem.asset)
    open.set(key, isOver ? { ...entry, well: now.toISOString() } : entry)
  }
  const sent = before.sent.filter(at => now.getTime() - Date.parse(at) < hourMs)
  const due = [...open].filter(([, entry]) => isDue(entry, notifier, now))
  const isLimited = due.length > 0 && sent.length >= notifier.limits.perHour
  const chosen = isLimited ? [] : due
  for (const [key, entry] of chosen) open.set(key, { ...entry, claimed: now.toISOString() })
  return {
    told: { open: Object.fromEntries(open), sent },
    items: itemsOf(
      chosen.map(([, entry]) => entry),
      notifier,
    ),
    keys: chosen.map(([key]) => key),
    isLimited,
  }
}

/** What came of the message: it was told, or its problems wait for the next time. */
export function settled(before: Told, keys: readonly string[], wasSent: boolean, now: Date): Told {
  const open = new Map(Object.entries(before.open))
  for (const key of keys) {
    const entry = open.get(key)
    if (entry === undefined) continue
    if (wasSent && entry.well !== null) open.delete(key)
    else open.set(key, { ...entry, claimed: null, told: wasSent ? now.toISOString() : entry.told })
  }
  const sent = wasSent ? [...before.sent, now.toISOString()] : before.sent
  return { open: Object.fromEntries(open), sent }
}

function keyOf({ event, asset, what }: Problem): string {
  return `${event} ${asset ?? ''} ${what}`
}

function standing(problem: Problem, known: Entry | undefined, now: Date): Entry {
  const { event, asset, text, place } = problem
  const begun = problem.since ?? now.toISOString()
  const since = known === undefined || known.well !== null ? begun : known.since
  const told = known?.well === null ? known.told : null
  return { event, asset, text, place, since, told, claimed: known?.claimed ?? null, well: null }
}

/** Undefined for what ended before anybody was told of it. */
function ended(entry: Entry, found: Found, now: Date): Entry | undefined {
  if (entry.well !== null || !found.isWell(entry.event, entry.asset)) return entry
  return entry.told === null ? undefined : { ...entry, well: now.toISOString() }
}

/** A change of a source has no end; an end that nobody wants to hear needs no entry. */
function isForgotten({ event, told, well }: Entry, { on, repeatMs }: Notifier, now: Date): boolean {
  if (well !== null) return !on.includes('recovered') && (told !== null || !on.includes(event))
  return event === 'drifted' && told !== null && now.getTime() - Date.parse(told) >= repeatMs
}

function isDue({ event, told, claimed, well }: Entry, { on, repeatMs }: Notifier, now: Date): boolean {
  const age = (at: string) => now.getTime() - Date.parse(at)
  if (claimed !== null && age(claimed) < claimMs) return false
  if (well !== null && told !== null) return on.includes('recovered')
  return on.includes(event) && (told === null || age(told) >= repeatMs)
}

/** The end of several problems of an asset is one. A problem that had ended before anybody was told of it is told with its end. */
function itemsOf(entries: readonly Entry[], { on }: Notifier): Item[] {
  const ends = new Map<string, Item>()
  const standing: Item[] = []
  for (const { event, asset, text, place, since, told, well } of entries) {
    if (well === null || told === null) standing.push({ event, asset, text, place, since })
    if (well !== null && on.includes('recovered')) ends.set(asset ?? '', endOf(asset, event, since))
  }
  return [...standing, ...ends.values()]
}

function endOf(asset: string | null, event: string, since: string): Item {
  const text = `${asset ?? 'the run'} has recovered: it was ${event.replace('_', ' ')} since ${since}`
  return { event: 'recovered', asset, text, place: null, since }
}
