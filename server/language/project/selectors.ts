/**
 * Answers which assets a selector means (interface.md 4.4 rule 2, decisions 3): `x`, `+x`, `x+`, `+x+`, several with
 * commas, `tag:x`, `path:glob`, `state:modified`, `result:failed`. Never asks the warehouse: what only it knows comes in.
 */
import { nearestNames } from '../text/nearest-names.ts'
import type { Asset, Project } from './project.ts'

/** What only the state tables know; undefined where nobody asked them. */
export interface SelectorFacts {
  readonly modified?: ReadonlySet<string> | undefined
  readonly failed?: ReadonlySet<string> | undefined
}

export type Selection =
  /** In building order, parents first. */
  { readonly names: readonly string[] } | { readonly problem: string; readonly hint: string }

type Refusal = Extract<Selection, { problem: string }>

export function selectAssets(project: Project, text: string, facts: SelectorFacts = {}): Selection {
  const selected = new Set<string>()
  for (const part of text.split(',').map(each => each.trim())) {
    const found = selectPart(project, part, facts)
    if ('problem' in found) return found
    for (const name of found.names) selected.add(name)
  }
  return { names: project.order.filter(name => selected.has(name)) }
}

/** `+core+`, with either sign or none. */
function selectPart(project: Project, part: string, facts: SelectorFacts): Selection {
  const [, upstream, core, downstream] = /^(\+?)(.*?)(\+?)$/s.exec(part) ?? []
  if (core === undefined || core.trim() === '') {
    return {
      problem: `"${part}" selects nothing`,
      hint: 'Name an asset, as in +orders, or use tag:x, path:glob.',
    }
  }
  const found = selectCore(project, core.trim(), facts)
  if ('problem' in found) return found
  const names = new Set(found.names)
  if (upstream === '+')
    for (const name of reachable(found.names, each => project.parents(each))) names.add(name)
  if (downstream === '+')
    for (const name of reachable(found.names, each => project.children(each))) names.add(name)
  return { names: [...names] }
}

const methods = ['tag', 'path', 'state', 'result']

function selectCore(project: Project, core: string, facts: SelectorFacts): Selection {
  const colon = core.indexOf(':')
  if (colon < 0) return selectName(project, core)
  const method = core.slice(0, colon)
  const value = core.slice(colon + 1).trim()
  switch (method) {
    case 'tag':
      return selectTag(project, value)
    case 'path':
      return selectPath(project, value)
    case 'state':
      return selectFact(project, core, 'state:modified', facts.modified)
    case 'result':
      return selectFact(project, core, 'result:failed', facts.failed)
    default:
      return unknownMethod(method)
  }
}

function unknownMethod(method: string): Refusal {
  const nearest = nearestNames(method, methods, 1)[0]
  const hint =
    nearest === undefined
      ? `Selectors are an asset's name, ${methods.join(':, ')}:.`
      : `Did you mean ${nearest}:?`
  return { problem: `there is no selector "${method}:"`, hint }
}

function selectName(project: Project, name: string): Selection {
  if (project.byName.has(name)) return { names: [name] }
  const isDisabled = [...project.assets.values()].some(asset => asset.name === name)
  if (isDisabled) {
    return { problem: `the asset "${name}" is disabled`, hint: 'Its file says deploy.enabled: false.' }
  }
  const nearest = nearestNames(name, project.byName.keys(), 1)[0]
  const suggestion = nearest === undefined ? '' : `Did you mean "${nearest}"? `
  return { problem: `no asset is called "${name}"`, hint: `${suggestion}svc status lists all assets.` }
}

function selectTag(project: Project, tag: string): Selection {
  const names = namesWhere(project, asset => asset.definition.tags.includes(tag))
  if (names.length > 0) return { names }
  const tags = new Set([...project.byName.values()].flatMap(asset => asset.definition.tags))
  const nearest = nearestNames(tag, tags, 1)[0]
  const listed =
    tags.size === 0 ? 'No asset has tags.' : `Tags here: ${[...tags].sort().slice(0, 10).join(', ')}.`
  return {
    problem: `no asset has the tag "${tag}"`,
    hint: nearest === undefined ? listed : `Did you mean "${nearest}"?`,
  }
}

function selectPath(project: Project, glob: string): Selection {
  const matches = pathMatcher(glob)
  const { models } = project.settings
  const names = namesWhere(
    project,
    asset =>
      matches(asset.path) || (asset.path.startsWith(models) && matches(asset.path.slice(models.length))),
  )
  if (names.length > 0) return { names }
  const hint = `Paths are below ${models === '' ? 'the root' : models}; * stands for a part of a name, ** for any folders.`
  return { problem: `no asset's file matches "${glob}"`, hint }
}

function selectFact(
  project: Project,
  core: string,
  known: string,
  names: ReadonlySet<string> | undefined,
): Selection {
  if (core !== known) return { problem: `there is no selector "${core}"`, hint: `Did you mean ${known}?` }
  if (names === undefined)
    return { problem: `${known} cannot be used here`, hint: 'It needs the state of the warehouse.' }
  return { names: namesWhere(project, asset => names.has(asset.name)) }
}

function namesWhere(project: Project, matches: (asset: Asset) => boolean): string[] {
  return [...project.byName.values()].filter(matches).map(asset => asset.name)
}

/** Everything that can be reached from `names` by `next`, without `names` themselves unless a way leads back. */
function reachable(names: readonly string[], next: (name: string) => readonly string[]): Set<string> {
  const seen = new Set<string>()
  const queue = [...names]
  for (let index = 0; index < queue.length; index++) {
    for (const name of next(queue[index] ?? '')) {
      if (seen.has(name)) continue
      seen.add(name)
      queue.push(name)
    }
  }
  return seen
}

/** A folder stands for everything below it. */
function pathMatcher(glob: string): (path: string) => boolean {
  const bare = glob.replace(/^\.\//, '').replace(/\/+$/, '')
  const pattern = new RegExp(
    `^${bare
      .split(/(\*\*\/?|\*|\?)/)
      .map(globPart)
      .join('')}(?:/.*)?$`,
    'u',
  )
  return path => pattern.test(path)
}

function globPart(part: string): string {
  switch (part) {
    case '**/':
      return '(?:.*/)?'
    case '**':
      return '.*'
    case '*':
      return '[^/]*'
    case '?':
      return '[^/]'
    default:
      return part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  }
}
