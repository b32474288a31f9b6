/**
 * The difference between what production has and what a target acknowledged, worked out in a local database from
 * two files: so it is the same on every engine, and the warehouse is closed by then. Rows are compared by the
 * text that the target gets.
 */
import type { LocalReader } from '@svc/server/catalog'
import { quoteLiteral, quoteName } from '@svc/server/catalog'
import type { PublishMode } from '@svc/server/language'
import type { PublishCounts } from '../state/state.ts'
import type { Field, OpenDestination } from './destination.ts'
import { escapedSql } from './row-text.ts'

export interface DifferenceRequest {
  readonly local: LocalReader
  /** The Parquet file with the rows of production. */
  readonly rowsPath: string
  /** The Parquet file with what the target acknowledged; undefined if that is nothing, or does not count. */
  readonly knownPath: string | undefined
  readonly fields: readonly Field[]
  readonly mode: PublishMode
  readonly textOf: OpenDestination['textOf']
  /** The file for the rows to send. */
  readonly spoolPath: string
}

export interface Difference {
  readonly counts: Omit<PublishCounts, 'refused'>
  /** How many rows the target has acknowledged. */
  readonly known: number
  /** The rows that cannot be sent, up to a number of them. */
  readonly invalid: readonly { readonly key: string; readonly reason: string; readonly raw: string }[]
  /** How many rows are in the spool. */
  readonly toSend: number
}

const mostInvalid = 1000

/** The tables of the difference belong to the connection of the reader. */
export async function findDifference(request: DifferenceRequest): Promise<Difference> {
  const { local, rowsPath, knownPath, mode, spoolPath } = request
  await local.rows(`CREATE OR REPLACE TEMP TABLE svc_now AS ${nowQuery(request, rowsPath)}`)
  await local.rows(`CREATE OR REPLACE TEMP TABLE svc_known AS ${knownQuery(knownPath)}`)
  await local.rows(`CREATE OR REPLACE TEMP TABLE svc_changes AS ${changesQuery(mode)}`)
  const lines = 'concat_ws(chr(9), operation, key_hash, row_hash, row_key, payload) AS line'
  // In the order of their hashes the same rows are in the same batches, whenever they are worked out.
  await local.rows(
    `COPY (SELECT ${lines} FROM svc_changes WHERE operation IN ${sentIn(mode)}
       ORDER BY operation = 'd' DESC, operation, key_hash)
     TO ${quoteLiteral(spoolPath)} (FORMAT csv, HEADER false, DELIMITER '\u0001', QUOTE '', ESCAPE '')`,
  )
  const counted = await local.rows('SELECT operation, count(*) AS n FROM svc_changes GROUP BY 1')
  const [known] = await local.rows('SELECT count(*) AS n FROM svc_known')
  const sent = sentIn(mode)
  const of = (letter: string) => Number(counted.find(({ operation }) => operation === letter)?.['n'] ?? 0)
  const ifSent = (letter: string) => (sent.includes(`'${letter}'`) ? of(letter) : 0)
  const toSend = ifSent('i') + ifSent('u') + ifSent('d')
  return {
    counts: {
      inserts: ifSent('i'),
      updates: ifSent('u'),
      deletes: ifSent('d'),
      unchanged: of('='),
      invalid: of('!'),
    },
    known: Number(known?.['n'] ?? 0),
    invalid: await invalidRows(local),
    toSend,
  }
}

/** The letters of the operations that a mode sends. */
function sentIn(mode: PublishMode): string {
  if (mode === 'insert') return "('i')"
  return mode === 'mirror' || mode === 'replace' ? "('i', 'u', 'd')" : "('i', 'u')"
}

