/**
 * Turns errors of DuckDB into SvcErrors that say what failed, where, and what to do. It does not call DuckDB.
 */
import { messageWithoutValues } from '@svc/server/catalog'
import { type ErrorCode, messageOf, ofWorld, type SqlExcerpt, SvcError } from '../../errors.ts'

/**
 * Returns the SvcError of a failed statement: a broken file, disk or instance, or wrong SQL or data. Rethrows
 * bugs.
 */
export function statementFailure(
  error: unknown,
  label: string,
  code: ErrorCode = 'warehouse-failed',
): SvcError {
  if (error instanceof SvcError) return error
  if (error instanceof TypeError || error instanceof RangeError) throw error
  const message = messageOf(error)
  const details = { cause: error, withoutValues: messageWithoutValues(message), excerpt: excerptOf(message) }
  return worldFailure(message, label, error) ?? new SvcError(code, shown(message), details)
}

/** Returns the SvcError of a failure to open the file. `label` names it without secrets. */
export function openFailure(error: unknown, label: string): SvcError {
  const message = messageOf(error)
  if (/not a valid DuckDB database file|file is encrypted|Cannot open encrypted/i.test(message)) {
    return new SvcError('warehouse-not-a-database', `${label} is not a DuckDB database that can be opened`, {
      hint: 'Move that file away, or name another one as warehouse in svc.yaml.',
      cause: error,
    })
  }
  return (
    otherVersion(message, label, error) ??
    worldFailure(message, label, error) ??
    new SvcError('warehouse-failed', `cannot open ${label}: ${shown(message)}`, { cause: error })
  )
}

/**
 * DuckDB names the storage versions that it reads: "version number 99, but we can only read versions between
 * 64 and 68".
 */
function otherVersion(message: string, label: string, cause: unknown): SvcError | undefined {
  const found = /version number (\d+), but we can only read versions? (?:between )?(\d+)/i.exec(message)
  const isOlder = found !== null && Number(found[1]) < Number(found[2])
  if (isOlder) {
    return new SvcError(
      'warehouse-failed',
      `${label} was written by a DuckDB too old to be read (storage ${found[1]})`,
      { hint: 'Export it with the DuckDB that wrote it and import it with a current one.', cause },
    )
  }
  if (found === null && !/newer version of DuckDB/i.test(message)) return undefined
  const written = found === null ? '' : ` (storage ${found[1]})`
  return new SvcError(
    'warehouse-newer',
    `${label} was written by a newer DuckDB${written} than this svc can read`,
    { hint: 'Update svc, or write the file with an older DuckDB.', cause },
  )
}

function worldFailure(message: string, label: string, cause: unknown): SvcError | undefined {
  if (/No space left|Disk quota exceeded|File too large|Could not write all bytes/i.test(message)) {
    return new SvcError('file-failed', `the disk of ${label} is full`, {
      hint: 'Free some space and run again: what was complete is kept.',
      cause,
      facts: ofWorld,
    })
  }
  if (/Permission denied|Read-only file system|Operation not permitted/i.test(message)) {
    return new SvcError('file-failed', `no permission to write ${label}`, {
      hint: 'Check the owner and the mode of the file and of its folder.',
      cause,
      facts: ofWorld,
    })
  }
  if (
    /Corrupt database file|checksum .* does not match|Failed to (?:read|load) .*WAL|Could not read enough bytes/i.test(
      message,
    )
  ) {
    return new SvcError('warehouse-failed', `${label} is damaged: parts of it cannot be read`, {
      hint: 'Restore a copy of it, or move it away and run again: everything is built anew from the sources.',
      cause,
      facts: ofWorld,
    })
  }
  if (/database has been invalidated/i.test(message)) {
    return new SvcError('warehouse-failed', `${label} had to be closed after an error: ${shown(message)}`, {
      hint: 'Run the command again; if it happens again, check the disk.',
      cause,
      facts: ofWorld,
    })
  }
  return undefined
}

/**
 * Returns the process that holds the file, if that is why it did not open. `pid` is undefined if DuckDB does
 * not report it.
 */
export function lockHolder(error: unknown) {
  const message = messageOf(error)
  if (!/Could not set lock on file|being used by another process/i.test(message)) return undefined
  const held = /lock is held in (.+?)(?: \(PID (\d+)\)|\. See also|$)/.exec(message)
  const pid = held?.[2] === undefined ? undefined : Number(held[2])
  return { program: held?.[1] ?? 'another process', pid }
}

export function isInterrupt(error: unknown): boolean {
  return messageOf(error).startsWith('INTERRUPT')
}

/** Returns whether two transactions changed the same thing, so that a retry helps. */
export function isConflict(error: unknown): boolean {
  const message = messageOf(error)
  return message.startsWith('TransactionContext Error') && /conflict|constraint violation/i.test(message)
}

/** Removes the link to the manual from the message; the marked line is kept, because it shows the place. */
function shown(message: string): string {
  return message.replace(/\s*See also https?:\S+/g, '').trim()
}

/**
 * Returns the excerpt that DuckDB shows as `LINE n: <excerpt>` with a caret below, with dots for what it
 * leaves out.
 */
function excerptOf(message: string): SqlExcerpt | undefined {
  const picture = /^LINE \d+: (.*)\n([ ]*)\^/m.exec(message)
  if (picture === null) return undefined
  const [whole, line = '', blanks = ''] = picture
  const cut = line.startsWith('...') ? 3 : 0
  const offset = blanks.length - whole.indexOf(line) - cut
  return offset < 0 ? undefined : { text: line.slice(cut).replace(/\.\.\.$/, ''), offset }
}
