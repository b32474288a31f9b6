/** How the text files of a source are written: the files that are here, or what the lock has of those elsewhere. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { findFiles, glanceAtLayouts, withLocalReader } from '@svc/server/catalog'
import {
  type Asset,
  type FileLayout,
  type FileOptions,
  layoutDifferences,
  layoutsUnder,
  limitedIngest,
  localFilesOf,
  textOptionsOf,
} from '@svc/server/language'
import { readSchemaLock } from '../run/write-schema-lock.ts'
import type { Workspace } from './workspace.ts'

export interface SourceLayout {
  readonly layout: FileLayout
  /** Whether `schemas.lock.json` agrees to it. */
  readonly isLocked: boolean
  /** The first files that are written so, and how many there are; none for files elsewhere. */
  readonly files: readonly string[]
  readonly count: number
}

/** So many files are looked at, as for their columns. */
const mostFiles = 20
const filesShown = 3

/** Returns none for a source without text files, and for files that cannot be read: their problem is told elsewhere. */
export async function sourceLayouts(
  workspace: Pick<Workspace, 'root' | 'project'>,
  asset: Asset,
): Promise<readonly SourceLayout[]> {
  const options = textOptionsOf(asset.definition.ingest)
  if (options === undefined) return []
  const agreed = layoutsUnder(options, readSchemaLock(workspace).layouts.get(asset.name) ?? [])
  const found = await glance(workspace, asset, options)
  if (found === undefined) return agreed.map(layout => ({ layout, isLocked: true, files: [], count: 0 }))
  const groups = new Map<string, SourceLayout>()
  for (const { path, layout } of found) {
    const key = JSON.stringify(layout)
    const isLocked = agreed.length > 0 && layoutDifferences(layout, agreed, options).length === 0
    const { files = [], count = 0 } = groups.get(key) ?? {}
    const shown =
      files.length < filesShown ? [...files, relative(workspace.root, path).replaceAll('\\', '/')] : files
    groups.set(key, { layout, isLocked, files: shown, count: count + 1 })
  }
  return [...groups.values()]
}

/** Returns undefined for files that are not on this disk. */
async function glance(
  { root, project }: Pick<Workspace, 'root' | 'project'>,
  asset: Asset,
  options: FileOptions,
) {
  const source = localFilesOf(limitedIngest(asset, project.settings))
  if (source === undefined) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'svc-look-'))
  try {
    const paths = await findFiles(root, source.endpoint, source.resource, source.limits)
    return await withLocalReader({ threads: 1 }, local =>
      glanceAtLayouts(paths.slice(0, mostFiles), options, { local, folder }),
    )
  } catch {
    // The look for columns has told what is wrong with the files.
    return []
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
