/** Many changes of the glossary at once, as new texts of files: what names a renamed term is changed with it. */
import {
  type EntryFields,
  type EntryKind,
  type EntryValue,
  type GlossaryEntry,
  glossaryPath,
  type Project,
  withChanges,
  withEntries,
  withoutEntry,
} from '@svc/server/language'
import { patchedProject } from '../ai/patch/check-project.ts'
import type { NewTexts } from './change-glossary.ts'
import { termOfEntry, withReferences } from './rename-term.ts'

/** A key of an entry with its value before and after; undefined where it has none. */
export interface KeyChange {
  readonly key: string
  readonly old: EntryValue | undefined
  readonly new: EntryValue | undefined
}

export type EntryChange =
  | { readonly does: 'add'; readonly kind: EntryKind; readonly fields: EntryFields }
  | {
      readonly does: 'change'
      readonly entry: GlossaryEntry
      /** Undefined takes a key out. */
      readonly fields: Readonly<Record<string, EntryValue | undefined>>
    }
  | { readonly does: 'remove'; readonly entry: GlossaryEntry }

/** The caller checks what comes out, as a whole, before it is written. */
export function changedTexts(project: Project, changes: readonly EntryChange[]): NewTexts {
  if (changes.length === 0) return new Map()
  const texts = followedRenames(project, changes)
  const before = texts.get(glossaryPath) ?? project.glossary.file?.text
  return texts.set(glossaryPath, withAll(before, changes))
}

function followedRenames(project: Project, changes: readonly EntryChange[]): Map<string, string> {
  const texts = new Map<string, string>()
  let current = project
  for (const change of changes) {
    if (change.does !== 'change' || change.entry.kind !== 'term') continue
    const { entry, fields } = change
    if (!('name' in fields || 'synonyms' in fields)) continue
    const term = termOfEntry(current.glossary, entry.id)
    if (term === undefined) continue
    const value = (key: string) => (key in fields ? fields[key] : entry.fields[key]) ?? []
    const next = { id: entry.id, name: String(value('name')), synonyms: [value('synonyms')].flat() }
    const moved = withReferences(current, term, next)
    for (const [path, text] of moved) texts.set(path, text)
    current = patchedProject(current, moved)
  }
  return texts
}

/** Changes keep the places of entries; those that go do so from the last to the first. */
function withAll(before: string | undefined, changes: readonly EntryChange[]): string {
  const changed = changes.reduce(
    (text, each) =>
      each.does === 'change' ? withChanges(text, each.entry.kind, each.entry.index, keptId(each)) : text,
    before ?? '',
  )
  const removed = changes
    .flatMap(each => (each.does === 'remove' ? [each.entry] : []))
    .sort((a, b) => b.index - a.index)
    .reduce((text, { kind, index }) => withoutEntry(text, kind, index), changed)
  const added = changes.flatMap(each => (each.does === 'add' ? [each] : []))
  return kindsInOrder.reduce((text, kind) => {
    const fields = added.filter(each => each.kind === kind).map(each => each.fields)
    return fields.length === 0 ? text : withEntries(text === '' ? undefined : text, kind, fields)
  }, removed)
}

const kindsInOrder: readonly EntryKind[] = ['term', 'metric', 'dimension', 'policy', 'link']

/** An identifier that was made of the old name is written down, because other programs know it. */
function keptId({ entry, fields }: EntryChange & { does: 'change' }) {
  const hasId = entry.kind !== 'policy' && entry.kind !== 'link'
  return 'name' in fields && hasId ? { ...fields, id: entry.id } : fields
}
