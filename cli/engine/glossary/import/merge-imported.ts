/** Compares what a file says with the glossary: what is new, the same, or something else. */
import {
  didYouMean,
  type EntryFields,
  type EntryKind,
  entryId,
  entryShapes,
  findTerm,
  type Glossary,
  type GlossaryEntry,
  glossaryEntries,
  isSameValue,
  linkId,
  type Project,
  type ProjectAnalysis,
} from '@svc/server/language'
import type { EntryChange, KeyChange } from '../entry-changes.ts'
import { folded } from '../find-entry.ts'
import { type Imported, type ImportedEntry, type ImportProblem, nameOf } from './imported.ts'

export interface MergedEntry {
  readonly kind: EntryKind
  readonly id: string
  readonly name: string
  readonly place: string
  readonly status: 'new' | 'changed' | 'conflict' | 'unchanged'
  readonly changes: readonly KeyChange[]
  /** What the file says otherwise and was not asked for. */
  readonly conflicts: readonly KeyChange[]
}

export interface MergeGround {
  readonly project: Project
  readonly analysis: ProjectAnalysis
  /** Whether entries that exist get what the file says. */
  readonly updates: boolean
}

export function mergeImported(
  ground: MergeGround,
  { entries }: Imported,
): Pick<Merge, 'entries' | 'changes' | 'problems'> {
  const merge = new Merge(ground)
  for (const entry of entries) if (entry.kind !== 'link') merge.named(entry)
  for (const entry of entries) if (entry.kind === 'link') merge.link(entry)
  return merge
}

class Merge {
  readonly entries: MergedEntry[] = []
  readonly changes: EntryChange[] = []
  readonly problems: ImportProblem[] = []
  private readonly ground: MergeGround
  private readonly glossary: Glossary
  private readonly byId = new Map<string, GlossaryEntry>()
  private readonly byName = new Map<string, GlossaryEntry>()
  /** What the file had before, by kind and identifier. */
  private readonly seen = new Map<string, { readonly place: string; readonly said: string }>()
  private readonly newTerms = new Map<string, string>()

  constructor(ground: MergeGround) {
    this.ground = ground
    this.glossary = ground.project.glossary
    for (const entry of glossaryEntries(this.glossary)) {
      this.byId.set(keyOf(entry.kind, entry.id), entry)
      if (entry.kind !== 'link') this.byName.set(keyOf(entry.kind, folded(entry.name)), entry)
    }
  }

  named({ kind, id: given, fields, place }: ImportedEntry): void {
    const name = nameOf(fields['name'])
    const own = given ?? entryId(entryShapes[kind].prefix, name)
    const sameId = this.byId.get(keyOf(kind, own))
    const sameName = this.entryCalled(kind, name)
    const known = given === undefined ? (sameName ?? sameId) : (sameId ?? sameName)
    if (sameId !== undefined && sameName !== undefined && sameId !== sameName) {
      const what = `"${name}" is called so in glossary.yaml (${sameName.id}), and ${own} is "${sameId.name}" there`
      this.problems.push({ place, message: what })
      return
    }
    const id = known?.id ?? own
    if (kind === 'term') this.noteTerm([own, name], id)
    if (this.isTwice(kind, id, fields, place) || this.isNameTwice(kind, id, name, place)) return
    if (known === undefined) {
      const all = kind === 'policy' ? { ...fields, name } : { ...fields, name, id }
      this.add(kind, id, name, all, place)
      return
    }
    // A synonym is the name of a term too, and another case no other name.
    const isRenamed = known === sameId && folded(known.name) !== folded(name) && sameName === undefined
    const { name: _, ...rest } = fields
    this.compare(known, isRenamed ? { ...rest, name } : rest, place)
  }

  link({ fields, place }: ImportedEntry): void {
    const term = String(fields['term'] ?? '')
    const known = this.newTerms.get(folded(term)) ?? findTerm(this.glossary, term)?.id
    if (known === undefined) {
      const names = this.glossary.terms.flatMap(each => [each.name, each.id])
      this.problems.push({ place, message: `no term is called "${term}"${didYouMean(term, names)}` })
      return
    }
    const target = this.target(fields, place)
    if (target === undefined) return
    const { asset, column } = target
    const id = linkId(known, asset, column)
    const all = { ...fields, term: known, asset, ...(column !== undefined && { column }) }
    if (this.isTwice('link', id, all, place)) return
    const existing = this.byId.get(keyOf('link', id))
    const name = `${known} -> ${asset}${column === undefined ? '' : `.${column}`}`
    if (existing !== undefined)
      this.compare(existing, fields['role'] === undefined ? {} : { role: fields['role'] }, place)
    else if (this.isInAsset(known, asset, column))
      this.note({ kind: 'link', id, name, place, status: 'unchanged' })
    else this.add('link', id, name, all, place)
  }

