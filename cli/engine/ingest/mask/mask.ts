/**
 * What a mask makes of a value: once for texts in memory (JSON), once as SQL (all other sources). Both give the same, so that
 * a customer of a file joins one of a web service.
 */
import { createHash, createHmac } from 'node:crypto'
import type { LocalReader } from '@svc/server/catalog'
import {
  internalNames,
  type MaskKind,
  type MaskRules,
  maskRules,
  type SourceIngest,
  type SourceLimits,
} from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { resolveText } from '../credentials.ts'

export interface Mask {
  readonly rules: MaskRules
  /** What the key is known by, which does not reveal it; undefined if nothing is hashed. */
  readonly keyMark: string | undefined
  hidden(kind: MaskKind, text: string): string
  /** Returns SQL of the hidden value from SQL of its text. It is valid where `prepare` has run. */
  sql(kind: MaskKind, text: string): string
  prepare(local: LocalReader): Promise<void>
}

/** What a source needs to give its records masked. */
export interface Masking {
  readonly mask: Mask
  readonly local: LocalReader
  /** The private folder of the fetch, for the masked records. */
  readonly folder: string
  readonly limits: SourceLimits
  readonly signal: AbortSignal
}

const own = internalNames('mask_inner', 'mask_outer')
const keyVariable = 'SVC_MASK_KEY'
const shortestKey = 16

/** Returns the masks of a source; undefined if it has none. Throws `missing-credentials` without a key that they need. */
export function maskOf(
  ingest: SourceIngest,
  env: Readonly<Record<string, string | undefined>>,
): Mask | undefined {
  const rules = maskRules(ingest)
  if (rules.isEmpty) return undefined
  const key = rules.hashes ? keyIn(env) : ''
  return {
    rules,
    keyMark: rules.hashes ? hmac(key, 'svc: the key of masks').slice(0, 16) : undefined,
    hidden: (kind, text) => (kind === 'hash' ? hmac(key, text) : hide[kind](text)),
    sql: (kind, text) => sqlOf[kind](text),
    async prepare(local) {
      if (!rules.hashes) return
      // As variables the pads are in no text of a query, which a message could repeat.
      await local.rows(`SET VARIABLE ${own.mask_inner} = from_hex('${pad(key, 0x36)}')`)
      await local.rows(`SET VARIABLE ${own.mask_outer} = from_hex('${pad(key, 0x5c)}')`)
    },
  }
}

function keyIn(env: Readonly<Record<string, string | undefined>>): string {
  const key = resolveText(`env:${keyVariable}`, env, 'ingest.mask: hash')
  if (key.length >= shortestKey) return key
  throw new SvcError(
    'missing-credentials',
    `the key in ${keyVariable} has ${key.length} characters: values that are few could be found out by trying`,
    { hint: `Take ${shortestKey} characters or more, such as those of: openssl rand -hex 32` },
  )
}

function hmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

const block = 64

/** HMAC (RFC 2104) is two hashes, each of the key in one of two disguises and what is hashed. */
function pad(key: string, disguise: number): string {
  const bytes = Buffer.from(key)
  const short = bytes.length > block ? createHash('sha256').update(bytes).digest() : bytes
  return Buffer.from(Buffer.concat([short], block).map(byte => byte ^ disguise)).toString('hex')
}

const stars = '***'

const hide: Readonly<Record<Exclude<MaskKind, 'hash'>, (text: string) => string>> = {
  redact: () => stars,
  partial(text) {
    const characters = [...text]
    const left = Math.min(4, Math.floor(characters.length / 4))
    return `*${stars}${left === 0 ? '' : characters.slice(-left).join('')}`
  },
  email(text) {
    const at = text.lastIndexOf('@')
    if (at === -1) return stars
    return `${/^[^@]/u.exec(text)?.[0] ?? ''}${stars}${text.slice(at)}`
  },
}

const sqlOf: Readonly<Record<MaskKind, (text: string) => string>> = {
  redact: text => `CASE WHEN ${text} IS NULL THEN NULL ELSE '${stars}' END`,
  hash: text =>
    `sha256(getvariable('${own.mask_outer}') || from_hex(sha256(getvariable('${own.mask_inner}') || encode(${text}))))`,
  partial: text => `'*${stars}' || right(${text}, least(4, length(${text}) // 4))`,
  email: text => `CASE WHEN contains(${text}, '@')
    THEN regexp_extract(${text}, '^[^@]') || '${stars}@' || split_part(${text}, '@', -1)
    WHEN ${text} IS NOT NULL THEN '${stars}' END`,
}
