/**
 * The difference between what production has and what a target acknowledged, worked out in a local database from
 * two files: so it is the same on every engine, and the warehouse is closed by then. Rows are compared by the
 * text that the target gets. The file of rows has columns with names of ours, so that none of the user's is in this SQL.
 */
import { writeFileSync } from 'node:fs'
import type { LocalReader } from '@svc/server/catalog'
import { jsonFrom, quoteLiteral, quoteName } from '@svc/server/catalog'
import type { PublishTarget } from '@svc/server/language'
import type { PublishCounts } from '../state/state.ts'
import { doubtfulHash, type Overlay } from './acknowledge.ts'
import type { Field, OpenDestination, Unheld } from './destination.ts'
import type { DoubtfulBatch } from './doubts.ts'
import type { Repeat } from './journal.ts'
import { documentText, isNested, jsonObject } from './json-sql.ts'
import { escapedSql } from './row-text.ts'

export interface DifferenceRequest {
  readonly local: LocalReader
  /** The Parquet file with the rows of production. */
  readonly rowsPath: string
  /** The Parquet file with what the target acknowledged; undefined if that is nothing, or does not count. */
  readonly knownPath: string | undefined
  readonly fields: readonly Field[]
  readonly target: SentBy
  /** When the publish began, ISO 8601: rows that are gone may be marked with it. */
  readonly at: string
  readonly textOf: OpenDestination['textOf']
  readonly unheld: OpenDestination['unheld']
  readonly roundsJson: OpenDestination['roundsJson']
  readonly isIdempotent: OpenDestination['isIdempotent']
  /** The file for the rows to send, and the one for their keys and hashes. */
  readonly spoolPath: string
  readonly keysPath: string
  /** What the journal of a publish that stopped says beyond the file of what was acknowledged. */
  readonly overlay?: Overlay | undefined
  /** Batches in doubt that would be sent today as they were then, if all of their rows are to be sent. */
  readonly doubtful: readonly DoubtfulBatch[]
  /** The file for them. */
  readonly doubtfulPath: string
}

/** What decides which changes are sent. */
export type SentBy = Pick<PublishTarget, 'mode' | 'onDelete' | 'mark'>

export interface Difference {
  readonly counts: Omit<PublishCounts, 'refused'>
  /** How many rows the target has acknowledged. */
  readonly known: number
  /** The rows that cannot be sent, up to a number of them. */
  readonly invalid: readonly { readonly key: string; readonly reason: string; readonly raw: string }[]
  /** Whether all rows are new and their order does not matter: then the spool has their payloads alone. */
  readonly isBare: boolean
  /** How many rows are in the spool. */
  readonly toSend: number
  /** Whether no row is known, not even one in doubt. */
  readonly isFirst: boolean
  /** The batches in doubt that are sent again as they were; they are the first in the spool. */
  readonly repeats: readonly Repeat[]
  /** How many rows may be at a target that tells no rows apart, and are sent in another batch than before. */
  readonly again: number
}

const mostInvalid = 1000

/** The tables of the difference belong to the connection of the reader. */
export async function findDifference(request: DifferenceRequest): Promise<Difference> {
  const { local, rowsPath, knownPath, target } = request
  await local.rows(`CREATE OR REPLACE TEMP VIEW svc_known AS ${knownQuery(knownPath, request.overlay)}`)
  const known = await countOf(local, `svc_known WHERE row_hash <> CAST('${doubtfulHash.insert}' AS UUID)`)
  const isFirst = known === 0 && (await countOf(local, 'svc_known')) === 0
  const allNew = isFirst ? await findAllNew(request) : undefined
  if (allNew !== undefined) return allNew
  // Texts of rows that have not changed are hashed and forgotten: most publishes send few rows of many.
  await local.rows(`CREATE OR REPLACE TEMP TABLE svc_now AS ${nowQuery(request, rowsPath)}`)
  await local.rows(
    'CREATE OR REPLACE TEMP TABLE svc_same AS SELECT key_hash, count(*) AS same FROM svc_now GROUP BY 1 HAVING count(*) > 1',
  )
  await local.rows(`CREATE OR REPLACE TEMP TABLE svc_changes AS ${changesQuery(target)}`)
  const counted = await local.rows('SELECT operation, count(*) AS n FROM svc_changes GROUP BY 1')
  const now = await countOf(local, 'svc_now')
  const of = (letter: string) => Number(counted.find(({ operation }) => operation === letter)?.['n'] ?? 0)
  const ifSent = (letter: string) => (sentIn(target).includes(`'${letter}'`) ? of(letter) : 0)
  const counts = {
    inserts: ifSent('i'),
    updates: ifSent('u'),
    deletes: ifSent('d'),
    unchanged: now - of('i') - of('u') - of('!'),
    invalid: of('!'),
  }
  const isSpooled = target.mode !== 'replace'
  if (isSpooled) {
    await findRepeats(local, request)
    await writeSpool(request)
  }
  return {
    ...{ counts, known, isFirst, isBare: false },
    repeats: isSpooled ? await repeatsIn(local, request.doubtful) : [],
    again: isSpooled ? await countAgain(request) : 0,
    invalid: await invalidRows(request),
    toSend: counts.inserts + counts.updates + counts.deletes,
  }
}

