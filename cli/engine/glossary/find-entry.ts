/** Finds entries of the glossary by what people write: an identifier, a name or a synonym. */
import {
  didYouMean,
  findTerm,
  type Glossary,
  type GlossaryEntry,
  glossaryEntries,
  type NamedKind,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'

export type NamedEntry = GlossaryEntry & { readonly kind: NamedKind }

/** Throws SvcError `unknown-entry`, `wrong-usage` (several have that name). */
export function entryNamed(glossary: Glossary, written: string, kind: string | undefined): NamedEntry {
  const all = namedEntries(glossary).filter(each => kind === undefined || each.kind === kind)
  const text = folded(written)
  const term = findTerm(glossary, written)
  const isIt = (each: NamedEntry) =>
    folded(each.name) === text || (each.kind === 'term' && each.id === term?.id)
  const byId = all.filter(each => folded(each.id) === text)
  const found = byId.length > 0 ? byId : all.filter(isIt)
  const [entry, other] = found
  if (entry === undefined) throw unknownEntry(all, written, kind)
  if (other === undefined) return entry
  throw new SvcError('wrong-usage', `"${shown(written)}" is a ${entry.kind} and a ${other.kind}`, {
    hint: `Say which: --kind ${entry.kind}, or its identifier ${entry.id}.`,
  })
}

export function namedEntries(glossary: Glossary): readonly NamedEntry[] {
  return glossaryEntries(glossary).filter((each): each is NamedEntry => each.kind !== 'link')
}

function unknownEntry(all: readonly NamedEntry[], written: string, kind: string | undefined): SvcError {
  const names = all.flatMap(({ name, id }) => [name, id])
  const question = didYouMean(written, names)
  const what = kind === undefined ? 'nothing in the glossary' : `no ${kind}`
  return new SvcError('unknown-entry', `${what} is called "${shown(written)}"${question}`, {
    hint: 'svc glossary search finds entries by their words.',
  })
}

/** What somebody wrote, for a message. */
export function shown(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 99)}…`
}

/** As names and identifiers are compared. */
export function folded(text: string): string {
  return text.trim().toLowerCase()
}
