/**
 * Remembers what the files were made from that were written last, so that the next run takes over what is still true. The
 * files are used only while they are exactly the ones that were written. The record is in `.svc/cache/`, and deleting it
 * costs only time.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileStamp } from '@svc/server/workspace'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import type { AssetKeys } from './asset-keys.ts'
import type { LastBytes, Lengths } from './pieces.ts'
import { writeWhole } from './write-file.ts'

export interface Remembered {
  /** The hash of what concerns every asset. */
  readonly shared: string
  readonly keys: ReadonlyMap<string, AssetKeys>
  /** Of each file of pieces, by its name. */
  readonly lengths: Readonly<Record<string, Lengths>>
}

/** As it is written. */
interface Stored {
  readonly shared: string
  readonly assets: readonly (readonly [name: string, file: string, found: string])[]
  readonly lengths: Readonly<Record<string, Lengths>>
  /** The file stamps, by path relative to the root. */
  readonly stamps: Readonly<Record<string, string>>
}

/**
 * Returns what is known of the files of an environment; undefined if they were made for something that concerns every asset
 * and has changed, or if somebody changed one of `files`, which are paths relative to the root.
 */
export function rememberedFiles(
  workspace: OpenedWorkspace,
  files: readonly string[],
  shared: string,
): Remembered | undefined {
  // Without a known program there is no telling whether it would write the same.
  if (workspace.world.program === undefined) return undefined
  const stored = read(recordPath(workspace))
  if (stored?.shared !== shared) return undefined
  if (JSON.stringify(stored.stamps) !== JSON.stringify(stampsOf(workspace.root, files))) return undefined
  const keys = new Map(stored.assets.map(([name, file, found]) => [name, { file, found }]))
  return { shared, keys, lengths: stored.lengths }
}

/** Records that the files have just been written. */
export function rememberFiles(
  workspace: OpenedWorkspace,
  files: readonly string[],
  { shared, keys, lengths }: Remembered,
): void {
  if (workspace.world.program === undefined) return
  const assets = [...keys].map(([name, { file, found }]) => [name, file, found] as const)
  const stored: Stored = { shared, assets, lengths, stamps: stampsOf(workspace.root, files) }
  try {
    writeWhole(recordPath(workspace), JSON.stringify(stored), workspace.world.pid)
  } catch {
    // A folder of someone else: the next run writes the files again.
  }
}

/** Returns a file that is as it was written; undefined if it cannot be read. */
export function lastBytes(path: string, name: string, remembered: Remembered): LastBytes | undefined {
  const lengths = remembered.lengths[name]
  if (lengths === undefined) return undefined
  try {
    const places = new Map([...remembered.keys.keys()].map((asset, place) => [asset, place]))
    return { bytes: readFileSync(path), lengths, places }
  } catch {
    return undefined
  }
}

function recordPath({ root, environment }: OpenedWorkspace): string {
  return join(root, '.svc', 'cache', `files-${environment.name}.json`)
}

/** Returns `missing` for a file that does not exist: records are made just after writing, so that this never matches one. */
function stampsOf(root: string, files: readonly string[]): Stored['stamps'] {
  return Object.fromEntries(files.map(file => [file, fileStamp(join(root, file))?.text ?? 'missing']))
}

function read(path: string): Stored | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Stored
  } catch {
    return undefined
  }
}
