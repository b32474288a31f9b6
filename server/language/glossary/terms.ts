/** Finds the term of a column or an asset: in its own file, or by a link of the glossary. */
import type { ProjectAnalysis } from '../analysis.ts'
import { getOrInsertComputed } from '../get-or-insert.ts'
import { oncePer } from '../once.ts'
import type { Asset, Project } from '../project/project.ts'
import { sameLetters } from '../text/same-letters.ts'
import type { Glossary, Metric, Policy, Term, TermLink } from './glossary.ts'
import { anyOf, matches } from './patterns.ts'

export interface TermUse {
  readonly term: Term
  readonly role: TermLink['role']
}

/** Finds a term by identifier, name or synonym, ignoring case. */
export function findTerm(glossary: Glossary, written: string): Term | undefined {
  return indexOf(glossary).terms.get(written.trim().toLowerCase())
}

/** What a link or a column may call the terms: identifiers and names. */
export const termNames = oncePer(({ terms }: Glossary): readonly string[] =>
  terms.flatMap(({ id, name }) => [id, name]),
)

/**
 * Returns the term of a column, or of the asset if `column` is undefined. `columns.<name>.term` in the
 * asset's file takes precedence.
 */
export function termOf(glossary: Glossary, asset: Asset, column: string | undefined): TermUse | undefined {
  const doc = column === undefined ? undefined : docOf(asset, column)
  const own = doc?.term === undefined ? undefined : findTerm(glossary, doc.term)
  if (own !== undefined) return { term: own, role: doc?.role }
  const link = indexOf(glossary).links.get(linkKey(asset.name, column))
  const term = link && findTerm(glossary, link.term)
  return term && { term, role: link?.role ?? doc?.role }
}

/** Returns the column's term, or the one of the column that it passes on unchanged, at any distance. */
export function inheritedTerm(
  project: Project,
  analysis: ProjectAnalysis,
  asset: Asset,
  column: string,
): (TermUse & { readonly from: Asset }) | undefined {
  const seen = new Set<string>()
  let [at, name] = [asset, column]
  while (!seen.has(`${at.name} ${name}`)) {
    seen.add(`${at.name} ${name}`)
    const use = termOf(project.glossary, at, name)
    if (use !== undefined) return { ...use, from: at }
    const line = analysis.of(at.name)?.lineage.find(each => sameLetters(each.column, name))
    const [origin, ...more] = line?.kind === 'direct' ? line.from : []
    const parent = origin?.source === undefined && origin !== undefined && project.byName.get(origin.asset)
    if (more.length > 0 || !parent) return undefined
    at = parent
    name = origin.column
  }
  return undefined
}

/**
 * Returns whether a policy applies to an asset: its name, `<schema>.<name>` or `<folders>.<name>` matches a
 * pattern, or a pattern `tag:<tag>` one of its tags.
 */
export function appliesTo(
  policy: Pick<Policy, 'appliesTo'>,
  project: Pick<Project, 'settings'>,
  asset: PolicySubject,
): boolean {
  if (policy.appliesTo.length === 0) return true
  return coverOf(policy.appliesTo).covers(policyNames(project, asset), asset.definition.tags)
}

export function namesMetric(policy: Pick<Policy, 'appliesTo'>, { id }: Pick<Metric, 'id'>): boolean {
  return policy.appliesTo.some(pattern => matches(pattern, id))
}

/** Returns the names by which patterns of policies find an asset: its own, with its schema, with its folders. */
export function policyNames(project: Pick<Project, 'settings'>, asset: PolicySubject): readonly string[] {
  const schema = asset.definition.deploy.schema ?? project.settings.defaultSchema
  const [folder = '', ...below] = foldersOf(project, asset)
  const names = [asset.name, `${schema}.${asset.name}`, `${folder}.${asset.name}`]
  if (below.length > 0) names.push([folder, ...below, asset.name].join('.'))
  return names
}

/** What the patterns of `applies_to` cover: names of assets, and tags with `tag:` before them. */
export interface Cover {
  covers(names: readonly string[], tags: readonly string[]): boolean
}

const covers = new WeakMap<readonly string[], Cover>()

export function coverOf(appliesTo: readonly string[]): Cover {
  return getOrInsertComputed(covers, appliesTo, () => {
    const tags = appliesTo.filter(pattern => pattern.startsWith(tagPrefix))
    const isName = anyOf(appliesTo.filter(pattern => !pattern.startsWith(tagPrefix)))
    const isTag = anyOf(tags.map(pattern => pattern.slice(tagPrefix.length).trim()))
    return { covers: (names, own) => names.some(isName) || own.some(isTag) }
  })
}

/** What a policy asks of an asset: its file, or what is known of it when its file is gone. */
export interface PolicySubject {
  readonly name: string
  readonly path: string
  readonly definition: {
    readonly tags: readonly string[]
    readonly deploy: { readonly schema?: string | undefined }
  }
}

export const tagPrefix = 'tag:'

/** Returns the folders between the models folder and the file. */
function foldersOf(project: Pick<Project, 'settings'>, asset: PolicySubject): readonly string[] {
  const { models } = project.settings
  const below = asset.path.startsWith(models) ? asset.path.slice(models.length) : asset.path
  return below.split('/').slice(0, -1)
}

function docOf(asset: Asset, column: string) {
  const { columns } = asset.definition
  if (Object.hasOwn(columns, column)) return columns[column]
  return Object.entries(columns).find(([name]) => sameLetters(name, column))?.[1]
}

interface Index {
  readonly terms: ReadonlyMap<string, Term>
  readonly links: ReadonlyMap<string, TermLink>
}

const indexes = new WeakMap<Glossary, Index>()

function indexOf(glossary: Glossary): Index {
  return getOrInsertComputed(indexes, glossary, () => {
    const { terms, links } = glossary
    // An identifier leads over a name, a name over a synonym, and the first of two terms: later entries win in a map.
    const names = [
      ...terms.map(term => [term.id, term] as const),
      ...terms.map(term => [term.name.trim(), term] as const),
      ...terms.flatMap(term => term.synonyms.map(synonym => [synonym.trim(), term] as const)),
    ].reverse()
    return {
      terms: new Map(names.map(([name, term]) => [name.toLowerCase(), term])),
      links: new Map(links.map(link => [linkKey(link.asset, link.column), link])),
    }
  })
}

function linkKey(asset: string, column: string | undefined): string {
  return `${asset}\0${(column ?? '').toLowerCase()}`
}