async function countOf(local: LocalReader, rows: string): Promise<number> {
  const [counted] = await local.rows(`SELECT count(*) AS n FROM ${rows}`)
  return Number(counted?.['n'] ?? 0)
}

/**
 * Where nothing is known, and the order of rows does not matter, there is nothing to compare: the file of rows is read
 * through once for the keys and once for the texts, which costs less than to keep them. Returns undefined where rows are not
 * new, or some of them cannot be sent: then they have to be told apart.
 */
async function findAllNew(request: DifferenceRequest): Promise<Difference | undefined> {
  const { local, target, isIdempotent, keysPath, rowsPath } = request
  const isInsert = target.mode !== 'update' && target.mode !== 'replace'
  if (isIdempotent !== true || !isInsert) return undefined
  const columns = `${hashOf('key_text')} AS key_hash, ${hashOf('payload')} AS row_hash, key_text AS row_key`
  await copyKeys(request, `SELECT n AS place, 'i' AS operation, ${columns} FROM ${textsOf(request)}`)
  const [found] = await local.rows(
    `SELECT count(*) AS n, count(DISTINCT key_hash) AS keys,
       (SELECT count(*) FROM ${numbered(rowsPath)} WHERE ${isEmptySql(request)} OR ${unheldSql(request)} IS NOT NULL) AS empty
     FROM read_parquet(${quoteLiteral(keysPath)})`,
  )
  const inserts = Number(found?.['n'] ?? 0)
  if (Number(found?.['keys']) < inserts || Number(found?.['empty']) > 0) return undefined
  await copyLines(request, `SELECT payload FROM ${textsOf(request)}`)
  await local.rows(
    `CREATE OR REPLACE TEMP VIEW svc_changes AS
     SELECT 'i' AS operation, place AS n, key_hash, row_key FROM read_parquet(${quoteLiteral(keysPath)})`,
  )
  const counts = { inserts, updates: 0, deletes: 0, unchanged: 0, invalid: 0 }
  return {
    ...{ counts, known: 0, isFirst: true, invalid: [], isBare: true },
    ...{ toSend: inserts, repeats: [], again: 0 },
  }
}

/**
 * In the order of their hashes the same rows are in the same batches, whenever they are worked out, and so have the
 * same idempotency keys. A database does not need that, and takes rows faster in the order of production.
 */
async function writeSpool(request: DifferenceRequest): Promise<void> {
  const { local, target, isIdempotent } = request
  const order = `operation = 'd' DESC, operation, ${isIdempotent ? 'n, ' : ''}key_hash`
  await local.rows(
    `CREATE OR REPLACE TEMP TABLE svc_sent AS SELECT *, row_number() OVER () - 1 AS place
     FROM (SELECT * FROM svc_changes LEFT JOIN svc_repeats USING (operation, key_hash)
       WHERE operation IN ${sentIn(target)} ORDER BY batch NULLS LAST, nth, ${order})`,
  )
  const hashes = `${hexOf('key_hash')} AS key_hash, ${hexOf('row_hash')} AS row_hash`
  const rows = `SELECT place, operation, ${hashes}, key_text AS row_key, payload FROM svc_sent JOIN ${textsOf(request)} USING (n)
    UNION ALL SELECT place, operation, ${hashes}, row_key, ${gonePayload(request)} FROM svc_sent WHERE operation = 'd'`
  await copySpool(request, `${rows} ORDER BY place`)
  await copyKeys(
    request,
    `SELECT place, operation, key_hash, row_hash, coalesce(key_text, row_key) AS row_key FROM svc_sent LEFT JOIN ${textsOf(request)} USING (n)`,
  )
}

/**
 * Finds which batches in doubt would be sent today as they were: all of their rows, by the same operations and with the same
 * texts. Of a row that is gone its key is all there is.
 */
