/**
 * Keeps one reference-counted DuckDB instance per file in this process, because a second instance on the same
 * file opens without an error and loses committed rows. Waits for locks of other processes, and names the
 * process that holds them.
 */
import { randomUUID } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { copyFile, link, rm } from 'node:fs/promises'
import { setTimeout as waitFor } from 'node:timers/promises'
import { DuckDBInstance, DuckDBVarCharVector } from '@duckdb/node-api'
import { databaseThreads, readWholeTexts } from '@svc/server/catalog'
import { SvcError } from '../../errors.ts'
import type { OpenOptions } from '../warehouse.ts'
import { lockHolder, openFailure } from './failures.ts'
import { removeLeftovers } from './leftovers.ts'
import {
  bytesRead,
  canonicalPath,
  close,
  instances,
  isOutdated,
  leave,
  type OpenInstance,
  takeUp,
  unusedMs,
} from './open-instances.ts'

readWholeTexts({ DuckDBVarCharVector })

export interface InstanceHandle {
  readonly instance: DuckDBInstance
  /** Releases the instance; the last release closes it, which frees the file's lock. Idempotent. */
  release(): void
}

export interface InstanceRequest {
  readonly file: string
  readonly label: string
  readonly mode: 'read' | 'write'
  readonly threads: number
  /** The statements that load extensions. */
  readonly load: readonly string[]
  readonly options: OpenOptions
  /** Whether the process ends soon after the last session, so that a file may stay open for a moment (`leave`). */
  readonly endsSoon: boolean
  /** Describes a process for messages. */
  readonly describeHolder: (pid: number | undefined, program: string) => Promise<string>
}

const defaultWaitMs = 10_000

/**
 * Throws SvcError `warehouse-locked` after `options.waitMs`, `interrupted` by the signal, or the error of
 * opening.
 */
export async function useInstance(request: InstanceRequest): Promise<InstanceHandle> {
  const handle = await obtain(request)
  ahead.get(canonicalPath(request.file))?.()
  return handle
}

/** Functions that release a file that was opened ahead of its session, by path. */
const ahead = new Map<string, () => void>()

/**
 * Begins to open an existing file for a session that will follow soon. If it cannot be opened at once, the session opens it
 * later. Returns an idempotent function that releases the file; the session calls it too.
 */
export function openAhead(request: InstanceRequest): () => void {
  const opening = obtain({ ...request, options: { waitMs: 0 }, endsSoon: false }).catch(() => undefined)
  const giveUp = () => void opening.then(handle => handle?.release())
  ahead.set(canonicalPath(request.file), giveUp)
  void opening.then(() => setTimeout(giveUp, unusedMs).unref())
  return giveUp
}

async function obtain(request: InstanceRequest): Promise<InstanceHandle> {
  const deadline = performance.now() + (request.options.waitMs ?? defaultWaitMs)
  const key = canonicalPath(request.file)
  for (;;) {
    const pending = instances.get(key)
    if (pending === undefined) return handleOf(key, await openOnce(key, request, deadline), request)
    const open = await pending.catch(() => undefined)
    if (open === undefined || instances.get(key) !== pending) continue
    const fits = request.mode === 'read' || open.mode === 'write'
    const isOther = !fits || open.isIsolated !== isIsolated(request) || isOutdated(open, request.load)
    if (!isOther) return handleOf(key, open, request)
    if (open.left !== undefined) close(key, open)
    // A read-only or isolated instance cannot be upgraded, and a second instance would lose data as described
    // above.
    await readersClosed(open, request, deadline)
  }
}

async function openOnce(key: string, request: InstanceRequest, deadline: number): Promise<OpenInstance> {
  const opening = bytesRead(key).then(() => openWaiting(request, deadline))
  instances.set(key, opening)
  try {
    return await opening
  } catch (error) {
    instances.delete(key)
    throw error
  }
}

function handleOf(key: string, open: OpenInstance, { endsSoon }: InstanceRequest): InstanceHandle {
  open.uses += 1
  takeUp(open)
  let isReleased = false
  const release = () => {
    if (isReleased) return
    isReleased = true
    open.uses -= 1
    if (open.uses > 0) return
    if (endsSoon) leave(key, open)
    else close(key, open)
  }
  return { instance: open.instance, release }
}

