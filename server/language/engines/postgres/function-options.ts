/** PostgreSQL functions with an argument that is an option and is validated only at run time. */
import type { FunctionOption } from '../engine.ts'

const time = "TIMESTAMP '2000-01-01 00:00:00'"

const datePart: FunctionOption = {
  argument: 0,
  kind: 'date part',
  sample: (name, option) => `${name}(${option}, ${time})`,
  good: 'day',
}

const timeZone: FunctionOption = { ...datePart, kind: 'time zone', good: 'UTC' }

const searched: FunctionOption = {
  argument: 1,
  kind: 'regular expression',
  sample: (name, option) => `${name}('', ${option})`,
  good: 'a',
}

const replaced: FunctionOption = { ...searched, sample: (name, option) => `${name}('', ${option}, '')` }

/** A set cannot be evaluated beside other checks: its pattern is that of a function which returns a value. */
const manyFound: FunctionOption = { ...searched, sample: (_, option) => `regexp_match('', ${option})` }

export const functionOptions: ReadonlyMap<string, FunctionOption> = new Map([
  ['date_part', datePart],
  ['date_trunc', datePart],
  ['regexp_match', searched],
  ['regexp_matches', manyFound],
  ['regexp_replace', replaced],
  ['regexp_split_to_array', searched],
  ['regexp_split_to_table', manyFound],
  ['timezone', timeZone],
])
