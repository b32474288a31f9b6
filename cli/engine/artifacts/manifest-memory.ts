/**
 * Remembers for which project the manifest and its parts were written last, so that a run without changed
 * files leaves them as they are, and a run with few changes reuses the other entries. It trusts the files
 * only if they are unchanged since they were written. It is stored in `.svc/cache/`, and deleting it costs
 * only time.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AssetEntry, Manifest } from '@svc/server/contract'
import type { Asset } from '@svc/server/language'
import { fileStamp } from '@svc/server/workspace'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import { writeWhole } from './write-file.ts'

export interface ManifestMemory {
  /** Whether the existing files describe exactly this project. */
  readonly isCurrent: boolean
  /** Returns the blocks of an unchanged file from the last manifest. */
  blocksOf(asset: Asset): AssetEntry['blocks'] | undefined
  /** Call this after the files have been written. */
  keep(): void
}

interface Remembered {
  /** A hash of everything that determines the content of the files. */
  readonly key: string
  readonly program: string
  /** The file stamps by path relative to the root. */
  readonly stamps: Readonly<Record<string, string>>
}

/** Opens the memory; `secrets` matter because they are hidden in the files. */
export function manifestMemory(
  workspace: OpenedWorkspace,
  files: readonly string[],
  secrets: readonly string[],
): ManifestMemory {
  const { root, environment, world } = workspace
  const path = join(root, '.svc', 'cache', `manifest-${environment.name}.json`)
  const { program } = world
  if (program === undefined) return { isCurrent: false, blocksOf: () => undefined, keep: () => undefined }
  const key = keyOf(workspace, program, secrets)
  const before = read(path)
  const isUntouched =
    before?.program === program && JSON.stringify(before.stamps) === JSON.stringify(stampsOf(root, files))
  return {
    isCurrent: isUntouched && before.key === key,
    blocksOf: isUntouched ? lastBlocks(join(root, files[0] ?? '')) : () => undefined,
    keep() {
      const remembered: Remembered = { key, program, stamps: stampsOf(root, files) }
      try {
        writeWhole(path, JSON.stringify(remembered), world.pid)
      } catch {
        // The folder may belong to another user; the next run then writes the files again.
      }
    },
  }
}

function keyOf(
  { root, environment, project, sources, found, settingsText }: OpenedWorkspace,
  program: string,
  secrets: readonly string[],
): string {
  const { name, schema, warehouseUrl, vars } = environment
  const about = [
    program,
    root,
    name,
    schema,
    warehouseUrl,
    vars,
    settingsText,
    secrets,
    [...sources],
    [...found],
  ]
  const files = [...project.assets.values()].map(({ path, textHash }) => `${path} ${textHash}`)
  return sha256([JSON.stringify(about), project.glossary.file?.text ?? '', ...files].join('\n'))
}

/** Returns the stamps; a missing file has a stamp that never matches. */
function stampsOf(root: string, files: readonly string[]): Remembered['stamps'] {
  return Object.fromEntries(files.map(file => [file, fileStamp(join(root, file))?.text ?? 'missing']))
}

function read(path: string): Remembered | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Remembered
  } catch {
    return undefined
  }
}

function lastBlocks(path: string): ManifestMemory['blocksOf'] {
  let entries: ReadonlyMap<string, AssetEntry> | undefined
  return asset => {
    entries ??= entriesOf(path)
    const entry = entries.get(asset.path)
    return entry?.text_hash === asset.textHash ? entry.blocks : undefined
  }
}

function entriesOf(path: string): ReadonlyMap<string, AssetEntry> {
  try {
    const { assets } = JSON.parse(readFileSync(path, 'utf8')) as Manifest
    return new Map(assets.map(entry => [entry.path, entry]))
  } catch {
    return new Map()
  }
}
