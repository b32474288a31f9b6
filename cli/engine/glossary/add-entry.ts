/** A new entry of the glossary: its name and its identifier must be new. */
import {
  completeFields,
  type EntryFields,
  type EntryValue,
  entryId,
  entryShapes,
  findTerm,
  type Glossary,
  type NamedKind,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { namedEntries, shown } from './find-entry.ts'
import { nameOf } from './import/imported.ts'

export interface NewEntry {
  readonly kind: NamedKind
  readonly id: string
  readonly name: string
  /** As written to the file. */
  readonly fields: EntryFields
  /** With the defaults of keys that are not written. */
  readonly complete: EntryFields
}

/** Throws SvcError `term-exists`, `entry-exists`, `wrong-usage`. */
export function newEntry(
  glossary: Glossary,
  kind: NamedKind,
  values: Readonly<Record<string, EntryValue | undefined>>,
): NewEntry {
  const name = nameOf(values['name'])
  if (name === '') throw new SvcError('wrong-usage', `the name of the ${kind} is empty`)
  const given = values['id']
  const id = typeof given === 'string' ? given.trim() : entryId(entryShapes[kind].prefix, name)
  refuseTaken(glossary, kind, name, id)
  const written = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value]],
  )
  // A policy has no identifier in the file (interface.md 2.5).
  const fields = { ...Object.fromEntries(written), name, ...(kind === 'policy' ? {} : { id }) }
  return { kind, id, name, fields, complete: completeFields(kind, fields) }
}

/** `except` is the identifier of the entry that gets the name. */
export function refuseTaken(
  glossary: Glossary,
  kind: NamedKind,
  name: string,
  id: string,
  except?: string,
): void {
  const others = namedEntries(glossary).filter(each => each.kind === kind && each.id !== except)
  const term = kind === 'term' ? findTerm(glossary, name) : undefined
  const sameName = others.find(
    each => each.name.trim().toLowerCase() === name.toLowerCase() || each.id === term?.id,
  )
  const other = sameName ?? others.find(each => each.id === id)
  if (other === undefined) return
  const what =
    sameName === undefined
      ? `the ${kind} "${shown(other.name)}" has the identifier "${shown(id)}"`
      : `there is a ${kind} "${shown(other.name)}" (${shown(other.id)}) already`
  const canSayId = sameName === undefined && kind !== 'policy'
  throw new SvcError(kind === 'term' ? 'term-exists' : 'entry-exists', what, {
    hint: canSayId
      ? 'Give this one another with --id.'
      : 'Choose another name, or change the other: svc glossary edit.',
  })
}
