/** Renders the results of the glossary commands. */
import type { JsonOf } from '@svc/server/contract'
import {
  type EntryFields,
  type EntryKind,
  type EntryValue,
  entryShapes,
  type FoundEntry,
  type Glossary,
  type GlossaryEntry,
  type NamedKind,
  type Term,
  type TermLink,
  type TermReference,
} from '@svc/server/language'
import type { NewEntry } from '../engine/glossary/add-entry.ts'
import { countOf } from './numbers.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'
import { wrap } from './width.ts'

export function renderAddedEntry(entry: NewEntry, warnings: readonly string[], style: Style): string[] {
  const { kind, id, name } = entry
  const called = kind === 'policy' ? '' : ` (${id})`
  return [
    `Added the ${kind} ${style.bold(name)}${called} to glossary.yaml`,
    ...warningLines(warnings, style),
    ...(kind === 'term' ? ['', `Next: svc glossary link-term ${id} --asset <asset> --column <column>`] : []),
  ]
}

export function addedEntryJson({ kind, id, complete }: NewEntry, warnings: readonly string[]): object {
  return { success: true, path: 'glossary.yaml', [kind]: entryJson(kind, id, complete), warnings }
}

/** All keys of an entry, as in the contract's records: lists may be empty, other keys null. */
function entryJson(kind: EntryKind, id: string, fields: EntryFields): Record<string, unknown> {
  const keys = entryShapes[kind].keys.filter(({ name }) => name !== 'id')
  return {
    ...(kind === 'link' ? {} : { id }),
    ...Object.fromEntries(
      keys.map(({ name, isList }) => {
        const none = isList ? [] : name === 'description' || name === 'rule' ? '' : null
        return [name, fields[name] ?? none]
      }),
    ),
  }
}

export interface ChangedKey {
  readonly key: string
  readonly old: EntryValue | undefined
  readonly new: EntryValue | undefined
}

interface EditedEntry {
  readonly entry: GlossaryEntry
  readonly changes: readonly ChangedKey[]
  readonly paths: readonly string[]
  readonly warnings: readonly string[]
}

export function renderEditedEntry({ entry, changes, paths, warnings }: EditedEntry, style: Style): string[] {
  const { kind, name } = entry
  if (changes.length === 0) return [`The ${kind} ${style.bold(name)} is so already`]
  const others = paths.filter(path => path !== 'glossary.yaml')
  return [
    `Changed the ${kind} ${style.bold(name)} in glossary.yaml`,
    ...changes.map(change => `  ${change.key}: ${valueText(change.old)} -> ${valueText(change.new)}`),
    ...others.map(path => `  ${path} names it anew`),
    ...warningLines(warnings, style),
  ]
}

export function editedEntryJson({ entry, changes, paths, warnings }: EditedEntry): JsonOf<'glossary-edit'> {
  return {
    success: true,
    kind: entry.kind as NamedKind,
    id: entry.id,
    changes: changes.map(change => ({ key: change.key, old: change.old ?? null, new: change.new ?? null })),
    paths: [...paths],
    warnings: [...warnings],
  }
}

interface RemovedEntry {
  readonly entry: GlossaryEntry
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

export function removedEntryJson({
  entry,
  references,
  covered,
  paths,
}: RemovedEntry): JsonOf<'glossary-remove'> {
  return {
    success: true,
    kind: entry.kind as NamedKind,
    id: entry.id,
    references: references.map(({ path, asset, column }) => ({ path, asset, column: column ?? null })),
    covered: [...covered],
    paths: [...paths],
  }
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

type NewLink = Pick<TermLink, 'term' | 'asset' | 'column' | 'role'>

export function renderLinkedTerm({ name }: Term, link: NewLink, isNew: boolean, style: Style): string[] {
  const place = placeText(link)
  const role = link.role === undefined ? '' : ` as ${link.role}`
  return [`${isNew ? 'Linked' : 'There is a link from'} ${style.bold(name)} to ${place}${role}`]
}

export function linkedTermJson(
  { id, name }: Term,
  link: NewLink,
  isNew: boolean,
): JsonOf<'glossary-link-term'> {
  const { asset, column, role } = link
  return {
    success: true,
    path: 'glossary.yaml',
    created: isNew,
    link: { term: id, term_name: name, asset, column: column ?? null, role: role ?? null },
  }
}

export function renderUnlinkedTerm({ name }: Term, link: NewLink, style: Style): string[] {
  return [`Removed the link from ${style.bold(name)} to ${placeText(link)}`]
}

export function unlinkedTermJson({ id, name }: Term, link: NewLink): JsonOf<'glossary-unlink-term'> {
  const { asset, column, role } = link
  return {
    success: true,
    path: 'glossary.yaml',
    link: { term: id, term_name: name, asset, column: column ?? null, role: role ?? null },
  }
}

const shownTerms = 10

export function renderGlossaryList(glossary: Glossary, style: Style): string[] {
  const { terms, metrics, dimensions, policies } = glossary
  const rows = terms.slice(0, shownTerms).map(term => [term.name, term.id, term.description])
  const table =
    rows.length === 0
      ? []
      : renderTable([{ title: 'Term' }, { title: 'Id' }, { title: 'Meaning' }], rows, style)
  const more = terms.length - rows.length
  return [
    countOf(terms.length, 'term'),
    ...(rows.length === 0 ? [] : ['', ...table]),
    ...(more > 0 ? [`… and ${more} more`] : []),
    '',
    [
      countOf(metrics.length, 'metric'),
      countOf(dimensions.length, 'dimension'),
      policies.length === 1 ? '1 policy' : `${policies.length} policies`,
    ].join(', '),
  ]
}

export function glossaryListJson({
  terms,
  metrics,
  dimensions,
  policies,
  links,
}: Glossary): JsonOf<'glossary-list'> {
  return {
    terms: {
      count: terms.length,
      first: terms.slice(0, shownTerms).map(({ id, name, description }) => ({ id, name, description })),
      more: terms.length > shownTerms,
    },
    metrics: metrics.length,
    dimensions: dimensions.length,
    policies: policies.length,
    links: links.length,
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