  private noteTerm(names: readonly string[], id: string): void {
    for (const name of names) if (!this.newTerms.has(folded(name))) this.newTerms.set(folded(name), id)
  }

  private entryCalled(kind: EntryKind, name: string): GlossaryEntry | undefined {
    const term = kind === 'term' ? findTerm(this.glossary, name) : undefined
    return term === undefined
      ? this.byName.get(keyOf(kind, folded(name)))
      : this.byId.get(keyOf('term', term.id))
  }

  /** A row that says the same once more is none. */
  private isTwice(kind: EntryKind, id: string, fields: EntryFields, place: string): boolean {
    const key = keyOf(kind, id)
    const said = JSON.stringify(Object.entries(fields).sort())
    const before = this.seen.get(key)
    if (before === undefined) this.seen.set(key, { place, said })
    else if (before.said !== said)
      this.problems.push({ place, message: `it says another thing of ${id} than ${before.place}` })
    return before !== undefined
  }

  private isNameTwice(kind: EntryKind, id: string, name: string, place: string): boolean {
    const key = `name ${keyOf(kind, folded(name))}`
    const before = this.seen.get(key)
    if (before === undefined) this.seen.set(key, { place, said: id })
    else if (before.said !== id)
      this.problems.push({ place, message: `there is a ${kind} "${name}" at ${before.place} already` })
    return before !== undefined && before.said !== id
  }

  private target(fields: EntryFields, place: string) {
    const { project, analysis } = this.ground
    const written = String(fields['asset'] ?? '')
    const asset = project.byName.get(written) ?? project.assets.get(written)
    if (asset === undefined) {
      const question = didYouMean(written, project.byName.keys())
      this.problems.push({ place, message: `no asset is called "${written}"${question}` })
      return undefined
    }
    const column = fields['column'] === undefined ? undefined : String(fields['column'])
    const known = analysis.of(asset.name)
    const columns = known?.columns.map(({ name }) => name) ?? []
    const match = columns.find(each => column !== undefined && project.engine.sameName(each, column))
    if (column !== undefined && match === undefined && known?.complete === true) {
      const question = didYouMean(column, columns)
      this.problems.push({ place, message: `${asset.name} has no column "${column}"${question}` })
      return undefined
    }
    return { asset: asset.name, column: match ?? column }
  }

  /** The file of the asset may say it already: `columns.<name>.term`. */
  private isInAsset(term: string, name: string, column: string | undefined): boolean {
    const docs = this.ground.project.byName.get(name)?.definition.columns ?? {}
    const { sameName } = this.ground.project.engine
    const doc = Object.entries(docs).find(([own]) => column !== undefined && sameName(own, column))?.[1]
    if (doc?.term === undefined) return false
    return (this.newTerms.get(folded(doc.term)) ?? findTerm(this.glossary, doc.term)?.id) === term
  }

  private add(kind: EntryKind, id: string, name: string, fields: EntryFields, place: string): void {
    this.changes.push({ does: 'add', kind, fields })
    const changes = Object.entries(fields).map(([key, value]) => ({ key, old: undefined, new: value }))
    this.note({ kind, id, name, place, status: 'new', changes })
  }

  private compare(entry: GlossaryEntry, fields: EntryFields, place: string): void {
    const found = Object.entries(fields)
      .map(([key, value]) => ({ key, old: entry.fields[key], new: value }))
      .filter(each => !isSameValue(each.old, each.new))
    const { updates } = this.ground
    if (updates && found.length > 0) {
      const given = Object.fromEntries(found.map(each => [each.key, each.new]))
      this.changes.push({ does: 'change', entry, fields: given })
    }
    const status = found.length === 0 ? 'unchanged' : updates ? 'changed' : 'conflict'
    const { kind, id, name } = entry
    this.note({
      ...{ kind, id, name, place, status },
      ...(updates ? { changes: found } : { conflicts: found }),
    })
  }

  private note(entry: Omit<MergedEntry, 'changes' | 'conflicts'> & Partial<MergedEntry>): void {
    this.entries.push({ changes: [], conflicts: [], ...entry })
  }
}

function keyOf(kind: EntryKind, id: string): string {
  return `${kind} ${id}`
}
