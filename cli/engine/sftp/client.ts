/** Connects to an SFTP server: its key is checked first, and nothing is sent to a server that nobody knows. */
import { Client, type FileEntryWithStats, type SFTPWrapper } from 'ssh2'
import { SvcError } from '../errors.ts'
import { inWords } from '../ingest/rest/network-words.ts'
import { pauseAfter } from '../ingest/rest/pace.ts'
import { type Backoff, backoffMs, usualBackoff } from '../ingest/rest/retry.ts'
import { IdleTooLong, timeoutClock } from '../ingest/rest/timeout-clock.ts'
import { fingerprintOf, kindOf } from './known-hosts.ts'
import type { SftpPlace } from './place.ts'

export interface SftpOptions {
  readonly place: SftpPlace
  readonly signal: AbortSignal
  readonly limits: { readonly retries: number; readonly timeoutMs: number }
  readonly note: (text: string) => void
  /** Absent for the usual waits. */
  readonly backoff?: Backoff
}

export function sftpClient(options: SftpOptions) {
  const { limits, backoff = usualBackoff } = options
  let connection: Promise<Connection> | undefined
  const drop = async (used: Promise<Connection> | undefined) => {
    // Another piece of work may have a new connection by now.
    if (connection === used) connection = undefined
    const opened = await used?.catch(() => undefined)
    opened?.client.end()
  }
  return {
    /**
     * Runs work on a connection; where the connection breaks, the work is done again on a new one. `touch` is called
     * whenever something has come. Throws SvcError.
     */
    async use<T>(what: string, work: Work<T>): Promise<T> {
      for (let tries = 1; ; tries++) {
        connection ??= connect(options)
        const used = connection
        const outcome = await attempt(what, work, used, options)
        if ('value' in outcome) return outcome.value
        const { failure, isPassing } = outcome
        if (!isPassing || tries > limits.retries) throw failure
        await drop(used)
        await pauseAfter(failure, tries, backoffMs(tries, backoff), options)
      }
    },
    close: () => drop(connection),
  }
}

export function entriesOf(sftp: SFTPWrapper, path: string): Promise<readonly FileEntryWithStats[]> {
  return new Promise((resolve, reject) =>
    sftp.readdir(path, (error, list) => (error ? reject(error) : resolve(list))),
  )
}

interface Connection {
  readonly client: Client
  readonly sftp: SFTPWrapper
  /** Rejects when the connection breaks. */
  readonly broken: Promise<never>
}

type Work<T> = (sftp: SFTPWrapper, touch: () => void) => Promise<T>

type Outcome<T> = { readonly value: T } | { readonly failure: SvcError; readonly isPassing: boolean }

async function attempt<T>(
  what: string,
  work: Work<T>,
  connection: Promise<Connection>,
  { place, signal, limits }: SftpOptions,
): Promise<Outcome<T>> {
  const clock = timeoutClock(signal, limits.timeoutMs, new IdleTooLong(limits.timeoutMs))
  try {
    const { sftp, broken } = await connection
    clock.touch()
    return { value: await Promise.race([work(sftp, clock.touch), broken, abortOf(clock.signal)]) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SvcError) return { failure: error, isPassing: isConnection(error.cause) }
    return { failure: failureOf(what, error, place), isPassing: isConnection(error) }
  } finally {
    clock.stop()
  }
}

/** Rejects when the signal aborts. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    if (signal.aborted) reject(signal.reason)
  })
}

function connect({ place, limits, signal }: SftpOptions): Promise<Connection> {
  const { host, port, user: username, password, privateKey, passphrase, agent, trusted } = place
  const client = new Client()
  const refused: { key?: Buffer } = {}
  return new Promise<Connection>((resolve, reject) => {
    const fail = (error: unknown) => {
      client.destroy()
      reject(connectFailure(error, refused.key, place))
    }
    const stop = () => fail(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    client.once('error', fail)
    client.once('ready', () =>
      client.sftp((error, sftp) => {
        signal.removeEventListener('abort', stop)
        if (error !== undefined && error !== null) return fail(error)
        resolve({ client, sftp, broken: brokenOf(client) })
      }),
    )
    try {
      client.connect({
        ...{ host, port, username, readyTimeout: limits.timeoutMs, keepaliveInterval: 15_000 },
        ...(password !== undefined && { password }),
        ...(privateKey !== undefined && { privateKey }),
        ...(passphrase !== undefined && { passphrase }),
        ...(password === undefined && privateKey === undefined && agent !== undefined && { agent }),
        ...(trusted.kinds.length > 0 && { algorithms: { serverHostKey: algorithmsOf(trusted.kinds) } }),
        hostVerifier: (key: Buffer) => {
          if (trusted.trusts(key)) return true
          refused.key = key
          return false
        },
      })
    } catch (error) {
      // A private key that cannot be read is thrown at once.
      fail(error)
    }
  })
}

function brokenOf(client: Client): Promise<never> {
  const broken = new Promise<never>((_resolve, reject) => {
    client.on('error', reject)
    client.once('close', () => reject(new ConnectionLost('the server closed the connection')))
  })
  // Nobody may be waiting for anything when a connection ends.
  broken.catch(() => undefined)
  return broken
}

class ConnectionLost extends Error {}

/** A server often has several keys: it is asked for one of a kind that is known of it. */
function algorithmsOf(kinds: readonly string[]) {
  const rsa = ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa']
  return [...new Set(kinds.flatMap(kind => (kind === 'ssh-rsa' ? rsa : [kind])))] as never
}

