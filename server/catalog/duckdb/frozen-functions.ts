/** Replaces DuckDB's functions of time and chance in unit tests, so that results are deterministic. */
import { internalName } from '../../language/internal-names.ts'
import { timeProblem } from '../unit/unit-failure.ts'

/** The variable with the time of a test. */
export const nowName = internalName('now')
const [a, b] = [internalName('a'), internalName('b')]
const now = `coalesce(getvariable('${nowName}')::TIMESTAMPTZ, error('${timeProblem}'))`
const id = "'00000000-0000-0000-0000-000000000000'::UUID"

/** Functions in the default schema take precedence over DuckDB's own functions of the same name. */
export const frozen: Readonly<Record<string, string>> = {
  now: `() AS ${now}`,
  ago: `(${a}) AS ${now} - ${a}::INTERVAL`,
  get_current_timestamp: `() AS ${now}`,
  transaction_timestamp: `() AS ${now}`,
  current_date: `() AS ${now}::DATE`,
  today: `() AS ${now}::DATE`,
  get_current_time: `() AS ${now}::TIMESTAMP::TIME::TIMETZ`,
  current_localtime: `() AS ${now}::TIMESTAMP::TIME`,
  current_localtimestamp: `() AS ${now}::TIMESTAMP`,
  age: `(${a}) AS system.main.age(${now}::DATE::TIMESTAMP, ${a}::TIMESTAMP), (${a}, ${b}) AS system.main.age(${a}, ${b})`,
  random: '() AS 0.5::DOUBLE',
  uuid: `() AS ${id}`,
  uuidv4: `() AS ${id}`,
  uuidv7: `() AS ${id}`,
  gen_random_uuid: `() AS ${id}`,
}

/** The names of the replaced functions; a test compares them with those that make an asset volatile. */
export const frozenFunctions: readonly string[] = Object.keys(frozen)
