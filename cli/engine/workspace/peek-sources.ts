/** Reads the current shape of sources from at most one page each; loads nothing (`plan`, `doctor`). */
import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Asset, forEachOf, limitedIngest, type RawTable, type SourceShapes } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { sourceFor } from '../ingest/source-for.ts'
import { mayBePersonal } from '../quality/personal-columns.ts'
import { executeQueue } from '../run/schedule.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from './workspace.ts'

export interface Peek {
  readonly asset: Asset
  /** Undefined if the source could not be read; then `error` says why. */
  readonly tables: readonly RawTable[] | undefined
  readonly error: SvcError | undefined
}

/**
 * Returns the shapes in the order of `assets`, without assets that have no source, and without those whose source is asked for
 * each row of another one: only a run has these rows. `known`: the tables of the
 * last load.
 */
export async function peekSources(
  workspace: Workspace,
  assets: readonly Asset[],
  known: SourceShapes = new Map(),
): Promise<Peek[]> {
  const wanted = assets.filter(
    ({ definition: { ingest } }) => ingest.type !== 'none' && forEachOf(ingest) === undefined,
  )
  if (wanted.length === 0) return []
  const { guard } = workspace.world
  // The guard makes sure that the temporary folder is removed after an interrupt.
  return guard === undefined
    ? peekAll(workspace, wanted, known)
    : guard(() => peekAll(workspace, wanted, known))
}

async function peekAll(workspace: Workspace, wanted: readonly Asset[], known: SourceShapes): Promise<Peek[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-peek-'))
  const peeks: Peek[] = []
  try {
    await executeQueue([...wanted.entries()], {
      threads: 4,
      next: () => [],
      async execute([index, asset]) {
        peeks[index] = await peek(workspace, asset, join(folder, `source-${index}`), known)
      },
    })
    return peeks
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function peek(
  workspace: Workspace,
  asset: Asset,
  spoolFolder: string,
  known: SourceShapes,
): Promise<Peek> {
  const { project, root, world, signal, sources, looks } = workspace
  const isPersonal = mayBePersonal(project, asset)
  try {
    const source = await sourceFor(limitedIngest(asset, project.settings))
    const tables = await source.peek({
      asset,
      engine: project.engine,
      // Whose columns are which, a look need not find out.
      personal: { any: isPersonal, column: () => isPersonal },
      root,
      // Local files that are as they were need none: the folders of 20 sources took 6 of the 500 ms of CPU of an unchanged plan.
      get spoolFolder() {
        mkdirSync(spoolFolder, { recursive: true })
        return spoolFolder
      },
      previous: sources.get(asset.name),
      // An earlier peek at the same file does not count as the last load.
      known: known.get(asset.name) ?? [],
      env: world.env,
      now: world.now,
      signal,
      ...(looks !== undefined && { looks }),
      warehouse: use => withTables(workspace, use),
      onProgress: () => {},
    })
    return { asset, tables, error: undefined }
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    return { asset, tables: undefined, error }
  }
}

/** Opens the warehouse for a source that is in it. Throws SvcError `source-missing` where there is none yet. */
async function withTables<T>(
  { warehouse, signal }: Pick<Workspace, 'warehouse' | 'signal'>,
  use: (session: WarehouseSession) => Promise<T>,
): Promise<T> {
  const session = await (await warehouse()).open('read', { signal })
  if (session === undefined)
    throw new SvcError(
      'source-missing',
      'the table was not looked at: svc has not worked with this warehouse yet',
      {
        hint: svc => `Run ${svc('init')}; what writes the table has to run before svc reads it.`,
      },
    )
  try {
    return await use(session)
  } finally {
    await session.close()
  }
}