async function findRepeats(
  local: LocalReader,
  { doubtful, doubtfulPath, target }: DifferenceRequest,
): Promise<void> {
  const lines = doubtful.flatMap(({ rows, at }, batch) =>
    rows.map(([operation, key_hash, row_hash], nth) =>
      JSON.stringify({ batch, nth, size: rows.length, operation, key_hash, row_hash, marked_at: at }),
    ),
  )
  writeFileSync(doubtfulPath, lines.map(line => `${line}\n`).join(''), { mode: 0o600 })
  const columns = [
    ...['batch', 'nth', 'size'].map(name => [name, 'BIGINT'] as const),
    ...['operation', 'key_hash', 'row_hash', 'marked_at'].map(name => [name, 'VARCHAR'] as const),
  ]
  const then = jsonFrom(quoteLiteral(doubtfulPath), { format: 'newline_delimited', columns })
  await local.rows(
    `CREATE OR REPLACE TEMP TABLE svc_repeats AS SELECT batch, nth, marked_at, operation, key_hash FROM (
       SELECT doubt.batch, nth, size, marked_at, now.operation, now.key_hash
       FROM ${then} AS doubt JOIN svc_changes AS now
         ON now.operation = doubt.operation AND now.key_hash = CAST(doubt.key_hash AS UUID)
         AND (now.operation = 'd' OR now.row_hash = CAST(doubt.row_hash AS UUID))
       WHERE now.operation IN ${sentIn(target)})
     QUALIFY count(*) OVER (PARTITION BY batch) = size`,
  )
}

async function repeatsIn(local: LocalReader, doubtful: readonly DoubtfulBatch[]): Promise<readonly Repeat[]> {
  if (doubtful.length === 0) return []
  const rows = await local.rows(
    'SELECT batch, min(place) AS first, max(place) + 1 AS ending FROM svc_sent WHERE batch IS NOT NULL GROUP BY 1 ORDER BY 1',
  )
  return rows.flatMap(({ batch, first, ending }) => {
    const known = doubtful[Number(batch)]
    return known === undefined
      ? []
      : [{ key: known.key, at: known.at, range: [Number(first), Number(ending)] as const }]
  })
}

/** A target that takes rows by their keys has a row once, however often it comes. */
function countAgain({ local, isIdempotent, target }: DifferenceRequest): Promise<number> | number {
  if (isIdempotent === true || target.mode !== 'insert') return 0
  return countOf(
    local,
    `svc_sent JOIN svc_known USING (key_hash) WHERE batch IS NULL AND svc_known.row_hash IN ${mayBeAbsent}`,
  )
}

/** The hashes of rows that a target may not have. */
const mayBeAbsent = `(CAST('${doubtfulHash.insert}' AS UUID), CAST('${doubtfulHash.delete}' AS UUID))`

/** The lines are in the order of the rows. */
function copySpool(request: DifferenceRequest, rows: string): Promise<void> {
  const line = 'concat_ws(chr(9), operation, key_hash, row_hash, row_key, payload) AS line'
  return copyLines(request, `SELECT ${line} FROM (${rows})`)
}

async function copyLines({ local, spoolPath }: DifferenceRequest, lines: string): Promise<void> {
  await local.rows(
    `COPY (${lines})
     TO ${quoteLiteral(spoolPath)} (FORMAT csv, HEADER false, DELIMITER '\u0001', QUOTE '', ESCAPE '')`,
  )
}

/** A writer keeps a whole group of rows in memory, and each thread has one. */
async function copyKeys({ local, keysPath }: DifferenceRequest, rows: string): Promise<void> {
  await local.rows(`COPY (${rows}) TO ${quoteLiteral(keysPath)} (FORMAT parquet, ROW_GROUP_SIZE 30000)`)
}

/** A hash takes half of the memory of its text, and is compared faster. */
function hashOf(text: string): string {
  return `CAST(md5(${text}) AS UUID)`
}

/** Returns the text of a hash as it is kept: hexadecimal digits. */
function hexOf(hash: string): string {
  return `replace(CAST(${hash} AS VARCHAR), '-', '')`
}

/** The letters of the operations that a mode sends. */
export function sentIn({ mode, onDelete }: Pick<SentBy, 'mode' | 'onDelete'>): string {
  const letters = ['i', ...(mode === 'insert' ? [] : ['u'])]
  if (mode === 'replace' || onDelete !== 'ignore') letters.push('d')
  return `(${letters.map(letter => `'${letter}'`).join(', ')})`
}

