/**
 * Evaluates one word of a selector without its operators: a name, a name pattern, or `method:value`.
 * `selectors.ts` adds what is up- or downstream.
 */

import { nearestNames } from '../text/nearest-names.ts'
import { wildcards } from '../text/wildcards.ts'
import { nearestAssets } from './asset-names.ts'
import type { Selection } from './selectors.ts'

/** The facts that only the state tables have; undefined if they were not read. */
export interface SelectorFacts {
  /** Assets whose definition differs from the live one, or that have none live. */
  readonly modified?: ReadonlySet<string> | undefined
  /** Assets with nothing live. */
  readonly added?: ReadonlySet<string> | undefined
  readonly failed?: ReadonlySet<string> | undefined
}

/** The part of an asset that selectors need; `Asset` and the dashboard's catalogue have it. */
export interface SelectableAsset {
  readonly name: string
  readonly path: string
  readonly definition: {
    readonly tags: readonly string[]
    readonly owner?: string | undefined
    readonly exposures: readonly { readonly name: string }[]
    readonly ingest: { readonly type: string }
    readonly deploy: { readonly materialize: string }
  }
}

/** The part of a `Project` that selectors need. */
export interface SelectableProject {
  readonly settings: { readonly models: string }
  readonly assets: ReadonlyMap<string, { readonly name: string }>
  readonly byName: ReadonlyMap<string, SelectableAsset>
  readonly order: readonly string[]
  parents(name: string): readonly string[]
  children(name: string): readonly string[]
}

type Refusal = Extract<Selection, { problem: string }>
type Method = (project: SelectableProject, value: string, facts: SelectorFacts) => Selection

interface Label {
  readonly has: string
  readonly plural: string
  readonly of: (asset: SelectableAsset) => readonly string[]
}

/** dbt's names of the methods. */
const aliases: Readonly<Record<string, MethodName>> = {
  'config.materialized': 'materialize',
  'config.tags': 'tag',
}

/** What an asset is selected by, with the words for a value that none has. */
const labels = {
  tag: { has: 'has the tag', plural: 'Tags', of: ({ definition }) => definition.tags },
  owner: {
    has: 'has the owner',
    plural: 'Owners',
    of: ({ definition: { owner } }) => (owner === undefined ? [] : [owner]),
  },
  exposure: {
    has: 'has the exposure',
    plural: 'Exposures',
    of: ({ definition }) => definition.exposures.map(({ name }) => name),
  },
  ingest: { has: 'has ingest.type', plural: 'Types', of: ({ definition }) => [definition.ingest.type] },
  materialize: {
    has: 'has deploy.materialize',
    plural: 'Kinds',
    of: ({ definition }) => [definition.deploy.materialize],
  },
} satisfies Readonly<Record<string, Label>>

const methods = {
  tag: (project, value) => byLabel(project, value, labels.tag),
  path: selectPath,
  owner: (project, value) => byLabel(project, value, labels.owner),
  exposure: (project, value) => byLabel(project, value, labels.exposure),
  ingest: (project, value) => byLabel(project, value, labels.ingest),
  materialize: (project, value) => byLabel(project, value, labels.materialize),
  state: (project, value, facts) =>
    byFact(project, 'state', value, { modified: facts.modified, new: facts.added }),
  result: (project, value, { failed }) =>
    byFact(project, 'result', /^(fail|error)$/.test(value) ? 'failed' : value, { failed }),
} satisfies Readonly<Record<string, Method>>

type MethodName = keyof typeof methods

/** The methods of selectors, in the order in which they are offered. */
export const selectorMethods = Object.keys(methods) as readonly MethodName[]

export function selectByMethod(project: SelectableProject, core: string, facts: SelectorFacts): Selection {
  const colon = core.indexOf(':')
  if (colon < 0) return selectName(project, core)
  const given = core.slice(0, colon)
  const name = Object.hasOwn(aliases, given) ? (aliases[given] ?? '') : given
  if (!isMethod(name)) return unknownMethod(given)
  return methods[name](project, core.slice(colon + 1).trim(), facts)
}

/** Returns the suggestion that follows a name in a message. */
function meant(names: readonly string[]): string {
  return names.length === 0 ? '' : `; did you mean ${names.map(name => `"${name}"`).join(' or ')}?`
}

