/**
 * Remembers the inputs of the files that were written last, so that a run with the same inputs does not make them again. The
 * files are used only while they are exactly the ones that were written. The record is in `.svc/cache/`, and deleting it
 * costs only time.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readWithOf } from '@svc/server/language'
import { fileStamp } from '@svc/server/workspace'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import { secretsOf } from '../workspace/secrets.ts'
import { writeWhole } from './write-file.ts'

export interface LastFiles {
  /** Whether this program wrote the files, hid the same secrets in them, and nobody has changed them since. */
  readonly isUntouched: boolean
  /** Whether they were also made from the same inputs. */
  readonly isCurrent: boolean
  /** Records that the files have just been written. */
  keep(): void
}

interface Remembered {
  /** The hash of everything that determines the content of the files. */
  readonly key: string
  /** The hash of the program and of the secrets that it hid. */
  readonly maker: string
  /** The file stamps, by path relative to the root. */
  readonly stamps: Readonly<Record<string, string>>
}

/** Reads the record called `name`, of which each environment has its own. `files`: paths relative to the root. */
export function lastFiles(
  workspace: OpenedWorkspace,
  name: string,
  files: readonly string[],
  key: string,
): LastFiles {
  const { root, environment } = workspace
  const { program, pid } = workspace.world
  const path = join(root, '.svc', 'cache', `${name}-${environment.name}.json`)
  if (program === undefined) return { isUntouched: false, isCurrent: false, keep: () => undefined }
  const before = read(path)
  const maker = sha256(JSON.stringify([program, secretsOf(workspace)]))
  const isUntouched =
    before?.maker === maker && JSON.stringify(before.stamps) === JSON.stringify(stampsOf(root, files))
  return {
    isUntouched,
    isCurrent: isUntouched && before.key === key,
    keep() {
      const remembered: Remembered = { key, maker, stamps: stampsOf(root, files) }
      try {
        writeWhole(path, JSON.stringify(remembered), pid)
      } catch {
        // A folder of someone else: the next run writes the files again.
      }
    },
  }
}

/** Returns a hash of everything that the manifest is made from; `secrets` are included because the files hide them. */
export function projectKey(workspace: OpenedWorkspace, secrets: readonly string[]): string {
  const { root, environment, project, sources, found, settingsText, world } = workspace
  const { name, schema, warehouseUrl, vars } = environment
  const about = [
    world.program,
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
  const files = [...project.assets.values()].map(
    asset => `${asset.path} ${asset.textHash} ${asset.macroHash ?? ''} ${readWithOf(asset)}`,
  )
  return sha256([JSON.stringify(about), project.glossary.file?.text ?? '', ...files].join('\n'))
}

/** Returns `missing` for a file that does not exist: records are made just after writing, so that this never matches one. */
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