/** Of a row that is gone its key is sent; where it is only marked, with the time. */
function gonePayload({ target, at }: DifferenceRequest): string {
  if (target.onDelete !== 'mark') return 'row_key'
  const member = `,${JSON.stringify(target.mark)}:`
  // A batch that is sent again has the time that it had.
  const time = `coalesce(marked_at, ${quoteLiteral(at)})`
  return `left(row_key, length(row_key) - 1) || ${quoteLiteral(member)} || '"' || ${time} || '"}'`
}

function numbered(rowsPath: string): string {
  return `(SELECT file_row_number AS n, * FROM read_parquet(${quoteLiteral(rowsPath)}, file_row_number = true))`
}

/** Types whose texts have nothing in them that needs an escape. */
const neverEscaped = /^(U?(TINY|SMALL|BIG)INT|U?INTEGER|BOOLEAN|FLOAT|DOUBLE|DATE|TIMESTAMP.*|DECIMAL.*)$/

function payloadSql({ fields, textOf, roundsJson }: DifferenceRequest): string {
  if (textOf === undefined) return jsonObject(fields, roundsJson)
  const texts = fields.map(({ inFile, type }) => {
    const text = textOf(quoteName(inFile), type)
    return neverEscaped.test(type) ? `coalesce(${text}, '\\N')` : escapedSql(text)
  })
  return `concat_ws(chr(9), ${texts.join(', ')})`
}

function keySql({ fields, target, roundsJson }: DifferenceRequest): string {
  const keys = fields.filter(({ isKey }) => isKey)
  return target.mode === 'replace' ? "'{}'" : jsonObject(keys, roundsJson)
}

/** The texts of rows by their number: the key, and what the target gets. */
function textsOf(request: DifferenceRequest): string {
  return `(SELECT n, ${keySql(request)} AS key_text, ${payloadSql(request)} AS payload FROM ${numbered(request.rowsPath)})`
}

function nowQuery(request: DifferenceRequest, rowsPath: string): string {
  const { target } = request
  // Where the whole is written anew nothing tells rows apart but what they are, and their number.
  if (target.mode === 'replace') {
    const nth = `${hexOf('row_hash')} || '#' || row_number() OVER (PARTITION BY row_hash)`
    return `SELECT n, ${hashOf(nth)} AS key_hash, row_hash, false AS is_empty, CAST(NULL AS VARCHAR) AS unheld
      FROM (SELECT n, ${hashOf(payloadSql(request))} AS row_hash FROM ${numbered(rowsPath)})`
  }
  return `SELECT n, ${hashOf(keySql(request))} AS key_hash, ${hashOf(payloadSql(request))} AS row_hash, ${isEmptySql(request)} AS is_empty, ${unheldSql(request)} AS unheld
    FROM ${numbered(rowsPath)}`
}

/** Whether a row has a key that is NULL, in a part of it. */
function isEmptySql({ fields }: Pick<DifferenceRequest, 'fields'>): string {
  const keys = fields.filter(({ isKey }) => isKey)
  return keys.map(({ inFile }) => `${quoteName(inFile)} IS NULL`).join(' OR ')
}

/** Why a row would not be the same at the target; NULL where nothing speaks against it. */
function unheldSql({ fields, unheld }: Pick<DifferenceRequest, 'fields' | 'unheld'>): string {
  const cases = fields.flatMap(({ name, inFile, type, misfits }) => {
    const found = [
      ...(misfits === undefined ? [] : [misfitsIn(misfits, type)]),
      ...[unheld?.(quoteName(inFile), type) ?? []].flat(),
    ]
    return found.map(
      ({ condition, reason }) => `WHEN ${condition} THEN ${quoteLiteral(`"${name}" ${reason}`)}`,
    )
  })
  return cases.length === 0 ? 'CAST(NULL AS VARCHAR)' : `CASE ${cases.join(' ')} END`
}

function misfitsIn(texts: string, type: string): Unheld {
  return {
    condition: `${quoteName(texts)} IS NOT NULL`,
    reason: `has a value that does not fit into ${type}, as which it would be sent`,
  }
}

function knownQuery(path: string | undefined, overlay: Overlay | undefined): string {
  const from =
    path === undefined
      ? "(SELECT '' AS key_hash, '' AS row_hash, '' AS row_key WHERE false)"
      : `read_parquet(${quoteLiteral(path)})`
  const known = `SELECT CAST(key_hash AS UUID) AS key_hash, CAST(row_hash AS UUID) AS row_hash, CAST(row_key AS VARCHAR) AS row_key FROM ${from}`
  if (path === undefined || overlay === undefined) return known
  const kept = `SELECT * FROM (${known}) WHERE key_hash NOT IN (${overlay.forgotten})`
  if (overlay.rows === undefined) return kept
  return `${kept} UNION ALL SELECT key_hash, row_hash, row_key FROM (${overlay.rows})`
}