function isMethod(name: string): name is MethodName {
  return Object.hasOwn(methods, name)
}

function unknownMethod(method: string): Refusal {
  const nearest = nearestNames(method, selectorMethods, 1).map(each => `${each}:`)
  return {
    problem: `there is no selector "${method}:"${meant(nearest)}`,
    nearest,
    hint: `Selectors are an asset's name, ${selectorMethods.join(':, ')}:.`,
  }
}

// ---------------------------------------------------------------- names

function selectName(project: SelectableProject, name: string): Selection {
  if (project.byName.has(name)) return { names: [name] }
  if (/[*?]/.test(name)) return selectNamesLike(project, name)
  const isDisabled = [...project.assets.values()].some(asset => asset.name === name)
  if (isDisabled) {
    return { problem: `the asset "${name}" is disabled`, hint: 'Its file says deploy.enabled: false.' }
  }
  const nearest = nearestAssets(project, name).slice(0, 1)
  return {
    problem: `no asset is called "${name}"${meant(nearest)}`,
    nearest,
    hint: 'svc ls lists all assets.',
  }
}

function selectNamesLike(project: SelectableProject, glob: string): Selection {
  const matches = wildcards(glob)
  const names = namesWhere(project, asset => matches(asset.name))
  if (names.length > 0) return { names }
  return {
    problem: `no asset's name matches "${glob}"`,
    nearest: [],
    hint: '* stands for any characters, ? for one; svc ls lists all assets.',
  }
}

function namesWhere(project: SelectableProject, matches: (asset: SelectableAsset) => boolean): string[] {
  return [...project.byName.values()].filter(matches).map(asset => asset.name)
}

// ---------------------------------------------------------------- methods

const mostListed = 10

function byLabel(project: SelectableProject, value: string, { has, plural, of: labelsOf }: Label): Selection {
  const matches = /[*?]/.test(value) ? wildcards(value) : (label: string) => label === value
  const names = namesWhere(project, asset => labelsOf(asset).some(matches))
  if (names.length > 0) return { names }
  const known = new Set([...project.byName.values()].flatMap(labelsOf))
  const listed =
    known.size === 0
      ? `No asset has ${plural.toLowerCase()}.`
      : `${plural} here: ${[...known].sort().slice(0, mostListed).join(', ')}.`
  const nearest = nearestNames(value, known, 1)
  return { problem: `no asset ${has} "${value}"${meant(nearest)}`, nearest, hint: listed }
}

function selectPath(project: SelectableProject, glob: string): Selection {
  const matches = pathMatcher(glob)
  const { models } = project.settings
  const names = namesWhere(
    project,
    asset =>
      matches(asset.path) || (asset.path.startsWith(models) && matches(asset.path.slice(models.length))),
  )
  if (names.length > 0) return { names }
  const hint = `Paths are below ${models === '' ? 'the root' : models}; * stands for a part of a name, ** for any folders.`
  return { problem: `no asset's file matches "${glob}"`, nearest: [], hint }
}

function byFact(
  project: SelectableProject,
  method: string,
  value: string,
  known: Readonly<Record<string, ReadonlySet<string> | undefined>>,
): Selection {
  if (!Object.hasOwn(known, value)) {
    const values = Object.keys(known)
    const near = nearestNames(value, values, 1)
    const choices = (near.length > 0 ? near : values.slice(0, 2)).map(each => `${method}:${each}`)
    return {
      problem: `there is no selector "${method}:${value}"${meant(choices)}`,
      hint: `It is one of: ${values.map(each => `${method}:${each}`).join(', ')}.`,
    }
  }
  const names = known[value]
  if (names === undefined)
    return { problem: `${method}:${value} cannot be used here`, hint: 'It needs the state of the warehouse.' }
  return { names: namesWhere(project, asset => names.has(asset.name)) }
}

// ---------------------------------------------------------------- patterns

/** Makes a matcher for paths; a folder matches everything below it. */
function pathMatcher(glob: string): (path: string) => boolean {
  const bare = glob.replace(/^\.\//, '').replace(/\/+$/, '')
  const isIt = wildcards(bare, { isPath: true })
  const isBelow = wildcards(`${bare}/**`, { isPath: true })
  return path => isIt(path) || isBelow(path)
}
