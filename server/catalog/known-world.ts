/** The names that statements may use, as the catalogue knows them now. */
import type { JsonScalar, Project } from '../language/index.ts'
import { once } from '../language/once.ts'
import { nearestAssets } from '../language/project/asset-names.ts'
import type { KnownNames } from './diagnose/treatment.ts'
import { shapeForReaders } from './entry.ts'
import { believed, type Surroundings } from './found-columns.ts'
import { inCycle } from './graph.ts'
import type { Outside } from './outside.ts'
import { addTo } from './sets-by-key.ts'
import type { Shape } from './shape.ts'
import type { State } from './state.ts'
import type { World } from './statement.ts'

/**
 * Returns the names that statements may use. Members of cycles have no shape for each other: otherwise the
 * result would depend on the asset that is bound first.
 */
export function worldOf(state: State, project: Project, { sources, found }: Outside): World {
  const shapeOf = (asset: string): Shape | undefined =>
    state.graph.levelOf(asset) === inCycle ? undefined : readShape(state, asset)
  const around: Surroundings = {
    settings: project.settings,
    columnsOf: name => shapeOf(name)?.columns,
    rawTables: asset => sources.get(asset),
  }
  return {
    engine: state.engine,
    shapeOf,
    found(name) {
      const [columns, asset] = [found.get(name), project.byName.get(name)]
      return columns && asset && believed(columns, asset, around, state.engine)
    },
    standIn(reader, missing) {
      const name = state.standIns.of(reader, missing)
      return name === undefined ? undefined : shapeOf(name)
    },
    ownShape(asset) {
      const entry = state.entries.get(asset)
      return entry?.bound.isUnsure ? entry.bound.shape : shapeOf(asset)
    },
    rawTables: asset => sources.get(asset),
    varValue: name => varValue(project, name),
    meant(reader, name) {
      const [asset] = nearestAssets(project, name)
      if (asset === undefined || asset === reader) return undefined
      // Only an asset of a lower level has a shape here: otherwise the result would depend on the order of
      // binding.
      if (state.graph.levelOf(asset) < state.graph.levelOf(reader)) {
        const shape = readShape(state, asset)
        return shape && { asset, shape }
      }
      addTo(state.meant, reader, asset)
      return undefined
    },
  }
}

export function readShape(state: State, asset: string): Shape | undefined {
  const entry = state.entries.get(asset)
  return entry && shapeForReaders(entry)
}

function varValue(project: Project, name: string): JsonScalar | undefined {
  const { vars, environments } = project.settings
  if (Object.hasOwn(vars, name)) return vars[name]
  return Object.values(environments).find(environment => Object.hasOwn(environment.vars, name))?.vars[name]
}

export function namesOf(state: State, project: Project): KnownNames {
  return {
    engine: state.engine,
    extensions: project.settings.extensions.map(({ name }) => name),
    nearestAssets: name => nearestAssets(project, name),
    ensure: relations => state.tables.ensure(relations),
    functions: once(() => state.binder.functionNames()),
  }
}