function nowQuery({ fields, mode, textOf }: DifferenceRequest, rowsPath: string): string {
  const keys = fields.filter(({ isKey }) => isKey)
  const json = jsonObject(fields)
  const payload =
    textOf === undefined
      ? json
      : `concat_ws(chr(9), ${fields.map(({ column, type }) => escapedSql(textOf(quoteName(column), type))).join(', ')})`
  const from = `read_parquet(${quoteLiteral(rowsPath)})`
  const wholes = `SELECT ${payload} AS payload, ${json} AS raw FROM ${from}`
  // Where the whole is written anew nothing tells rows apart but what they are, and their number.
  if (mode === 'replace') {
    return `SELECT '{}' AS row_key, md5(payload || '#' || row_number() OVER (PARTITION BY payload)) AS key_hash,
      md5(payload) AS row_hash, payload, raw, false AS is_empty, 1 AS same FROM (${wholes})`
  }
  const isEmpty = keys.map(({ column }) => `${quoteName(column)} IS NULL`).join(' OR ')
  return `SELECT row_key, md5(row_key) AS key_hash, md5(payload) AS row_hash, payload, raw, is_empty,
      count(*) OVER (PARTITION BY row_key) AS same
    FROM (SELECT ${jsonObject(keys)} AS row_key, ${isEmpty} AS is_empty, * FROM
      (SELECT *, ${payload} AS payload, ${json} AS raw FROM ${from}))`
}

function knownQuery(path: string | undefined): string {
  if (path === undefined) return "SELECT '' AS key_hash, '' AS row_hash, '' AS row_key WHERE false"
  return `SELECT key_hash, row_hash, CAST(row_key AS VARCHAR) AS row_key FROM read_parquet(${quoteLiteral(path)})`
}

function changesQuery(mode: PublishMode): string {
  // In this mode every row is one that is there, whether svc has sent it before or not.
  const unknown = mode === 'update' ? "'u'" : "'i'"
  return `SELECT CASE WHEN is_empty OR same > 1 THEN '!' WHEN known.key_hash IS NULL THEN ${unknown}
        WHEN known.row_hash <> now.row_hash THEN 'u' ELSE '=' END AS operation,
      now.key_hash, now.row_hash, now.row_key, payload, raw,
      CASE WHEN is_empty THEN 'its key is NULL' WHEN same > 1 THEN same || ' rows have this key' END AS reason
    FROM svc_now AS now LEFT JOIN svc_known AS known USING (key_hash)
    UNION ALL
    SELECT 'd', key_hash, row_hash, row_key, row_key, row_key, NULL
    FROM svc_known WHERE key_hash NOT IN (SELECT key_hash FROM svc_now)`
}

async function invalidRows(local: LocalReader): Promise<Difference['invalid']> {
  const rows = await local.rows(
    `SELECT row_key, reason, raw FROM svc_changes WHERE operation = '!' ORDER BY row_key, raw LIMIT ${mostInvalid}`,
  )
  return rows.map(({ row_key, reason, raw }) => ({
    key: String(row_key),
    reason: String(reason),
    raw: String(raw),
  }))
}

/** Returns SQL of a JSON object with the fields as they are named at the target. */
export function jsonObject(fields: readonly Field[]): string {
  const members = fields.map(
    ({ name, column, type }) => `${quoteName(name)} := ${jsonValue(quoteName(column), type)}`,
  )
  return `CAST(to_json(struct_pack(${members.join(', ')})) AS VARCHAR)`
}

/** Times are written as ISO 8601 says, and numbers that JSON does not have as texts. */
function jsonValue(sql: string, type: string): string {
  if (/^TIMESTAMP WITH TIME ZONE$/.test(type)) return `strftime(${sql}, '%Y-%m-%dT%H:%M:%S.%fZ')`
  if (/^TIMESTAMP/.test(type)) return `strftime(${sql}, '%Y-%m-%dT%H:%M:%S.%f')`
  if (type === 'JSON') return `CAST(${sql} AS JSON)`
  if (/^(FLOAT|DOUBLE)$/.test(type))
    return `CASE WHEN isfinite(${sql}) THEN to_json(${sql}) ELSE to_json(CAST(${sql} AS VARCHAR)) END`
  return sql
}

/** Returns SQL that reads a column of production so that a Parquet file keeps every digit of it. */
export function exportedColumn(sql: string, type: string): { readonly sql: string; readonly type: string } {
  const isKept =
    !/^(U?HUGEINT|BIT|BIGNUM|VARINT|TIME WITH TIME ZONE|TIMESTAMP_NS|UNION|ENUM|INTERVAL|UUID)/.test(type)
  return isKept ? { sql, type } : { sql: `CAST(${sql} AS VARCHAR)`, type: 'VARCHAR' }
}
