/** `svc glossary edit`: changes keys of an entry; what names a term by its old name is changed with it. */
import {
  completeFields,
  didYouMean,
  type EntryValue,
  entryShapes,
  glossaryPath,
  isSameValue,
  namedKinds,
  withChanges,
} from '@svc/server/language'
import { SvcError } from '../../engine/errors.ts'
import { refuseTaken } from '../../engine/glossary/add-entry.ts'
import {
  checkChange,
  type NewTexts,
  refuseBroken,
  writeChange,
} from '../../engine/glossary/change-glossary.ts'
import type { KeyChange } from '../../engine/glossary/entry-changes.ts'
import { entryNamed, type NamedEntry } from '../../engine/glossary/find-entry.ts'
import { termOfEntry, withReferences } from '../../engine/glossary/rename-term.ts'
import type { OpenedWorkspace } from '../../engine/workspace/open-workspace.ts'
import { editedEntryJson, renderEditedEntry } from '../../render/glossary.ts'
import { type Command, jsonOption, reportOf } from '../command.ts'
import { listItems } from './entry-options.ts'

export const kindOption = {
  name: 'kind',
  value: 'kind',
  summary: 'which, where two kinds have that name',
  choices: namedKinds,
}

export const editCommand: Command = {
  name: 'glossary edit',
  brief: 'change keys of an entry',
  summary: 'Change keys of a term, metric, dimension or policy; a new name is followed everywhere.',
  arguments: [{ name: 'entry', summary: 'its identifier or name', required: true }],
  options: [
    {
      name: 'set',
      value: 'key=value',
      summary: 'a key as in glossary.yaml; lists with commas; repeatable',
      repeatable: true,
    },
    { name: 'unset', value: 'key', summary: 'take a key out; repeatable', repeatable: true },
    kindOption,
    jsonOption,
  ],
  examples: [
    { line: 'svc glossary edit Customer --set owner=sales@example.com', says: 'one key' },
    { line: 'svc glossary edit term.customer --set name=Client --unset owner', says: 'rename it' },
  ],
  exitCodes: {
    0: 'done, also if it was so already',
    1: 'the name is taken, or the glossary has or would have mistakes',
    2: 'wrong usage, no project, unknown entry',
  },
  async run(context) {
    const { options } = context
    const workspace = await context.openWorkspace()
    const { glossary } = workspace.project
    refuseBroken(glossary)
    const entry = entryNamed(glossary, context.arguments[0] ?? '', options.text('kind'))
    const wanted = wantedKeys(entry, options.texts('set'), options.texts('unset'))
    const changes = changedKeys(entry, wanted)
    const texts = changes.length === 0 ? new Map<string, string>() : editedTexts(workspace, entry, changes)
    const change = await checkChange(workspace, texts, true)
    await writeChange(workspace, change)
    const edited = { entry, changes, paths: [...texts.keys()], warnings: change.warnings }
    return reportOf(edited, renderEditedEntry, editedEntryJson)
  },
}

type Wanted = ReadonlyMap<string, EntryValue | undefined>

function wantedKeys(entry: NamedEntry, set: readonly string[], unset: readonly string[]): Wanted {
  if (set.length === 0 && unset.length === 0)
    throw new SvcError('wrong-usage', 'svc glossary edit needs --set or --unset', keysHint(entry))
  const wanted = new Map<string, EntryValue | undefined>()
  for (const pair of set) {
    const at = pair.indexOf('=')
    if (at < 1) throw new SvcError('wrong-usage', '--set takes key=value', keysHint(entry))
    const key = keyOf(entry, pair.slice(0, at).trim())
    const text = pair.slice(at + 1).trim()
    refuseTwice(wanted, key.name)
    refuseChoice(key, text)
    wanted.set(key.name, key.isList ? listItems(text, `--set ${key.name}`) : text)
  }
  for (const name of unset) {
    const key = keyOf(entry, name.trim())
    refuseTwice(wanted, key.name)
    if (key.isRequired) throw new SvcError('wrong-usage', `a ${entry.kind} needs its ${key.name}`)
    wanted.set(key.name, undefined)
  }
  return wanted
}

function keysHint({ kind }: NamedEntry): { readonly hint: string } {
  return { hint: `A ${kind} has the keys ${entryShapes[kind].keys.map(({ name }) => name).join(', ')}.` }
}

function keyOf(entry: NamedEntry, written: string) {
  const { keys } = entryShapes[entry.kind]
  const key = keys.find(({ name }) => name === written.replaceAll('-', '_'))
  if (key !== undefined) return key
  const question = didYouMean(
    written,
    keys.map(({ name }) => name),
  )
  const message = `a ${entry.kind} has no key "${written.slice(0, 100)}"${question}`
  throw new SvcError('wrong-usage', message, keysHint(entry))
}

function refuseTwice(wanted: Wanted, key: string): void {
  if (wanted.has(key)) throw new SvcError('wrong-usage', `"${key}" is given twice`)
}

function refuseChoice(key: (typeof entryShapes)['term']['keys'][number], value: string): void {
  if (key.choices === undefined || key.choices.includes(value)) return
  const question = didYouMean(value, key.choices)
  throw new SvcError('wrong-usage', `${key.name} cannot be "${value.slice(0, 100)}"${question}`, {
    hint: `It is one of ${key.choices.join(', ')}.`,
  })
}

function changedKeys(entry: NamedEntry, wanted: Wanted): readonly KeyChange[] {
  const before: Readonly<Record<string, EntryValue | undefined>> = { ...entry.fields, id: entry.id }
  const defaults = completeFields(entry.kind, {})
  return [...wanted].flatMap(([key, value]) => {
    const next = value === undefined || value.length === 0 ? undefined : value
    if (key === 'name' && next === undefined) {
      throw new SvcError('wrong-usage', `the name of the ${entry.kind} is empty`)
    }
    if (isSameValue(before[key], next ?? defaults[key])) return []
    return [{ key, old: before[key], new: next }]
  })
}

/** Returns the glossary with the changes, and the files of assets that name the term. */
function editedTexts(workspace: OpenedWorkspace, entry: NamedEntry, changes: readonly KeyChange[]): NewTexts {
  const { project } = workspace
  const { glossary } = project
  const given = new Map(changes.map(change => [change.key, change.new]))
  const name = String(given.get('name') ?? entry.name)
  const hasId = isWritten(workspace, entry)
  const id = given.has('id') ? String(given.get('id') ?? '') : entry.id
  const isRenamed = given.has('name') || given.has('id') || given.has('synonyms')
  if (isRenamed) refuseTaken(glossary, entry.kind, name, id, entry.id)
  const term = entry.kind === 'term' && isRenamed ? termOfEntry(glossary, entry.id) : undefined
  const synonyms = (given.has('synonyms') ? given.get('synonyms') : entry.fields['synonyms']) ?? []
  const texts =
    term === undefined
      ? new Map<string, string>()
      : withReferences(project, term, { id, name, synonyms: [synonyms].flat() })
  // An identifier that was made of the old name stays what it was: other programs know it.
  const keepsId = given.has('name') && !given.has('id') && !hasId && entry.kind !== 'policy'
  const all = { ...Object.fromEntries(given), ...(keepsId && { id: entry.id }) }
  const before = texts.get(glossaryPath) ?? glossary.file?.text ?? ''
  texts.set(glossaryPath, withChanges(before, entry.kind, entry.index, all))
  return texts
}

function isWritten({ project }: OpenedWorkspace, { kind, index, id }: NamedEntry): boolean {
  const text = project.glossary.file?.text ?? ''
  return withChanges(text, kind, index, { id }) === text
}
