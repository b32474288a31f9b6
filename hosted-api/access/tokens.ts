/** Token records (section 5): create, list, rotate, revoke. Only its owner knows the token itself. */
import { Type } from '@sinclair/typebox'
import {
  oneOf,
  orNull,
  type Principal,
  Problem,
  RecordId,
  type Scope,
  type Shape,
  scopes,
  Time,
} from '../http/index.ts'
import type { Queries, Tx } from '../storage/index.ts'
import { hashToken, hintOf } from './token-hash.ts'
import { createTokenText } from './token-text.ts'

/** Lifetimes in days. */
export const defaultLifetime = 90
export const longestLifetime = 366

/** The longest time that the old token stays valid after a rotation, in seconds. */
export const longestGrace = 7 * 24 * 3600

/** In milliseconds. */
export const day = 24 * 3600 * 1000

const ProjectList = Type.Array(RecordId, { minItems: 1, maxItems: 1000, uniqueItems: true })

export const Projects = Type.Union([ProjectList, Type.Literal('all')], {
  description: 'Record numbers of projects, or "all": also those that are made later.',
})

/** The public facts of a token, without anything that could be used as one. */
export const TokenRecord = Type.Object(
  {
    id: RecordId,
    name: Type.String(),
    hint: Type.String({ description: 'The first and last characters of the token.' }),
    scopes: Type.Array(oneOf(scopes)),
    projects: Projects,
    status: oneOf(['active', 'expired', 'revoked']),
    created_at: Time,
    created_by: Type.String(),
    expires_at: orNull(Time),
    last_used_at: orNull(Time),
    revoked_at: orNull(Time),
    rotated_from: orNull(RecordId),
  },
  { $id: 'Token' },
)
export type TokenRecord = Shape<typeof TokenRecord>

/**
 * One line without control characters and marks that turn the direction of text, so that a name cannot look like
 * several rows of a list, or like another name. "bootstrap" is reserved for SVC_HOSTED_BOOTSTRAP_TOKEN.
 */
export const tokenNamePattern =
  '^(?!\\s*[Bb][Oo][Oo][Tt][Ss][Tt][Rr][Aa][Pp]\\s*$)(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]+$'
export const longestTokenName = 255

/** Returns what is wrong with the name of a new token; undefined if nothing is. */
export function tokenNameProblem(name: string): string | undefined {
  if (new RegExp(tokenNamePattern, 'u').test(name) && name.length <= longestTokenName) return undefined
  return `The name of a token is one line of at most ${longestTokenName} characters, and not "bootstrap".`
}

export interface TokenOrder extends Pick<TokenRecord, 'name' | 'scopes' | 'projects'> {
  /** In milliseconds; undefined if it never expires. */
  readonly lifetime: number | undefined
}

/** The author of a change, for the audit log, and its time. */
export interface TokenChange {
  readonly author: { readonly actor: string; readonly requestId: string }
  readonly now: Date
}

/** The same where a token is made. */
export interface TokenBirth extends TokenChange {
  /** The end of the token that makes it, in milliseconds: none gives more life than it has. */
  readonly latest: number
}

/** The only time that the token itself is visible. */
export interface FreshToken {
  readonly secret: string
  readonly record: TokenRecord
}

/** @throws Problem `forbidden` if it would outlive the token that makes it */
export async function createToken(tx: Tx, order: TokenOrder, change: TokenBirth): Promise<FreshToken> {
  const fresh = await insertToken(tx, order, change, null)
  tx.record({
    project: undefined,
    action: 'token.create',
    target: `token:${fresh.record.id}`,
    ...change.author,
    details: {
      name: order.name,
      scopes: order.scopes,
      projects: order.projects,
      expires_at: fresh.record.expires_at,
    },
  })
  return fresh
}

/**
 * Creates a token with the name, rights and lifetime of an old one, which expires after `grace` seconds.
 * Returns undefined if there is no such token, or it has expired.
 * @throws Problem `forbidden` if the new one would outlive the token that makes it
 */
export async function rotateToken(
  tx: Tx,
  id: number,
  grace: number,
  change: TokenBirth,
): Promise<FreshToken | undefined> {
  const { author, now } = change
  const old = await tokenForUpdate(tx, id, now)
  if (old === undefined || old.status !== 'active') return undefined
  const fresh = await insertToken(tx, { ...old, lifetime: lifetimeOf(old) }, change, id)
  const end = new Date(now.getTime() + grace * 1000).toISOString()
  if (grace === 0) await tx.all('update token set revoked_at = ? where id = ?', [end, id])
  else if (old.expires_at === null || old.expires_at > end) {
    await tx.all('update token set expires_at = ? where id = ?', [end, id])
  }
  tx.record({
    project: undefined,
    action: 'token.rotate',
    target: `token:${id}`,
    ...author,
    details: { new_id: fresh.record.id, grace_seconds: grace },
  })
  return fresh
}

