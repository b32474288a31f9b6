/** Addresses of PostgreSQL, which mean what they mean to psql. */
import { nearestNames } from '@svc/server/language'
import { SvcError } from '../../errors.ts'

const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full']

/** A user, a port and no host, as for a Unix socket: `postgres://user@/db?host=/run/postgresql`. */
const withoutHost = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@:]*)(?::([^/?#@]*))?@(?::(\d+))?(?=[/?#]|$)/i

/** Throws TypeError where the text is no address. */
export function readDatabaseUrl(text: string): URL {
  const match = withoutHost.exec(text)
  if (match === null) return new URL(text)
  const [whole, scheme = '', user, password, port] = match
  const url = new URL(scheme + text.slice(whole.length))
  for (const [name, value] of Object.entries({ user, password, port })) {
    if (value !== undefined && value !== '') url.searchParams.set(name, decodeURIComponent(value))
  }
  return url
}

/**
 * Returns the address for the client. Throws SvcError `wrong-usage` for a port or a mode of TLS that there is not, and for a
 * database that the client cannot name.
 */
export function connectionString(text: string, password: string | undefined): string {
  const url = readDatabaseUrl(text)
  url.pathname = pathForClient(url.pathname)
  refusePort(url.searchParams.get('port'))
  if (password !== undefined) {
    if (url.host === '') url.searchParams.set('password', password)
    else url.password = encodeURIComponent(password)
  }
  const mode = url.searchParams.get('sslmode')
  if (mode === null) return url.href
  if (!sslModes.includes(mode)) throw unknownMode(mode)
  url.searchParams.set('uselibpqcompat', 'true')
  return url.href
}

/**
 * Returns ": " and why a text is no address, or '' where that is not known. The text may be a secret, also what stands where a
 * port should be, and is not repeated.
 */
export function whyNoAddress(text: string): string {
  const port = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?(?:\[[^\]]*\]|[^/?#@:]*):([^/?#@]*)/i.exec(text)?.[1]
  return port === undefined || port === '' || isPort(port) ? '' : `: ${noPort}`
}

/** The client reads a path by `decodeURI`, which leaves alone what may separate the parts of an address. */
function pathForClient(pathname: string): string {
  if (/%3F|%23/i.test(pathname))
    throw new SvcError('wrong-usage', 'the address names a database with ? or # in its name', {
      hint: 'The client of PostgreSQL that svc uses cannot open it: give the database another name with ALTER DATABASE … RENAME TO ….',
    })
  return pathname.replace(/%(?:2F|3A|40|26|3D|2B|24|2C|3B)/gi, decodeURIComponent)
}

const noPort = 'its port is not a number from 1 to 65535'

function refusePort(port: string | null): void {
  if (port === null || isPort(port)) return
  throw new SvcError('wrong-usage', `the address of the database cannot be read: ${noPort}`, {
    hint: 'Leave the port out for 5432, or write it as a number: postgres://user@/database?host=/socket/folder&port=5433.',
  })
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536
}

function unknownMode(mode: string): SvcError {
  const [nearest] = nearestNames(mode, sslModes)
  const meant = nearest === undefined ? '' : `did you mean "${nearest}"? `
  return new SvcError('wrong-usage', `the address of the database has an unknown sslmode: "${mode}"`, {
    hint: `${meant}The modes are ${sslModes.join(', ')}.`,
  })
}
