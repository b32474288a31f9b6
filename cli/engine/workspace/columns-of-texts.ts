/** The columns of assets whose files are not on disk yet, from the shadow catalogue: no warehouse is asked. */

import type { ShadowCatalog } from '@svc/server/catalog'
import {
  createProject,
  type Project,
  type ProjectAnalysis,
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

/** The columns of assets by their texts, asked for several times: what has not changed since is neither parsed nor bound again. */
export interface TextColumns {
  /**
   * Returns the columns of those of the assets of which all are known. `listed`: the columns of sources that have a name and no
   * type, by asset.
   */
  of(
    files: readonly ProjectFile[],
    names: readonly string[],
    listed?: ReadonlyMap<string, readonly string[]>,
  ): Promise<ReadonlyMap<string, readonly TypedColumn[]>>
  close(): void
}

export function openTextColumns(): TextColumns {
  let catalog: ShadowCatalog | undefined
  let parsed: Project | undefined
  return {
    async of(files, names, listed = new Map()) {
      parsed = projectOf(files, parsed)
      const { openCatalog } = await import('@svc/server/catalog')
      catalog ??= await openCatalog(parsed.engine)
      const analysis = await catalog.analyze(parsed, promisedShapes(parsed, listed), {
        names,
        unitTests: 'none',
      })
      return new Map(names.flatMap(name => knownColumns(name, analysis)))
    },
    close: () => catalog?.close(),
  }
}

function projectOf(files: readonly ProjectFile[], before: Project | undefined): Project {
  const settings = parseSettings(files.find(({ path }) => path === settingsPath)?.text ?? '')
  const assets = files
    .filter(({ path }) => path.endsWith('.svc'))
    .map(file => {
      const same = before?.assets.get(file.path)
      return same?.text === file.text ? same : file
    })
  return createProject({ settings, files: assets, hash: sha256 })
}

function knownColumns(name: string, analysis: ProjectAnalysis): [string, readonly TypedColumn[]][] {
  const { complete = false, columns = [] } = analysis.of(name) ?? {}
  const known = columns.map(({ name, type }) => ({ name, type }))
  return complete && known.length > 0 ? [[name, known]] : []
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
