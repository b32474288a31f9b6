/** Opens PostgreSQL in memory from a prepared image, which saves the seconds of making a cluster. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { PGlite, protocol } from '@electric-sql/pglite'
import { EngineMissing } from '../../language/engines/engine-missing.ts'
import { label } from '../../language/engines/postgres/label.ts'
import { extensionOptions, loadAll } from './extensions.ts'
import { imageName, setUp } from './image.ts'

export interface PostgresHere {
  readonly database: PGlite
  /** The messages that it speaks. */
  readonly protocol: typeof protocol
  /** Functions that a project declares and may not call. */
  readonly closed: ReadonlySet<string>
}

/** `load` has the statements that load extensions, as `loadExtension` writes them. */
export async function openImage(load: readonly string[] = []): Promise<PostgresHere> {
  // To compile WebAssembly well takes longer than the checks of a thousand models, and a hundred megabytes.
  setFlagsFromString('--liftoff-only')
  const { PGlite, protocol } = await loadPostgres()
  const image = imageFile()
  const options = await extensionOptions(load)
  const database =
    image === undefined
      ? await setUp(await PGlite.create(options))
      : await PGlite.create({ ...options, loadDataDir: new Blob([readFileSync(image)]) })
  return { database, protocol, closed: await loadAll(database, load) }
}

/** Throws EngineMissing. */
export async function loadPostgres(): Promise<typeof import('@electric-sql/pglite')> {
  try {
    return await import('@electric-sql/pglite')
  } catch (error) {
    if (!/MODULE_NOT_FOUND/.test(String((error as { readonly code?: unknown }).code))) throw error
    throw new EngineMissing(
      `the SQL of this project is checked by ${label} itself, and its package @electric-sql/pglite is not installed`,
    )
  }
}

/** It is beside the bundle that contains this module, or in the build output of a checkout. */
function imageFile(): string | undefined {
  return [
    join(import.meta.dirname, imageName),
    join(import.meta.dirname, '..', '..', '..', 'cli', 'dist', imageName),
  ].find(place => existsSync(place))
}
