/**
 * The lease of an environment as a file beside the warehouse, for engines that are files and cannot report
 * who holds them without being opened. It is created atomically by a hard link, so that readers never see an
 * incomplete one. The lease of a dead holder is replaced by exactly one process, even if several try at the
 * same moment.
 */
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, unlinkSync } from 'node:fs'
import { link, readdir, readFile, rename, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { SvcError } from '../../errors.ts'
import type { Lease, LeaseHolder } from '../warehouse.ts'
import { leaseLost } from './lease-lost.ts'
import { isSameProcess, processStart } from './process-identity.ts'

const heartbeatMs = 5_000
/** A holder on another host counts as dead if its heartbeat did not touch the file for this long. */
const silenceMs = 5 * 60_000
/** A temporary file or a claim exists only for a moment, so an older one is left over. */
const draftAgeMs = 60_000

interface LeaseRecord {
  readonly holder: LeaseHolder
  /** Distinguishes this lease from every other one. */
  readonly token: string
  readonly processStart: string | undefined
}

/** Throws SvcError `lease-held`, or `file-failed` if the file cannot be written. */
export async function takeLease(path: string, environment: string, holder: LeaseHolder): Promise<Lease> {
  const token = randomUUID().slice(0, 8)
  const record: LeaseRecord = { holder, token, processStart: processStart(holder.pid) }
  const tookOverFrom = await take(path, environment, record).catch(error => {
    throw fileFailure(error, path)
  })
  await sweep(path)
  const isOwn = async () => (await read(path))?.token === token
  const heartbeat = setInterval(() => void touch(path, isOwn), heartbeatMs)
  heartbeat.unref()
  const atExit = () => removeOwn(path, token)
  process.once('exit', atExit)
  return {
    tookOverFrom,
    async assertHeld() {
      // Also one that is there no more was somebody else's in between, or was deleted by hand.
      const now = await read(path)
      if (now?.token !== token) throw leaseLost(environment, now?.holder)
    },
    async release() {
      clearInterval(heartbeat)
      process.removeListener('exit', atExit)
      removeOwn(path, token)
    },
  }
}

/** Returns the live holder; the lease of a dead process counts as none. */
export async function readLeaseHolder(path: string, host: string): Promise<LeaseHolder | undefined> {
  const record = await read(path)
  return record !== undefined && (await isLive(path, record, host)) ? record.holder : undefined
}

/** Returns the holder with the process id `pid`, among the leases whose file names start with `prefix`. */
export async function leaseOfProcess(prefix: string, pid: number): Promise<LeaseHolder | undefined> {
  for (const path of await leasesWith(prefix)) {
    const holder = (await read(path))?.holder
    if (holder?.pid === pid) return holder
  }
  return undefined
}

/** Takes over and releases each lease of a dead process, among those whose file names start with `prefix`. */
export async function freeDeadLeases(prefix: string, holder: LeaseHolder): Promise<void> {
  for (const path of await leasesWith(prefix)) {
    const record = await read(path)
    if (record === undefined || (await isLive(path, record, holder.host))) continue
    // If another process is quicker, the lease is no longer dead.
    const lease = await takeLease(path, basename(path), holder).catch(() => undefined)
    await lease?.release()
  }
}

async function leasesWith(prefix: string): Promise<string[]> {
  const names = await readdir(dirname(prefix))
  return names
    .filter(name => name.startsWith(basename(prefix)) && name.endsWith('.lease'))
    .map(name => join(dirname(prefix), name))
}

/**
 * Takes the lease and returns the dead holder that had it. To replace a dead lease, a process must first hold
 * its claim file, whose name ends in the dead lease's token: if two processes find the same dead lease, only
 * the one with the claim replaces it, after checking again. A claim is taken like a lease, so that a dead
 * claimant blocks nobody.
 */
async function take(
  path: string,
  environment: string,
  record: LeaseRecord,
): Promise<LeaseHolder | undefined> {
  for (;;) {
    if (await create(path, record)) return undefined
    const current = await read(path)
    if (current === undefined) continue
    if (await isLive(path, current, record.holder.host)) throw heldBy(current.holder, environment, path)
    const claim = `${path}.${current.token}`
    await take(claim, environment, record)
    try {
      if ((await read(path))?.token !== current.token) continue
      await replace(path, record)
      return current.holder
    } finally {
      removeOwn(claim, record.token)
    }
  }
}

async function create(path: string, record: LeaseRecord): Promise<boolean> {
  const draft = await writeDraft(path, record)
  try {
    await link(draft, path)
    return true
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EEXIST') return false
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS') return createWithoutLink(path, record)
    throw error
  } finally {
    await unlink(draft)
  }
}

/** Creates the file on file systems without hard links. */
async function createWithoutLink(path: string, record: LeaseRecord): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(record), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function replace(path: string, record: LeaseRecord): Promise<void> {
  await rename(await writeDraft(path, record), path)
}

async function writeDraft(path: string, record: LeaseRecord): Promise<string> {
  const draft = `${path}.${randomUUID().slice(0, 8)}.tmp`
  try {
    await writeFile(draft, JSON.stringify(record), { flag: 'wx' })
    return draft
  } catch (error) {
    // On a full disk the file exists but is empty.
    await rm(draft, { force: true })
    throw error
  }
}

async function read(path: string): Promise<LeaseRecord | undefined> {
  try {
    return parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/**
 * Parses a lease. A file that is not a lease (truncated, or made by another program) counts as one of an
 * unknown holder.
 */
function parse(text: string): LeaseRecord {
  try {
    const record = JSON.parse(text) as LeaseRecord
    if (typeof record.token === 'string' && typeof record.holder.pid === 'number') return record
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
  }
  const token = createHash('sha256').update(text).digest('hex').slice(0, 8)
  return { holder: unknownHolder, token, processStart: undefined }
}

const unknownHolder: LeaseHolder = {
  runId: 'unknown',
  command: 'unknown',
  user: 'unknown',
  host: '',
  pid: 0,
  since: '1970-01-01T00:00:00.000Z',
}

async function isLive(path: string, record: LeaseRecord, host: string): Promise<boolean> {
  if (record.holder.host === host) return isSameProcess(record.holder.pid, record.processStart)
  const touchedMs = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0
  // A file that is not a lease has no heartbeat to wait for.
  const patienceMs = record.holder.pid === unknownHolder.pid ? draftAgeMs : silenceMs
  return Date.now() - touchedMs < patienceMs
}

/** The lease of whoever took it over is not kept alive by the one who lost it. */
async function touch(path: string, isOwn: () => Promise<boolean>): Promise<void> {
  const now = new Date()
  try {
    if (await isOwn()) await utimes(path, now, now)
  } catch {
    // If the lease was removed by hand, there is nothing to touch; a promotion notices that.
  }
}

/** Synchronous, so that it works while the process exits. */
function removeOwn(path: string, token: string): void {
  try {
    if (parse(readFileSync(path, 'utf8')).token === token) unlinkSync(path)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/** Removes temporary files and claims of dead processes; only the holder of the lease may call this. */
async function sweep(path: string): Promise<void> {
  const prefix = `${basename(path)}.`
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(prefix)) continue
    const file = join(dirname(path), name)
    const touchedMs = (await stat(file).catch(() => undefined))?.mtimeMs ?? Date.now()
    if (Date.now() - touchedMs > draftAgeMs) await rm(file, { force: true })
  }
}

function heldBy(holder: LeaseHolder, environment: string, path: string): SvcError {
  if (holder.pid === unknownHolder.pid) {
    return new SvcError(
      'lease-held',
      `${environment} may be being changed: ${path} is a lease that svc cannot read`,
      {
        hint: 'It counts for a minute after it was written. Delete the file if no run is under way.',
      },
    )
  }
  const { command, runId, user, host, pid, since } = holder
  const who = `svc ${command} (run ${runId} of ${user} on ${host}, process ${pid}, since ${since})`
  return new SvcError('lease-held', `${environment} is being changed by ${who}`, {
    hint: 'Wait until it is done, or end it; a lease of a process that has ended is taken over.',
  })
}

function fileFailure(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (error instanceof SvcError || code === undefined) return error
  const folder = dirname(path)
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: `the folder ${folder} does not exist`,
    ENOTDIR: `${folder} is not a folder`,
    EACCES: `no permission to write in ${folder}`,
    EPERM: `no permission to write in ${folder}`,
    EROFS: `${folder} is read-only`,
    ENOSPC: `the disk of ${folder} is full`,
  }
  const reason = reasons[code] ?? `cannot write in ${folder} (${code})`
  return new SvcError('file-failed', reason, {
    hint: `The warehouse and its lease live there: ${remedies[code] ?? 'make it writable'}, or name another warehouse in svc.yaml.`,
    cause: error,
  })
}

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'create it',
  ENOTDIR: 'make room for a folder of that name',
  ENOSPC: 'free some space',
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
