/** The address of a database: where it comes from, which password belongs to it, and how it is shown. */
import { SvcError } from '../../errors.ts'
import { credentialsOf, resolveSecret, type Secrets } from '../credentials.ts'
import type { FetchContext, IngestOf } from '../source.ts'
import type { DatabaseAddress } from './database.ts'
import { readDatabaseUrl, whyNoAddress } from './postgres-address.ts'

/** Throws `missing-credentials`, or `invalid-project` where the text is no address. */
export function databaseAddress(
  ingest: IngestOf<'sql'>,
  { asset, env }: FetchContext,
  secrets: Secrets,
): DatabaseAddress {
  const password = credentialsOf(asset, env)
  return resolvedAddress({ endpoint: ingest.endpoint, password, at: 'ingest' }, env, secrets)
}

/** An address as it is written, the password that goes with it, and the block of the file that has both. */
export interface WrittenAddress {
  readonly endpoint: string
  readonly password: string | undefined
  readonly at: string
}

/** Throws as `databaseAddress`. */
export function resolvedAddress(
  { endpoint, password, at }: WrittenAddress,
  env: FetchContext['env'],
  secrets: Secrets,
): DatabaseAddress {
  const text = resolveSecret(endpoint, env, `${at}.endpoint`, secrets)
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) throw notAnAddress(endpoint, at)
  if (password !== undefined) secrets.add(password)
  // What a variable says is a secret as a whole.
  const fromVariable = text === endpoint ? undefined : `the database of ${endpoint}`
  if (isFile(scheme)) return { scheme, text, shown: fromVariable ?? text }
  const url = urlOf(text)
  if (url === undefined) throw notAnAddress(endpoint, at, whyNoAddress(text))
  const inParameter = url.searchParams.get('password') ?? ''
  for (const own of [decodeURIComponent(url.password), inParameter]) secrets.add(own)
  const shown = fromVariable ?? `${scheme}://${url.host}${url.pathname}`
  return {
    scheme,
    text,
    shown,
    ...(url.password === '' && inParameter === '' && password !== undefined && { password }),
  }
}

/** The address of a file has no host and no password. */
function isFile(scheme: string): boolean {
  return scheme === 'duckdb' || scheme === 'sqlite'
}

function urlOf(text: string): URL | undefined {
  try {
    return readDatabaseUrl(text)
  } catch {
    return undefined
  }
}

/** The text itself may be a secret, so the message names the key alone. */
function notAnAddress(endpoint: string, at: string, why = ''): SvcError {
  const what = endpoint.startsWith('env:') ? `the value of ${endpoint.slice(4)}` : `${at}.endpoint`
  return new SvcError('invalid-project', `${what} is no address of a database${why}`, {
    hint: 'An address is written postgres://user@host:5432/database; special characters in a password are written %40 and the like.',
  })
}
