/** The keys of servers that somebody trusts: what the file of the asset says, and OpenSSH's files of known hosts. Pure. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export interface TrustedKeys {
  /** The kinds of key that are known of the host, such as ssh-ed25519; the server is asked for one of them. */
  readonly kinds: readonly string[]
  /** Whether anything is known of the host. */
  readonly isKnown: boolean
  trusts(key: Buffer): boolean
}

/** @param text `ssh-ed25519 AAAA…`, the key alone, or `SHA256:…` */
export function declaredKey(text: string): TrustedKeys {
  const words = text.trim().split(/\s+/)
  const fingerprint = words.find(word => word.startsWith('SHA256:'))
  if (fingerprint !== undefined)
    return { kinds: [], isKnown: true, trusts: key => fingerprintOf(key) === fingerprint.replace(/=+$/, '') }
  const key = words.find(word => word.startsWith('AAAA')) ?? ''
  return keysOf([Buffer.from(key, 'base64')], [])
}

/** Returns what the texts of files `known_hosts` say of a host. */
export function knownHosts(texts: readonly string[], host: string, port: number): TrustedKeys {
  const names = port === 22 ? [host] : [`[${host}]:${port}`]
  const trusted: Buffer[] = []
  const revoked: Buffer[] = []
  for (const line of texts.flatMap(text => text.split(/\r?\n/))) {
    const words = line.trim().split(/\s+/)
    const mark = words[0]?.startsWith('@') === true ? words.shift() : undefined
    const [hosts = '', , key = ''] = words
    if (hosts === '' || hosts.startsWith('#') || !names.some(name => isAmong(hosts, name))) continue
    // A certificate authority vouches for keys that this client does not ask for.
    if (mark === undefined) trusted.push(Buffer.from(key, 'base64'))
    if (mark === '@revoked') revoked.push(Buffer.from(key, 'base64'))
  }
  return keysOf(trusted, revoked)
}

function keysOf(trusted: readonly Buffer[], revoked: readonly Buffer[]): TrustedKeys {
  const same = (known: Buffer, key: Buffer) => known.length === key.length && timingSafeEqual(known, key)
  return {
    kinds: trusted.map(kindOf).filter(kind => kind !== ''),
    isKnown: trusted.length > 0,
    trusts: key => trusted.some(known => same(known, key)) && !revoked.some(known => same(known, key)),
  }
}

/** A list of patterns, of which one with `!` excludes; or the hash of a name. */
function isAmong(hosts: string, name: string): boolean {
  const [, salt, hash] = /^\|1\|([^|]+)\|([^|]+)$/.exec(hosts) ?? []
  if (salt !== undefined && hash !== undefined)
    return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash
  const patterns = hosts.split(',')
  const fits = (pattern: string) => expressionOf(pattern).test(name)
  if (patterns.some(pattern => pattern.startsWith('!') && fits(pattern.slice(1)))) return false
  return patterns.some(fits)
}

function expressionOf(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`, 'i')
}

/** The first part of a key is its kind. */
export function kindOf(key: Buffer): string {
  if (key.length < 4) return ''
  return key.subarray(4, 4 + key.readUInt32BE(0)).toString('latin1')
}

export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}