function connectFailure(error: unknown, refused: Buffer | undefined, place: SftpPlace): unknown {
  if (refused !== undefined) return unknownHost(refused, place)
  const { host, port, where, trusted } = place
  const message = error instanceof Error ? error.message : String(error)
  if (/no matching host key/i.test(message)) {
    return new SvcError(
      'http-failed',
      `${host} has no key of the kinds that are known of it: ${trusted.kinds.join(', ')}`,
      {
        hint: `Ask its owner for its key, and write it as ${where}.host_key or into ~/.ssh/known_hosts.`,
      },
    )
  }
  if (/authentication methods failed/i.test(message)) {
    return new SvcError('http-status', `${host} does not let ${place.user} in: wrong user, password or key`, {
      hint: 'Check the user in the endpoint, and the credentials.',
    })
  }
  if (/private ?key|passphrase|key format/i.test(message)) {
    return new SvcError('missing-credentials', `the private key cannot be used: ${place.hide(message)}`, {
      hint: `It has to be a key as ssh-keygen writes it; a passphrase is ${where}.passphrase.`,
    })
  }
  if (error instanceof Error && error.name === 'AbortError') return error
  const { reason } = inWords(error)
  return new SvcError('http-failed', `no connection to ${host}:${port}: ${place.hide(reason)}`, {
    hint: 'Check the endpoint, and that the server runs.',
    cause: error,
  })
}

function unknownHost(key: Buffer, { host, port, where, trusted }: SftpPlace): SvcError {
  const name = port === 22 ? host : `[${host}]:${port}`
  const line = `${kindOf(key)} ${key.toString('base64')}`
  const asked = `If its owner confirms ${fingerprintOf(key)}, write ${where}.host_key: ${fingerprintOf(key)}, or add this line to ~/.ssh/known_hosts: ${name} ${line}`
  return trusted.isKnown
    ? new SvcError(
        'host-not-allowed',
        `${name} has another key than is known of it: it may be another server`,
        {
          hint: `Ask its owner before anything else. ${asked}`,
        },
      )
    : new SvcError('host-not-allowed', `nobody has said that the server ${name} may be trusted`, {
        hint: asked,
      })
}

function failureOf(what: string, error: unknown, place: SftpPlace): SvcError {
  const status = error instanceof Error && 'code' in error ? error.code : undefined
  if (status === 2)
    return new SvcError('source-unreadable', `${what} is not there`, {
      hint: 'Check the endpoint; sftp://host/~/folder is below the home of the user.',
      cause: error,
    })
  if (status === 3)
    return new SvcError('source-unreadable', `${place.user} may not read or write ${what}`, {
      hint: 'Ask the owner of the server for the rights.',
      cause: error,
    })
  return new SvcError('http-failed', `${what}: ${place.hide(inWords(error).reason)}`, {
    hint: 'Try again, or raise limits.timeout or limits.retries.',
    cause: error,
  })
}

/** Returns whether a new connection may help: what the server says of a file has a number. */
function isConnection(error: unknown): boolean {
  if (error instanceof ConnectionLost || error instanceof IdleTooLong) return true
  if (!(error instanceof Error)) return false
  if ('level' in error && error.level === 'client-timeout') return true
  return (
    'code' in error && typeof error.code === 'string' && /^E(CONN|PIPE|TIMEDOUT|HOST|NET)/.test(error.code)
  )
}
