/** What `ref` and `source` of dbt mean here. */
import { nearestNames } from '@svc/server/language'
import { CallProblem } from '../jinja/problem.ts'
import { type Arguments, fn, JinjaObject, toText, type Value } from '../jinja/values.ts'
import { type DbtProject, missingPackage } from './dbt-project.ts'
import type { DbtPackage } from './packages.ts'
import { type DbtNode, type DbtSource, latestVersion } from './project-index.ts'

export interface RelationParts {
  /** Its text, which is a tag of svc. */
  readonly tag: () => string
  /** The asset that it is. */
  readonly asset: string
  /** What dbt calls the table, if that is not the name of the asset. */
  readonly identifier?: string
  readonly schema: string
  readonly database: string
}

const assets = new WeakMap<JinjaObject, string>()

/** The asset that a value of a template stands for; undefined for one that is no table. */
export function assetOf(value: Value | undefined): string | undefined {
  return value instanceof JinjaObject ? assets.get(value) : undefined
}

/** A table as a template sees it. */
export function relation({ tag, asset, identifier = asset, schema, database }: RelationParts): JinjaObject {
  const members: Readonly<Record<string, string>> = {
    ...{ identifier, name: identifier, table: identifier, alias: identifier },
    ...{ schema, dataset: schema, database, project: database },
  }
  const itself: JinjaObject = new JinjaObject({
    name: `the table ${asset}`,
    text: tag,
    member: member => {
      if (Object.hasOwn(members, member)) return members[member]
      if (['include', 'quote', 'render'].includes(member)) return fn(member, () => itself)
      if (member === 'type') return 'table'
      return ['is_table', 'is_view', 'is_cte'].includes(member) ? member === 'is_table' : undefined
    },
  })
  assets.set(itself, asset)
  return itself
}

export function tagOf(asset: string): string {
  return `{{ ref('${asset}') }}`
}

/** Throws for a name that nothing has. */
export function nodeFor(project: DbtProject, of: DbtPackage, { positional, named }: Arguments): DbtNode {
  const words = positional.map(toText)
  const name = words.at(-1) ?? ''
  const owner = words.length > 1 ? words[0] : undefined
  const version = named.get('v') ?? named.get('version')
  const all = project.index.nodes.filter(
    node => node.name === name && (owner === undefined || node.of.name === owner),
  )
  const near = (node: DbtNode) => (node.of === of ? 2 : node.of.isRoot ? 1 : 0)
  const found = [...all]
    .sort((a, b) => near(b) - near(a))
    .filter(node => node.of === all[0]?.of || near(node) > 0)
  const chosen = found.find(node => node.version === wantedVersion(found, version))
  if (chosen !== undefined) return chosen
  if (project.index.snapshots.has(name)) {
    throw new CallProblem(`"${name}" is a snapshot, which svc does not have yet`, snapshotHint)
  }
  if (project.index.pythonModels.has(name)) {
    throw new CallProblem(
      `"${name}" is a model in Python, which does not come over`,
      'Write it in SQL, or load its result as a file, and import again.',
    )
  }
  if (owner !== undefined && project.missing.some(each => each.name === owner))
    throw missingPackage(project, owner)
  const names = project.index.nodes.map(node => node.name)
  const [nearest] = nearestNames(name, names)
  throw new CallProblem(
    `no model or seed is called "${words.join('.')}"${version === undefined ? '' : ` in version ${toText(version)}`}`,
    nearest === undefined ? undefined : `Did you mean "${nearest}"?`,
  )
}

export const snapshotHint = 'Read the table that dbt made of it: an asset with ingest: {type: sql, …}.'

/** The version that is asked for, else the latest. */
function wantedVersion(nodes: readonly DbtNode[], version: Value | undefined): string | undefined {
  if (version !== undefined) return toText(version)
  return latestVersion(nodes[0]?.properties)
}

export function sourceFor(project: DbtProject, of: DbtPackage, { positional }: Arguments): DbtSource {
  const [source, table] = positional.map(toText)
  const all = project.index.sources.filter(each => each.source === source && each.table === table)
  const found = all.find(each => each.of === of) ?? all[0]
  if (found !== undefined) return found
  if (project.index.disabled.some(each => each.source === source && each.table === table))
    throw new CallProblem(`the source ${source}.${table} is disabled`)
  const [nearest] = nearestNames(
    `${source}.${table}`,
    project.index.sources.map(each => `${each.source}.${each.table}`),
  )
  throw new CallProblem(
    `no source is called ${source}.${table}`,
    nearest === undefined ? 'Its schema file names it under "sources".' : `Did you mean ${nearest}?`,
  )
}
