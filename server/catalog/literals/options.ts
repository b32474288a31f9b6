/**
 * Literals that are no values but options: parts of dates, time zones, regular expressions. DuckDB looks at those of
 * some functions only when rows come; here it is asked with sample arguments before.
 */
import type { Engine } from '../../language/index.ts'
import type { Call } from '../../language/sql/tree.ts'
import type { Check } from './spots.ts'
import { nameOf } from './text-functions.ts'

interface OptionRule {
  readonly names: readonly string[]
  readonly argument: number
  readonly kind: Check['kind']
  readonly call: (name: string, option: string) => string
  /** An option that every version takes. */
  readonly good: string
}

const time = "TIMESTAMP '2000-01-01 00:00:00'"

const rules: readonly OptionRule[] = [
  {
    names: ['date_diff', 'datediff', 'date_sub', 'datesub'],
    argument: 0,
    kind: 'date part',
    call: (name, option) => `${name}(${option}, ${time}, ${time})`,
    good: 'day',
  },
  {
    names: ['regexp_replace'],
    argument: 1,
    kind: 'regular expression',
    call: (name, option) => `${name}('', ${option}, '')`,
    good: 'a',
  },
  {
    names: ['regexp_extract', 'regexp_extract_all', 'regexp_split_to_array', 'string_split_regex'],
    argument: 1,
    kind: 'regular expression',
    call: (name, option) => `${name}('', ${option})`,
    good: 'a',
  },
  {
    names: ['timezone'],
    argument: 0,
    kind: 'time zone',
    call: (name, option) => `${name}(${option}, ${time})`,
    good: 'UTC',
  },
]

export function optionCheck(call: Call, literal: object, text: string, engine: Engine): Check | undefined {
  const name = nameOf(call)
  const rule = rules.find(each => each.names.includes(name))
  if (rule === undefined || call.arguments[rule.argument]?.value !== literal) return undefined
  return {
    sql: rule.call(name, engine.literal(text)),
    as: name,
    kind: rule.kind,
    control: rule.call(name, engine.literal(rule.good)),
  }
}

/** `x AT TIME ZONE 'zone'`. */
export function timeZoneCheck(zone: string): Check {
  const sql = (name: string) => `timezone(${name}, ${time})`
  return { sql: sql(zone), as: 'timezone', kind: 'time zone', control: sql("'UTC'") }
}

/** The second argument of these is a regular expression. */
export function isPattern(call: Call | undefined, literal: object): boolean {
  return call !== undefined && nameOf(call).startsWith('regexp_') && call.arguments[1]?.value === literal
}
