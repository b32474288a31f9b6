/**
 * Copies a DuckDB file byte by byte, with the logs beside it, while a session holds the lock that keeps writers away. The
 * copy is opened once: what its logs hold is then in it, and a damaged file is found now and not when it is needed.
 */
import { randomUUID } from 'node:crypto'
import { constants, createWriteStream } from 'node:fs'
import { copyFile, link, open, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { SvcError } from '../../errors.ts'
import { removeLeftovers } from './leftovers.ts'
import { canonicalPath, readWhileOpen } from './open-instances.ts'
import { logEndings, logsBeside } from './waiting-log.ts'

export interface CopyRequest {
  readonly file: string
  /** The absolute path of the copy, which nothing has yet. */
  readonly target: string
  readonly signal: AbortSignal | undefined
  /** Opens a file as a database for writing and closes it again, after which it has no log. */
  readonly openOnce: (file: string) => Promise<void>
}

/** Returns the size of the copy. Call this while a session has the file open. */
export async function copyDatabase({ file, target, signal, openOnce }: CopyRequest): Promise<number> {
  await refuseTaken(target)
  await removeLeftovers(target)
  const draft = `${target}.${randomUUID().slice(0, 8)}.new`
  try {
    await copyFiles(file, draft, signal)
    await openOnce(draft)
    await sync(draft)
    await moveInto(draft, target)
    return (await stat(target)).size
  } catch (error) {
    throw systemFailureOf(error, target)
  } finally {
    for (const ending of ['', ...logEndings]) await rm(`${draft}${ending}`, { force: true })
  }
}

/** A log of another file beside the copy would be read as the copy's own. */
async function refuseTaken(target: string): Promise<void> {
  for (const ending of ['', ...logEndings]) {
    if ((await stat(`${target}${ending}`).catch(() => undefined)) === undefined) continue
    throw taken(`${basename(target)}${ending}`)
  }
  const folder = await stat(dirname(target)).catch(() => undefined)
  if (folder?.isDirectory()) return
  throw new SvcError('file-failed', `the folder of ${basename(target)} does not exist`, {
    hint: 'Create it, or name another file.',
  })
}

function taken(name: string): SvcError {
  return new SvcError('wrong-usage', `${name} is there already, and a backup overwrites nothing`, {
    hint: 'Name another file, by its day for example, or delete that one first.',
  })
}

async function copyFiles(file: string, draft: string, signal: AbortSignal | undefined): Promise<void> {
  const { mode } = await stat(file)
  const options = { flags: 'wx', mode: mode & 0o777 }
  await readWhileOpen(canonicalPath(file), async handle => {
    const from = handle.createReadStream({ start: 0, autoClose: false, highWaterMark: 1024 * 1024 })
    await pipeline(from, createWriteStream(draft, options), { ...(signal && { signal }) })
  })
  for (const { ending } of await logsBeside(file)) await copyFile(`${file}${ending}`, `${draft}${ending}`)
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A link gives the name only to one; where there are none, whoever came first is not overwritten either. */
async function moveInto(draft: string, target: string): Promise<void> {
  try {
    await link(draft, target)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw taken(basename(target))
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error
    await copyFile(draft, target, constants.COPYFILE_EXCL)
  }
}

function systemFailureOf(error: unknown, target: string): unknown {
  const { code, name } = error as NodeJS.ErrnoException
  if (error instanceof SvcError) return error
  if (name === 'AbortError') return new SvcError('interrupted', 'interrupted')
  if (code === undefined) return error
  const reason = code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full' : code
  return new SvcError('file-failed', `cannot write ${basename(target)} (${reason})`, {
    hint: 'Name a file in a folder that can be written and has room for the whole warehouse.',
    cause: error,
  })
}
