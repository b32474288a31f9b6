/** The columns of assets whose files are not on disk yet, from the shadow catalogue: no warehouse is asked. */
import {
  createProject,
  type Project,
  type ProjectFile,
  parseSettings,
  type RawColumn,
  type RawTable,
  type SourceShapes,
  settingsPath,
} from '@svc/server/language'
import { sha256 } from '@svc/server/workspace'

export interface TypedColumn {
  readonly name: string
  /** As the engine writes it; undefined where nothing says it. */
  readonly type: string | undefined
}

/**
 * Returns the columns of those of the assets of which all are known. `listed`: the columns of sources that have a name and no type, by
 * asset.
 */
export async function columnsOfTexts(
  files: readonly ProjectFile[],
  names: readonly string[],
  listed: ReadonlyMap<string, readonly string[]> = new Map(),
): Promise<ReadonlyMap<string, readonly TypedColumn[]>> {
  const { openCatalog } = await import('@svc/server/catalog')
  const settings = parseSettings(files.find(({ path }) => path === settingsPath)?.text ?? '')
  const assets = files.filter(({ path }) => path.endsWith('.svc'))
  const project = createProject({ settings, files: assets, hash: sha256 })
  const catalog = await openCatalog(project.engine)
  try {
    const analysis = await catalog.analyze(project, promisedShapes(project, listed), {
      names,
      unitTests: 'none',
    })
    const known = new Map<string, readonly TypedColumn[]>()
    for (const name of names) {
      const found = analysis.of(name)
      const columns = (found?.columns ?? []).map(({ name, type }) => ({ name, type }))
      if (found?.complete === true && columns.length > 0) known.set(name, columns)
    }
    return known
  } finally {
    catalog.close()
  }
}

/** A source has the columns that its contract promises, and those that are listed: nothing else is known of it before it is loaded. */
function promisedShapes(
  { byName, engine }: Project,
  listed: ReadonlyMap<string, readonly string[]>,
): SourceShapes {
  const shapes = new Map<string, readonly RawTable[]>()
  for (const { name, definition } of byName.values()) {
    const promised = Object.entries(definition.contract?.columns ?? {})
    const typed = new Map(promised.map(([column, { type }]) => [engine.fold(column), type]))
    const others = (listed.get(name) ?? []).filter(column => !typed.has(engine.fold(column)))
    const columns = [...promised.map(([column]) => column), ...others].map(
      (column): RawColumn => ({
        ...{ name: column, type: typed.get(engine.fold(column))?.toUpperCase(), path: [column] },
        ...{ system: false, pii: false, nullable: true },
      }),
    )
    if (columns.length > 0) shapes.set(name, [{ child: undefined, columns, complete: true }])
  }
  return shapes
}
