/**
 * Checks that the declared primary key is one: a record that comes twice (pages of a web service move while
 * they are read) is loaded once, and two different records with one key are an error of the load.
 */
import type { LocalReader } from '@svc/server/catalog'
import { internalName, type RawColumn } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { recordName } from './record-names.ts'
import { isTold, type PersonalInSource } from './source.ts'
import { plainRecords, primaryKeyOf, recordValue, type TableSqlOptions } from './table-sql.ts'

const repeatedName = internalName('repeated')
const contentName = internalName('content')
const recordsName = internalName('records')
const differentName = internalName('different')
const keyName = (index: number) => internalName(`k${index}`)

export interface PrimaryKeyCheck extends Omit<TableSqlOptions, 'loadId' | 'loadedAt' | 'isDistinct'> {
  readonly local: LocalReader
  readonly personal: PersonalInSource
  /** The number of repeated keys, if it is known. */
  readonly repeated?: number | undefined
}

/**
 * Returns the number of records that repeat an earlier one. Throws `duplicate-key` if records with the same
 * key are different.
 */
export async function repeatedRecords(check: PrimaryKeyCheck): Promise<number> {
  const keys = primaryKeyOf(check)
  if (keys.length === 0) return 0
  const repeated = check.repeated ?? (await countRepeated(keys, check))
  if (repeated > 0) await refuseDifferent(keys, check)
  return repeated
}

async function countRepeated(keys: readonly RawColumn[], check: PrimaryKeyCheck): Promise<number> {
  const [counted] = await check.local.rows(
    `SELECT ${repeatedKeys(keys, check)} AS ${repeatedName} FROM ${plainRecords(keys, check)} AS ${recordName}`,
  )
  return Number(counted?.[repeatedName] ?? 0)
}

/** Returns SQL of the number of records that have the key of another one. */
export function repeatedKeys(
  keys: readonly RawColumn[],
  options: Pick<TableSqlOptions, 'source' | 'isLenient'>,
): string {
  return `count(*) - count(DISTINCT row(${keys.map(column => recordValue(column, options)).join(', ')}))`
}

async function refuseDifferent(keys: readonly RawColumn[], check: PrimaryKeyCheck): Promise<void> {
  const { tables, local } = check
  const loaded = tables.flatMap(({ columns }) => columns.filter(({ system }) => !system))
  const values = keys.map((column, index) => `${recordValue(column, check)} AS ${keyName(index)}`)
  const names = keys.map((_, index) => keyName(index))
  const records = `SELECT ${values.join(', ')}, md5(CAST(${recordName} AS VARCHAR)) AS ${contentName} FROM ${plainRecords(loaded, check)} AS ${recordName}`
  const list = names.join(', ')
  const [found] = await local.rows(
    `WITH ${differentName} AS (SELECT ${list} FROM (${records}) AS ${recordsName} GROUP BY ${list} HAVING count(DISTINCT ${contentName}) > 1)
     SELECT (SELECT count(*) FROM ${differentName}) AS ${differentName}, ${names.map(name => `CAST(${name} AS VARCHAR) AS ${name}`).join(', ')}
     FROM ${differentName} ORDER BY ${list} LIMIT 1`,
  )
  const different = Number(found?.[differentName] ?? 0)
  if (different === 0) return
  const example = keys.some(column => !isTold(check, column))
    ? ''
    : `, first ${keys.map(({ name }, index) => `${name} = ${found?.[keyName(index)] ?? 'NULL'}`).join(', ')}`
  throw new SvcError(
    'duplicate-key',
    `the primary key "${keys.map(({ name }) => name).join(', ')}" comes with different records ${different === 1 ? 'once' : `for ${different} keys`}${example}`,
    {
      hint: 'Name all columns that identify a record in ingest.primary_key; if the source changed while it was fetched, run again.',
    },
  )
}
