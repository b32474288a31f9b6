/**
 * Checks literals that are options: parts of dates, time zones, regular expressions. Engines check those of
 * some functions only at run time, so they are asked with sample arguments.
 */
import type { Engine } from '../../language/index.ts'
import type { Call } from '../../language/sql/tree.ts'
import type { Check } from './spots.ts'
import { nameOf } from './text-functions.ts'

export function optionCheck(call: Call, literal: object, text: string, engine: Engine): Check | undefined {
  const name = nameOf(call)
  const option = engine.functions.options.get(name)
  if (option === undefined || call.arguments[option.argument]?.value !== literal) return undefined
  return {
    sql: option.sample(name, engine.literal(text)),
    as: name,
    kind: option.kind,
    control: option.sample(name, engine.literal(option.good)),
  }
}

/** Returns the check for `x AT TIME ZONE 'zone'`. */
export function timeZoneCheck(zone: string): Check {
  const sql = (name: string) => `TIMESTAMP '2000-01-01 00:00:00' AT TIME ZONE ${name}`
  return { sql: sql(zone), as: 'timezone', kind: 'time zone', control: sql("'UTC'") }
}

/** Returns whether the literal is a regular expression: the second argument of certain functions. */
export function isPattern(call: Call | undefined, literal: object): boolean {
  return call !== undefined && nameOf(call).startsWith('regexp_') && call.arguments[1]?.value === literal
}
