/** Renders the results of the glossary commands. */
import type { JsonOf } from '@svc/server/contract'
import {
  type EntryValue,
  entryShapes,
  type FoundEntry,
  type Glossary,
  type Term,
  type TermLink,
  type TermReference,
} from '@svc/server/language'
import type { NewEntry } from '../engine/glossary/add-entry.ts'
import type { KeyChange } from '../engine/glossary/entry-changes.ts'
import type { NamedEntry } from '../engine/glossary/find-entry.ts'
import { countOf } from './numbers.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'
import { wrap } from './width.ts'

interface AddedEntry {
  readonly entry: NewEntry
  readonly warnings: readonly string[]
}

/** A word of a command line, as a shell takes it for one. */
function quotedWord(word: string): string {
  return /^[\w.:@/+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

export function renderAddedEntry({ entry, warnings }: AddedEntry, style: Style): string[] {
  const { kind, id, name } = entry
  const called = kind === 'policy' ? '' : ` (${id})`
  return [
    `Added the ${kind} ${style.bold(name)}${called} to glossary.yaml`,
    ...warningLines(warnings, style),
    ...(kind === 'term'
      ? ['', `Next: svc glossary link-term ${quotedWord(id)} --asset <asset> --column <column>`]
      : []),
  ]
}

/** All keys of the entry, as in the contract's records: lists may be empty, other keys null. */
export function addedEntryJson({ entry: { kind, id, complete }, warnings }: AddedEntry): object {
  const keys = entryShapes[kind].keys.filter(({ name }) => name !== 'id')
  const values = keys.map(({ name, isList }) => {
    const none = isList ? [] : name === 'description' || name === 'rule' ? '' : null
    return [name, complete[name] ?? none]
  })
  return { success: true, path: 'glossary.yaml', [kind]: { id, ...Object.fromEntries(values) }, warnings }
}

interface EditedEntry {
  readonly entry: NamedEntry
  readonly changes: readonly KeyChange[]
  readonly paths: readonly string[]
  readonly warnings: readonly string[]
}

export function renderEditedEntry({ entry, changes, paths, warnings }: EditedEntry, style: Style): string[] {
  const { kind, name } = entry
  if (changes.length === 0) return [`The ${kind} ${style.bold(name)} is so already`]
  const others = paths.filter(path => path !== 'glossary.yaml')
  return [
    `Changed the ${kind} ${style.bold(name)} in glossary.yaml`,
    ...changes.map(change => `  ${changeText(change)}`),
    ...others.map(path => `  ${path} names it anew`),
    ...warningLines(warnings, style),
  ]
}

export function editedEntryJson({ entry, changes, paths, warnings }: EditedEntry): JsonOf<'glossary-edit'> {
  const { kind, id } = entry
  return { success: true, kind, id, changes: changes.map(changeJson), paths, warnings }
}

interface RemovedEntry {
  readonly entry: NamedEntry
  readonly references: readonly TermReference[]
  /** The assets that a removed policy was about. */
  readonly covered: readonly string[]
  readonly paths: readonly string[]
}

export function renderRemovedEntry({ entry, references, covered }: RemovedEntry, style: Style): string[] {
  return [
    `Removed the ${entry.kind} ${style.bold(entry.name)} from glossary.yaml`,
    ...references.map(({ path, asset, column }) => `  ${placeText({ asset, column })} (${path})`),
    ...(covered.length === 0 ? [] : [`  it protected ${fewNames(covered)}`]),
  ]
}

export function removedEntryJson(removed: RemovedEntry): JsonOf<'glossary-remove'> {
  const { kind, id } = removed.entry
  return {
    success: true,
    kind,
    id,
    references: removed.references.map(({ path, asset, column }) => ({
      path,
      asset,
      column: column ?? null,
    })),
    covered: removed.covered,
    paths: removed.paths,
  }
}

export function changeText({ key, old, new: next }: KeyChange): string {
  return `${key}: ${valueText(old)} -> ${valueText(next)}`
}

export function changeJson({ key, old, new: next }: KeyChange) {
  return { key, old: old ?? null, new: next ?? null }
}

/** A value on one line. */
export function valueText(value: EntryValue | undefined): string {
  if (value === undefined || value.length === 0) return '(none)'
  const text = typeof value === 'string' ? value : value.join(', ')
  const line = text.trimEnd().replace(/\s*\n\s*/g, ' \u23ce ')
  return line.length <= longestValue ? line : `${line.slice(0, longestValue - 1)}\u2026`
}

const longestValue = 120

function fewNames(names: readonly string[]): string {
  const rest = names.length - 5
  return rest > 1 ? `${names.slice(0, 5).join(', ')} and ${rest} more` : names.join(', ')
}

export function warningLines(warnings: readonly string[], style: Style): readonly string[] {
  return warnings.flatMap(text => wrap(`${style.yellow('warning')} ${text}`, style.width))
}

function placeText({ asset, column }: Pick<NewLink, 'asset' | 'column'>): string {
  return `${asset}${column === undefined ? '' : `.${column}`}`
}

type NewLink = Pick<TermLink, 'asset' | 'column' | 'role'>

interface ShownLink {
  readonly term: Term
  readonly link: NewLink
}

interface MadeLink extends ShownLink {
  readonly isNew: boolean
  /** Whether it was there with another role. */
  readonly isChanged: boolean
  readonly oldRole: TermLink['role']
}

export function renderLinkedTerm(made: MadeLink, style: Style): string[] {
  const { term, link, isNew, isChanged, oldRole } = made
  const role = link.role === undefined ? '' : ` as ${link.role}`
  const whatWas = isChanged ? ` (before: ${oldRole === undefined ? 'without a role' : oldRole})` : ''
  const what = isNew ? 'Linked' : isChanged ? 'Changed the link from' : 'There is a link from'
  return [`${what} ${style.bold(term.name)} to ${placeText(link)}${role}${whatWas}`]
}

export function linkedTermJson({ isNew, isChanged, ...shown }: MadeLink): JsonOf<'glossary-link-term'> {
  const link = linkJson(shown)
  return { success: true, path: 'glossary.yaml', created: isNew, changed: isChanged, link }
}

export function renderUnlinkedTerm({ term, link }: ShownLink, style: Style): string[] {
  return [`Removed the link from ${style.bold(term.name)} to ${placeText(link)}`]
}

export function unlinkedTermJson(shown: ShownLink): JsonOf<'glossary-unlink-term'> {
  return { success: true, path: 'glossary.yaml', link: linkJson(shown) }
}

function linkJson({ term, link: { asset, column, role } }: ShownLink) {
  return { term: term.id, term_name: term.name, asset, column: column ?? null, role: role ?? null }
}

const shownTerms = 10

export function renderGlossaryList(glossary: Glossary, style: Style): string[] {
  const { terms, metrics, dimensions, policies } = glossary
  const rows = terms.slice(0, shownTerms).map(term => [term.name, term.id, term.description])
  const columns = [{ title: 'Term' }, { title: 'Id' }, { title: 'Meaning' }]
  const more = terms.length - rows.length
  const others = [countOf(metrics.length, 'metric'), countOf(dimensions.length, 'dimension')]
  return [
    countOf(terms.length, 'term'),
    ...(rows.length === 0 ? [] : ['', ...renderTable(columns, rows, style)]),
    ...(more > 0 ? [`… and ${more} more`] : []),
    '',
    [...others, countOf(policies.length, 'policy', 'policies')].join(', '),
  ]
}

export function glossaryListJson(glossary: Glossary): JsonOf<'glossary-list'> {
  const { terms } = glossary
  const first = terms.slice(0, shownTerms).map(({ id, name, description }) => ({ id, name, description }))
  return {
    terms: { count: terms.length, first, more: terms.length > shownTerms },
    metrics: glossary.metrics.length,
    dimensions: glossary.dimensions.length,
    policies: glossary.policies.length,
    links: glossary.links.length,
  }
}

export function renderFound(found: readonly FoundEntry[], words: string, style: Style): string[] {
  if (found.length === 0) return [`Nothing in glossary.yaml has "${words}"`]
  const rows = found.map(({ kind, name, id, description }) => [kind, name, id, description])
  const columns = [{ title: 'Kind' }, { title: 'Name' }, { title: 'Id' }, { title: 'Meaning' }]
  return renderTable(columns, rows, style)
}

export function foundJson(found: readonly FoundEntry[]): JsonOf<'glossary-search'> {
  return { count: found.length, found }
}