function changesQuery({ mode }: SentBy): string {
  // In this mode every row is one that is there, whether svc has sent it before or not.
  const unknown = mode === 'update' ? "'u'" : "'i'"
  return `SELECT * FROM (
      SELECT CASE WHEN is_empty OR same > 1 OR unheld IS NOT NULL THEN '!' WHEN known.key_hash IS NULL OR known.row_hash IN ${mayBeAbsent} THEN ${unknown}
          WHEN known.row_hash <> now.row_hash THEN 'u' ELSE '=' END AS operation,
        n, now.key_hash, now.row_hash, CAST(NULL AS VARCHAR) AS row_key,
        CASE WHEN unheld IS NOT NULL THEN unheld WHEN is_empty THEN 'its key is NULL' ELSE same || ' rows have this key' END AS reason
      FROM svc_now AS now LEFT JOIN svc_known AS known USING (key_hash) LEFT JOIN svc_same USING (key_hash)
    ) WHERE operation <> '='
    UNION ALL
    SELECT 'd', NULL, key_hash, row_hash, row_key, NULL
    FROM svc_known WHERE NOT EXISTS (SELECT 1 FROM svc_now WHERE svc_now.key_hash = svc_known.key_hash)`
}

async function invalidRows(request: DifferenceRequest): Promise<Difference['invalid']> {
  const { local, fields, rowsPath } = request
  const shown = fields.map(field => (field.misfits === undefined ? field : { ...field, type: 'VARCHAR' }))
  const texts = fields.flatMap(({ inFile, misfits }) => {
    const value = quoteName(inFile)
    return misfits === undefined
      ? []
      : [`coalesce(${quoteName(misfits)}, CAST(${value} AS VARCHAR)) AS ${value}`]
  })
  const given = texts.length === 0 ? '*' : `* REPLACE (${texts.join(', ')})`
  const keyed = { ...request, fields: shown }
  const rows = await local.rows(
    `SELECT ${keySql(keyed)} AS row_key, reason, ${jsonObject(shown)} AS raw
     FROM (SELECT ${given} FROM ${numbered(rowsPath)}) JOIN (SELECT n, reason FROM svc_changes WHERE operation = '!' ORDER BY n LIMIT ${mostInvalid}) USING (n)
     ORDER BY 1, 3`,
  )
  return rows.map(({ row_key, reason, raw }) => ({
    key: String(row_key),
    reason: String(reason),
    raw: String(raw),
  }))
}

/** Returns the first rows of each operation, as JSON objects. */
export async function sampleRows(
  { local, fields, rowsPath, target }: Pick<DifferenceRequest, 'local' | 'fields' | 'rowsPath' | 'target'>,
  most: number,
) {
  const rows = await local.rows(
    `SELECT operation, coalesce(raw, row_key) AS raw FROM (
       SELECT operation, n, row_key, row_number() OVER (PARTITION BY operation ORDER BY n, key_hash) AS nth
       FROM svc_changes WHERE operation IN ${sentIn(target)})
     LEFT JOIN (SELECT n, ${jsonObject(fields)} AS raw FROM ${numbered(rowsPath)}) USING (n)
     WHERE nth <= ${most} ORDER BY operation = 'd', operation, nth`,
  )
  return rows.map(({ operation, raw }) => ({ operation: String(operation), raw: String(raw) }))
}

const unkept = /^(U?HUGEINT|BIT|BIGNUM|VARINT|TIME WITH TIME ZONE|TIMESTAMP_NS|ENUM|INTERVAL|UUID)/
const unkeptInside =
  /"(?:[^"]|"")*"|\b(?:U?HUGEINT|BIT|BIGNUM|VARINT|TIME WITH TIME ZONE|TIMESTAMP_NS|TIME_NS|INTERVAL|UUID)\b/g

/** Returns SQL that reads a column of production so that a Parquet file keeps every digit of it. */
export function exportedColumn(sql: string, type: string): { readonly sql: string; readonly type: string } {
  // A value of several types says which one it is of.
  if (/\bUNION\(/.test(type)) return { sql: `CAST(${documentText(sql, type)} AS JSON)`, type: 'JSON' }
  if (isNested(type)) {
    const inFile = type.replace(unkeptInside, found => (found.startsWith('"') ? found : 'VARCHAR'))
    return inFile === type ? { sql, type } : { sql: `CAST(${sql} AS ${inFile})`, type: inFile }
  }
  return unkept.test(type) ? { sql: `CAST(${sql} AS VARCHAR)`, type: 'VARCHAR' } : { sql, type }
}
