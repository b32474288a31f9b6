/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a client that does not know whether its
 * request succeeded repeats it with the same key, and gets the first answer without a second effect. The
 * answer is stored in the transaction of the effect, for a day, per token and operation.
 */
import { createHash } from 'node:crypto'
import {
  type AnyRoute,
  type AroundWrite,
  type Call,
  idempotencyKeyPattern,
  Problem,
  type Recall,
  type Reply,
} from '../http/index.ts'
import type { Storage, Tx } from '../storage/index.ts'

/** Milliseconds. */
const keptFor = 24 * 3600 * 1000

export const aroundWrite: AroundWrite = (call, route, work) => {
  const key = keyOf(call)
  return key === undefined ? work : tx => once(tx, call, route, key, work)
}

/** Deletes expired answers. */
export function sweepAnswers(storage: Storage): Promise<unknown> {
  return storage.write(tx => tx.all('delete from idempotency where at < ?', [oldest(storage)]))
}

/**
 * Checked before anything else: a record that the first request deleted must not be reported as missing to
 * the second.
 */
export const recall: Recall = async (call, route) => {
  const key = route.method === 'GET' ? undefined : keyOf(call)
  if (key === undefined) return undefined
  const place = [call.principal.tokenId, route.id, key] as const
  const row = await call.storage.reads.first<AnswerRow>(`${select} and at >= ?`, [
    ...place,
    oldest(call.storage),
  ])
  return row === undefined ? undefined : replay(row, fingerprintOf(call))
}

async function once(
  tx: Tx,
  call: Call,
  route: AnyRoute,
  key: string,
  work: (tx: Tx) => Promise<Reply>,
): Promise<Reply> {
  const place = [call.principal.tokenId, route.id, key] as const
  const fingerprint = fingerprintOf(call)
  const now = call.storage.clock().toISOString()
  // Of several concurrent requests the first inserts the row; the others wait here until its transaction
  // ends.
  const [mine] = await tx.all(claim, [...place, fingerprint, now, oldest(call.storage)])
  if (mine === undefined) return replay(await tx.first<AnswerRow>(select, place), fingerprint)
  const reply = await work(tx)
  const told = route.secret === true ? null : JSON.stringify(reply.body ?? null)
  await tx.all(fill, [reply.status, JSON.stringify(reply.headers ?? {}), told, ...place])
  return reply
}

const claim = `insert into idempotency (token_id, route, "key", fingerprint, at) values (?, ?, ?, ?, ?)
  on conflict (token_id, route, "key") do update set fingerprint = excluded.fingerprint, at = excluded.at,
    status = null, headers = null, body = null where idempotency.at < ?
  returning token_id`
const select = `select fingerprint, status, headers, body from idempotency where token_id = ? and route = ? and "key" = ?`
const fill = `update idempotency set status = ?, headers = ?, body = ? where token_id = ? and route = ? and "key" = ?`

type AnswerRow = {
  readonly fingerprint: string
  readonly status: number | null
  readonly headers: string | null
  readonly body: string | null
}

function replay(row: AnswerRow | undefined, fingerprint: string): Reply {
  if (row === undefined || row.status === null) {
    throw new Problem('request_in_progress', 'The first request with this Idempotency-Key is not done yet.', {
      headers: { 'Retry-After': '1' },
    })
  }
  if (row.fingerprint !== fingerprint) {
    throw new Problem(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request: make a new one.',
    )
  }
  if (row.body === null) {
    throw new Problem(
      'idempotency_key_reused',
      'The first request was done; its secret is shown once and not kept.',
    )
  }
  const body: unknown = JSON.parse(row.body)
  const headers = JSON.parse(row.headers ?? '{}') as Record<string, string>
  return { status: row.status, body, headers: { ...headers, 'Idempotency-Replayed': 'true' } }
}

const keyForm = new RegExp(idempotencyKeyPattern)

/**
 * Reads a structured string (`"abc"`) or a bare word.
 * @throws Problem `invalid_header`
 */
function keyOf({ headers }: Call): string | undefined {
  const header = headers['idempotency-key']
  if (header === undefined) return undefined
  const key = keyForm.exec(String(header))
  if (key === null) {
    throw new Problem('invalid_header', 'Idempotency-Key is 1 to 255 visible characters, such as a UUID.')
  }
  return key[1] ?? key[2]
}

function fingerprintOf({ url, body, headers }: Call): string {
  return createHash('sha256')
    .update(JSON.stringify([url, body ?? null, headers['if-match'] ?? null]))
    .digest('base64url')
}

function oldest({ clock }: Storage): string {
  return new Date(clock().getTime() - keptFor).toISOString()
}