/**
 * Revokes a token now. Returns undefined if there is no such token. One that has ended already is not
 * changed.
 */
export async function revokeToken(
  tx: Tx,
  id: number,
  { author, now }: TokenChange,
): Promise<TokenRecord | undefined> {
  const old = await tokenForUpdate(tx, id, now)
  if (old === undefined || old.status === 'revoked') return old
  const at = now.toISOString()
  await tx.all('update token set revoked_at = ? where id = ?', [at, id])
  tx.record({
    project: undefined,
    action: 'token.revoke',
    target: `token:${id}`,
    ...author,
    details: { name: old.name },
  })
  return { ...old, status: 'revoked', revoked_at: at }
}

/** Returns tokens, oldest first. */
export async function listTokens(queries: Queries, now: Date): Promise<readonly TokenRecord[]> {
  const rows = await queries.all<TokenRow>(`select ${columns} from token order by id`)
  return rows.map(row => recordOf(row, now))
}

export async function findToken(queries: Queries, id: number, now: Date): Promise<TokenRecord | undefined> {
  const row = await queries.first<TokenRow>(`select ${columns} from token where id = ?`, [id])
  return row === undefined ? undefined : recordOf(row, now)
}

/** Returns the rights of a token, for comparison. */
export function rightsOf({
  scopes,
  projects,
}: Pick<TokenOrder, 'scopes' | 'projects'>): Pick<Principal, 'scopes' | 'projects'> {
  return { scopes: new Set(scopes), projects: projects === 'all' ? 'all' : new Set(projects) }
}

/** Scopes of a later or earlier version are left out: they allow nothing. */
export function readScopes(text: string): readonly Scope[] {
  const stored = new Set(JSON.parse(text) as readonly string[])
  return scopes.filter(scope => stored.has(scope))
}

export function readProjects(text: string | null): 'all' | readonly number[] {
  return text === null ? 'all' : (JSON.parse(text) as readonly number[])
}

const columns =
  'id, name, hint, scopes, projects, created_at, created_by, expires_at, last_used_at, revoked_at, rotated_from'

type TokenRow = {
  readonly [K in Exclude<keyof TokenRecord, 'scopes' | 'projects' | 'status'>]: TokenRecord[K]
} & { readonly scopes: string; readonly projects: string | null }

async function tokenForUpdate(tx: Tx, id: number, now: Date): Promise<TokenRecord | undefined> {
  const row = await tx.firstForUpdate<TokenRow>(`select ${columns} from token where id = ?`, [id])
  return row === undefined ? undefined : recordOf(row, now)
}

async function insertToken(
  tx: Tx,
  order: TokenOrder,
  { author, now, latest }: TokenBirth,
  rotatedFrom: number | null,
): Promise<FreshToken> {
  const end = order.lifetime === undefined ? Infinity : now.getTime() + order.lifetime
  if (end > latest) throw outlives(end, latest)
  const secret = createTokenText()
  const row = {
    name: order.name,
    hash: hashToken(secret),
    hint: hintOf(secret),
    scopes: JSON.stringify(order.scopes),
    projects: order.projects === 'all' ? null : JSON.stringify(order.projects),
    created_at: now.toISOString(),
    created_by: author.actor,
    expires_at: end === Infinity ? null : new Date(end).toISOString(),
    rotated_from: rotatedFrom,
  }
  const inserted = await tx.first<TokenRow>(tx.build('token').insert(row).returning(columns.split(', ')))
  if (inserted === undefined) throw new Error('the database did not return the new token')
  return { secret, record: recordOf(inserted, now) }
}

function outlives(end: number, latest: number): Problem {
  const wanted = end === Infinity ? 'never end' : `end at ${new Date(end).toISOString()}`
  return new Problem(
    'forbidden',
    `Your token ends at ${new Date(latest).toISOString()} and gives no more life than it has; the new one would ${wanted}. Ask for fewer days, or use a token that ends later.`,
  )
}

/** When a token ends, in milliseconds. */
export function endOf({ expires_at }: Pick<TokenRecord, 'expires_at'>): number {
  return expires_at === null ? Infinity : Date.parse(expires_at)
}

function recordOf(row: TokenRow, now: Date): TokenRecord {
  const { id, name, hint, scopes, projects, ...times } = row
  const rights = { scopes: readScopes(scopes), projects: readProjects(projects) }
  return { id, name, hint, ...rights, status: statusOf(row, now), ...times }
}

function statusOf(row: TokenRow, now: Date): TokenRecord['status'] {
  if (row.revoked_at !== null) return 'revoked'
  return endOf(row) <= now.getTime() ? 'expired' : 'active'
}

function lifetimeOf(token: TokenRecord): number | undefined {
  return token.expires_at === null ? undefined : endOf(token) - Date.parse(token.created_at)
}
