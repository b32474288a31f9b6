import type { Engine } from '../engines/engine.ts'
import { materializationOf } from '../materialize/index.ts'
import { locate } from '../project/locate.ts'
import type { Asset, Project } from '../project/project.ts'
import type { TableIndex } from '../schema/definition.ts'
import { nearestNames } from '../text/nearest-names.ts'
import type { Finding, ProjectCheck } from './check.ts'
import { removeHere } from './fix.ts'

export const indexImpossible: ProjectCheck = {
  code: 'index-impossible',
  doc: 'An index that the warehouse cannot make: of a view, by a method or with a condition that its engine does not have, or with a name that is taken.',
  *run(asset, { project }) {
    const { indexes, materialize } = asset.definition.deploy
    if (indexes.length === 0) return
    if (materializationOf(materialize).relation === 'view') {
      yield {
        range: locate(asset, ['deploy', 'indexes'], 'key'),
        message: `${materialize === 'view' ? 'a view' : 'an ephemeral asset'} has no rows of its own that an index could find`,
        hint: 'Write "materialize: table", or put the index on the tables that it reads.',
      }
      return
    }
    for (const [place, index] of indexes.entries()) yield* problemsOf(asset, index, place, project)
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Remove it'),
}

function* problemsOf(asset: Asset, index: TableIndex, place: number, project: Project): Iterable<Finding> {
  const path = ['deploy', 'indexes', place]
  const { engine } = project
  yield* methodProblem(asset, index, path, engine)
  if (index.where !== undefined && !engine.storage.hasPartialIndexes) {
    yield {
      range: locate(asset, [...path, 'where'], 'key'),
      message: `${engine.label} has no indexes of some rows only`,
      hint: 'Leave out "where": the index then holds all rows.',
    }
  }
  const { name } = index
  const owner = name === undefined ? undefined : ownerOf(name, asset, place, project)
  if (owner === undefined) return
  yield {
    range: locate(asset, [...path, 'name']),
    message: `the name "${name}" is taken by ${owner}`,
    hint: 'The tables and indexes of a run are made in one schema. Without a name the warehouse chooses one.',
  }
}

function* methodProblem(
  asset: Asset,
  { method, unique, columns }: TableIndex,
  path: readonly (string | number)[],
  { storage, label }: Engine,
): Iterable<Finding> {
  if (method === undefined) return
  const range = locate(asset, [...path, 'method'])
  const { indexMethods } = storage
  if (!indexMethods.includes(method)) {
    const near = nearestNames(method, indexMethods)[0]
    yield {
      range,
      message: `${label} has no index method "${method}"`,
      hint: `${near === undefined ? '' : `did you mean "${near}"? `}It has: ${indexMethods.join(', ')}.`,
    }
    return
  }
  const [usual] = indexMethods
  if (unique && method !== usual)
    yield {
      range,
      message: `an index by ${method} cannot be unique`,
      hint: `Leave out "method": it is ${usual} then.`,
    }
  if (columns.length > 1 && storage.oneColumnMethods.includes(method))
    yield { range, message: `an index by ${method} has one column`, hint: 'Write one index for each column.' }
}

interface Owner {
  readonly asset: Asset
  /** Its place among the indexes; undefined for the table itself. */
  readonly place?: number
}

/** Returns what else has the name, in words. */
function ownerOf(name: string, asset: Asset, place: number, project: Project): string | undefined {
  const owners = ownersIn(project).get(project.engine.fold(name)) ?? []
  const other = owners.find(owner => !(owner.asset === asset && owner.place === place))
  if (other === undefined) return undefined
  return other.place === undefined ? `the asset "${other.asset.name}"` : `an index of "${other.asset.name}"`
}

const known = new WeakMap<Project, ReadonlyMap<string, readonly Owner[]>>()

/** Returns what has each folded name. A finding holds for these assets only, so all of them are asked for each time. */
function ownersIn(project: Project): ReadonlyMap<string, readonly Owner[]> {
  const assets = project.byName.values()
  const before = known.get(project)
  if (before !== undefined) return before
  const owners = new Map<string, Owner[]>()
  const add = (name: string, owner: Owner) => {
    const folded = project.engine.fold(name)
    owners.set(folded, [...(owners.get(folded) ?? []), owner])
  }
  for (const asset of assets) {
    add(asset.name, { asset })
    for (const [place, { name }] of asset.definition.deploy.indexes.entries())
      if (name !== undefined) add(name, { asset, place })
  }
  known.set(project, owners)
  return owners
}
