/** `svc glossary remove`: takes an entry out of glossary.yaml, after showing what refers to it. */
import {
  appliesTo,
  glossaryPath,
  type Project,
  type Term,
  type TermReference,
  withoutEntry,
} from '@svc/server/language'
import { SvcError } from '../../engine/errors.ts'
import {
  checkChange,
  type NewTexts,
  refuseBroken,
  writeChange,
} from '../../engine/glossary/change-glossary.ts'
import { entryNamed, type NamedEntry } from '../../engine/glossary/find-entry.ts'
import { referencesOf, termOfEntry, withoutReferences } from '../../engine/glossary/rename-term.ts'
import { removedEntryJson, renderRemovedEntry } from '../../render/glossary.ts'
import { type Command, jsonOption, reportOf } from '../command.ts'
import { kindOption } from './edit.ts'

export const removeCommand: Command = {
  name: 'glossary remove',
  brief: 'take an entry out of glossary.yaml',
  summary: 'Remove a term, metric, dimension or policy; a term that is in use only with its references.',
  arguments: [{ name: 'entry', summary: 'its identifier or name', required: true }],
  options: [
    { name: 'with-references', summary: 'also remove links and columns.<name>.term that name it' },
    kindOption,
    jsonOption,
  ],
  examples: [
    { line: 'svc glossary remove Churn', says: 'if nothing refers to it' },
    { line: 'svc glossary remove term.customer --with-references', says: 'with its links' },
  ],
  exitCodes: {
    0: 'done',
    1: 'something refers to it, or the glossary has mistakes',
    2: 'wrong usage, no project, unknown entry',
  },
  async run(context) {
    const { options } = context
    const workspace = await context.openWorkspace()
    const { project } = workspace
    refuseBroken(project.glossary)
    const entry = entryNamed(project.glossary, context.arguments[0] ?? '', options.text('kind'))
    const term = entry.kind === 'term' ? termOfEntry(project.glossary, entry.id) : undefined
    const references = term === undefined ? [] : referencesOf(project, term)
    if (references.length > 0 && !options.flag('with-references')) throw inUse(entry, references)
    const covered = coveredBy(project, entry)
    const change = await checkChange(workspace, remainingTexts(project, entry, term), true)
    await writeChange(workspace, change)
    const removed = { entry, references, covered, paths: [...change.texts.keys()] }
    return reportOf(removed, renderRemovedEntry, removedEntryJson)
  },
}

function remainingTexts(project: Project, { kind, index }: NamedEntry, term: Term | undefined): NewTexts {
  const texts = term === undefined ? new Map<string, string>() : withoutReferences(project, term)
  // Links are another list, so that the entry has still its place in its own.
  const text = texts.get(glossaryPath) ?? project.glossary.file?.text ?? ''
  return texts.set(glossaryPath, withoutEntry(text, kind, index))
}

/** The assets that a policy no longer protects. */
function coveredBy(project: Project, { kind, index }: NamedEntry): readonly string[] {
  const policy = kind === 'policy' ? project.glossary.policies.find(each => each.index === index) : undefined
  if (policy === undefined) return []
  return [...project.byName.values()]
    .filter(asset => appliesTo(policy, project, asset))
    .map(({ name }) => name)
}

const mostShown = 10

function inUse({ name, id }: NamedEntry, references: readonly TermReference[]): SvcError {
  const places = references.map(({ path, asset, column }) => {
    const what = `${asset}${column === undefined ? '' : `.${column}`}`
    return path === glossaryPath ? `link to ${what}` : `${what} in ${path}`
  })
  const more = places.length > mostShown ? [`and ${places.length - mostShown} more`] : []
  const lines = [...places.slice(0, mostShown), ...more].map(line => `\n  ${line}`)
  return new SvcError('entry-in-use', `the term "${name}" (${id}) is in use:${lines.join('')}`, {
    hint: '--with-references removes these too.',
  })
}
