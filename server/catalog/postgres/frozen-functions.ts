/**
 * Replaces PostgreSQL's functions of time and chance in unit tests, so that results are deterministic: functions in a
 * schema that is looked in before its own.
 */

import { plainName } from '../../language/engines/postgres/names.ts'
import { postgresTokens } from '../../language/engines/postgres/tokens.ts'
import { valueWords } from '../../language/engines/postgres/value-words.ts'
import { timeProblem } from '../unit/unit-failure.ts'

const schema = '"svc frozen"'
const now = `${schema}.now()`
const id = `'00000000-0000-0000-0000-000000000000'::uuid`
const zoned = 'timestamp with time zone'
const local = 'timestamp without time zone'

interface Frozen {
  readonly takes?: string
  readonly returns: string
  readonly is: string
}

const moment: Frozen = { returns: zoned, is: now }
const uuid: Frozen = { returns: 'uuid', is: id }
const between = (type: string): Frozen => ({ takes: `${type}, ${type}`, returns: type, is: '$1' })

/** By name; those of the parser's words have their forms with a number of digits too. */
const frozen: Readonly<Record<string, readonly Frozen[]>> = {
  transaction_timestamp: [moment],
  statement_timestamp: [moment],
  clock_timestamp: [moment],
  timeofday: [{ returns: 'text', is: `to_char(${now}, 'Dy Mon DD HH24:MI:SS.US YYYY TZ')` }],
  current_date: [{ returns: 'date', is: `${now}::date` }],
  current_timestamp: withDigits(zoned, 'timestamptz'),
  localtimestamp: withDigits(local, 'timestamp'),
  current_time: withDigits('time with time zone', 'timetz'),
  localtime: withDigits('time without time zone', 'time'),
  age: [
    { takes: zoned, returns: 'interval', is: `pg_catalog.age(${now}::date::timestamptz, $1)` },
    { takes: local, returns: 'interval', is: `pg_catalog.age(${now}::date::timestamp, $1)` },
  ],
  random: [
    { returns: 'double precision', is: '0.5::float8' },
    ...['integer', 'bigint', 'numeric'].map(between),
  ],
  random_normal: [
    {
      takes: 'mean double precision = 0, stddev double precision = 1',
      returns: 'double precision',
      is: '$1',
    },
  ],
  array_shuffle: [{ takes: 'anyarray', returns: 'anyarray', is: '$1' }],
  array_sample: [
    {
      takes: 'anyarray, integer',
      returns: 'anyarray',
      is: '(pg_catalog.trim_array($1, greatest(cardinality($1) - $2, 0)))',
    },
  ],
  gen_random_uuid: [uuid],
  uuidv4: [uuid],
  uuidv7: [uuid, { ...uuid, takes: 'interval' }],
}

function withDigits(returns: string, cast: string): readonly Frozen[] {
  const all = { returns, is: `${now}::${cast}` }
  const digits = Array.from({ length: 7 }, (_, count) => `WHEN ${count} THEN ${all.is}::${cast}(${count})`)
  return [all, { takes: 'integer', returns, is: `CASE least($1, 6) ${digits.join(' ')} END` }]
}

export const frozenFunctions: readonly string[] = ['now', ...Object.keys(frozen)]

/** Makes the functions. A function of SQL is written into the query that calls it. */
export const makeFrozenFunctions: readonly string[] = [
  `CREATE SCHEMA ${schema}`,
  `CREATE FUNCTION ${now} RETURNS ${zoned} LANGUAGE plpgsql STABLE AS $$
    BEGIN
      IF coalesce(current_setting('svc.now', true), '') = '' THEN RAISE EXCEPTION '${timeProblem}'; END IF;
      RETURN current_setting('svc.now')::timestamptz;
    END $$`,
  ...Object.entries(frozen).flatMap(([name, forms]) =>
    forms.map(
      ({ takes = '', returns, is }) =>
        `CREATE FUNCTION ${schema}."${name}"(${takes}) RETURNS ${returns} LANGUAGE sql STABLE AS $$ SELECT ${is} $$`,
    ),
  ),
  `SET search_path = ${schema}, pg_catalog, public`,
]

export interface FrozenSql {
  readonly sql: string
  /** Returns where a byte of the text was before. */
  original(position: number): number
}

/** Returns the SQL with calls where the parser has words of its own for the time. */
export function withFrozenWords(sql: string): FrozenSql {
  let written = ''
  let end = 0
  const calls: Written[] = []
  const tokens = postgresTokens(sql)
  for (const [index, token] of tokens.entries()) {
    const name = token.kind === 'word' ? plainName(sql.slice(token.start, token.end)) : ''
    if (!valueWords.has(name) || !Object.hasOwn(frozen, name) || isName(sql, tokens[index - 1])) continue
    const next = tokens[index + 1]
    const brackets = next !== undefined && sql[next.start] === '(' ? '' : '()'
    const call = `${schema}."${name}"${brackets}`
    written += sql.slice(end, token.start)
    const start = Buffer.byteLength(written)
    written += call
    calls.push({ start, end: start + call.length, longer: call.length - (token.end - token.start) })
    end = token.end
  }
  return { sql: written + sql.slice(end), original: position => position - longerBefore(calls, position) }
}

/** Behind a dot and behind AS a word is a name. */
function isName(sql: string, before: { readonly start: number; readonly end: number } | undefined): boolean {
  return before !== undefined && /^(\.|as)$/i.test(sql.slice(before.start, before.end))
}

/** A call that was written for a word, in bytes. */
interface Written {
  readonly start: number
  readonly end: number
  readonly longer: number
}

/** A place within a call is that of its word. */
function longerBefore(calls: readonly Written[], position: number): number {
  return calls.reduce((sum, { start, end, longer }) => {
    if (position >= end) return sum + longer
    return sum + Math.max(0, position - start)
  }, 0)
}