async function openWaiting(request: InstanceRequest, deadline: number): Promise<OpenInstance> {
  let pauseMs = 10
  let isTold = false
  for (;;) {
    if (request.options.signal?.aborted) throw new SvcError('interrupted', 'interrupted')
    try {
      return openInstance(await create(request), request)
    } catch (error) {
      const holder = lockHolder(error)
      if (holder === undefined) throw openFailure(error, request.label)
      const who = await request.describeHolder(holder.pid, holder.program)
      if (performance.now() + pauseMs > deadline) throw locked(request.label, who, error)
      if (!isTold) request.options.onWait?.(who)
      isTold = true
    }
    await pause(pauseMs, request.options.signal)
    pauseMs = Math.min(pauseMs * 1.6, 200)
  }
}

function isIsolated({ mode, options }: InstanceRequest): boolean {
  return mode === 'read' && options.isolated === true
}

function openInstance(instance: DuckDBInstance, request: InstanceRequest): OpenInstance {
  let markClosed = () => {}
  const closed = new Promise<void>(resolve => {
    markClosed = resolve
  })
  return {
    instance,
    file: request.file,
    mode: request.mode,
    isIsolated: isIsolated(request),
    load: request.load,
    closed,
    markClosed,
    uses: 0,
    left: undefined,
  }
}

/**
 * Options of new files: the storage format of DuckDB 1.4 (checkpoints of 1,000 tables take a third of the
 * time, and files are smaller) and blocks of 128 KiB (half the size for small models; 3 million rows load as
 * fast as with the default of 256 KiB; smaller blocks slow down large tables).
 */
const newFileOptions = { default_block_size: '131072', storage_compatibility_version: 'v1.4.0' }

/**
 * Creates an empty database under a temporary name and links it to its place when it is complete, because a
 * process that dies while DuckDB writes the first headers would leave a file that cannot be opened. If two
 * processes do this, the second opens the first one's file.
 */
async function makeFile(file: string): Promise<void> {
  const draft = `${file}.${randomUUID().slice(0, 8)}.new`
  try {
    const instance = await DuckDBInstance.create(draft, { ...newFileOptions, ...safeOptions })
    instance.closeSync()
    await link(draft, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error
    await copyFile(draft, file, constants.COPYFILE_EXCL)
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * The size of the log that triggers a checkpoint. A checkpoint costs time for every table, and with DuckDB's
 * default of 16 MB there are several in one run: a first run of 1,000 models then takes a quarter longer, and
 * its promotion twice as long. After a crash this much is replayed, in about a second.
 */
const checkpointThreshold = '128MB'

/** svc never lets DuckDB download extensions by itself. */
const safeOptions = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' }

async function create(request: InstanceRequest): Promise<DuckDBInstance> {
  const { file, mode, threads } = request
  if (mode === 'write' && !existsSync(file)) await makeFile(file)
  const instance = await DuckDBInstance.create(file, {
    ...safeOptions,
    threads: String(databaseThreads(threads)),
    temp_directory: `${file}.tmp`,
    preserve_insertion_order: 'true',
    ...(mode === 'read' ? { access_mode: 'READ_ONLY' } : { checkpoint_threshold: checkpointThreshold }),
  })
  if (mode === 'write') await removeLeftovers(file)
  const connection = await instance.connect()
  // Results must not depend on the time zone of the machine.
  await connection.run("SET GLOBAL TimeZone = 'UTC'")
  for (const statement of request.load) await connection.run(statement)
  if (isIsolated(request)) {
    await connection.run('SET enable_external_access = false; SET lock_configuration = true')
  }
  connection.closeSync()
  return instance
}

async function readersClosed(open: OpenInstance, request: InstanceRequest, deadline: number): Promise<void> {
  const remainingMs = deadline - performance.now()
  const isClosed = await Promise.race([
    open.closed.then(() => true),
    pause(Math.max(remainingMs, 0), request.options.signal).then(() => false),
  ])
  if (!isClosed) throw locked(request.label, 'a reader in this process', undefined)
}

function locked(label: string, who: string, cause: unknown): SvcError {
  return new SvcError('warehouse-locked', `${label} is held by ${who}`, {
    hint: 'Wait until it is done, or end it, and run again.',
    cause,
  })
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await waitFor(ms, undefined, { signal }).catch(() => {
    throw new SvcError('interrupted', 'interrupted')
  })
}
