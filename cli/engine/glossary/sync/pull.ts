/** `svc glossary pull`: what the store changed comes into glossary.yaml. */
import { type GlossaryEntry, glossaryEntries, type Project } from '@svc/server/language'
import type { NewTexts } from '../change-glossary.ts'
import { changedTexts, type EntryChange } from '../entry-changes.ts'
import type { SideChange, Sides } from './compare.ts'
import { type Entries, keyOf, type SyncEntry } from './sync-entry.ts'

export interface SkippedEntry {
  readonly kind: SyncEntry['kind']
  readonly id: string
  readonly reason: string
}

export interface Pulled {
  readonly texts: NewTexts
  readonly done: readonly SideChange[]
  readonly skipped: readonly SkippedEntry[]
  /** What both sides are taken to have had in common from now on. */
  readonly base: Entries
}

export function pullChanges(project: Project, sides: Sides, changes: readonly SideChange[]): Pulled {
  const entries = new Map(glossaryEntries(project.glossary).map(entry => [keyOf(entry), entry]))
  const skipped = changes.flatMap(change => skippedLink(project, sides, change))
  const left = new Set(skipped.map(keyOf))
  const done = changes.filter(change => !left.has(keyOf(change)))
  const base = new Map<string, SyncEntry>(
    [...sides.theirs].filter(([key]) => !left.has(key) || sides.base.has(key)),
  )
  const texts = changedTexts(
    project,
    done.flatMap(change => entryChange(entries, sides, change)),
  )
  return { texts, done, skipped, base }
}

/** A branch may lack the asset that another one has. */
function skippedLink(project: Project, { theirs }: Sides, change: SideChange): readonly SkippedEntry[] {
  const { kind, id, action } = change
  const asset = String(theirs.get(keyOf(change))?.fields['asset'])
  if (kind !== 'link' || action !== 'add' || project.byName.has(asset)) return []
  return [{ kind, id, reason: `the project has no asset "${asset}"` }]
}

function entryChange(
  entries: ReadonlyMap<string, GlossaryEntry>,
  { theirs }: Sides,
  change: SideChange,
): readonly EntryChange[] {
  const { kind, id, action } = change
  if (action === 'add') {
    const { fields = {} } = theirs.get(keyOf(change)) ?? {}
    const hasId = kind !== 'link' && kind !== 'policy'
    return [{ does: 'add', kind, fields: hasId ? { ...fields, id } : fields }]
  }
  const entry = entries.get(keyOf(change))
  if (entry === undefined) return []
  if (action === 'remove') return [{ does: 'remove', entry }]
  return [
    { does: 'change', entry, fields: Object.fromEntries(change.changes.map(each => [each.key, each.new])) },
  ]
}
