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
  /** As the engine writes it. */
  readonly type: string
}

/** Returns the columns of those of the assets of which all are known, each with its type. */
export async function columnsOfTexts(
  files: readonly ProjectFile[],
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly TypedColumn[]>> {
  const { openCatalog } = await import('@svc/server/catalog')
  const settings = parseSettings(files.find(({ path }) => path === settingsPath)?.text ?? '')
  const assets = files.filter(({ path }) => path.endsWith('.svc'))
  const project = createProject({ settings, files: assets, hash: sha256 })
  const catalog = await openCatalog(project.engine)
  try {
    const analysis = await catalog.analyze(project, promisedShapes(project), { names, unitTests: 'none' })
    const known = new Map<string, readonly TypedColumn[]>()
    for (const name of names) {
      const found = analysis.of(name)
      const columns = (found?.columns ?? []).flatMap(({ name, type }) =>
        type === undefined ? [] : [{ name, type }],
      )
      const isWhole = found?.complete === true && columns.length === found.columns.length
      if (isWhole && columns.length > 0) known.set(name, columns)
    }
    return known
  } finally {
    catalog.close()
  }
}

/** A source has the columns that its contract promises: nothing else is known of it before it is loaded. */
function promisedShapes({ byName }: Project): SourceShapes {
  const shapes = new Map<string, readonly RawTable[]>()
  for (const { name, definition } of byName.values()) {
    const promised = Object.entries(definition.contract?.columns ?? {})
    const columns = promised.map(
      ([column, { type }]): RawColumn => ({
        ...{ name: column, type: type?.toUpperCase(), path: [column] },
        ...{ system: false, pii: false, nullable: true },
      }),
    )
    if (columns.length > 0) shapes.set(name, [{ child: undefined, columns, complete: true }])
  }
  return shapes
}
