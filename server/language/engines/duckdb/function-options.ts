/** DuckDB functions with an argument that is an option and is validated only at run time. */
import type { FunctionOption } from '../engine.ts'

const time = "TIMESTAMP '2000-01-01 00:00:00'"

const datePart: FunctionOption = {
  argument: 0,
  kind: 'date part',
  sample: (name, option) => `${name}(${option}, ${time}, ${time})`,
  good: 'day',
}

const replaced: FunctionOption = {
  argument: 1,
  kind: 'regular expression',
  sample: (name, option) => `${name}('', ${option}, '')`,
  good: 'a',
}

const searched: FunctionOption = { ...replaced, sample: (name, option) => `${name}('', ${option})` }

const timeZone: FunctionOption = {
  argument: 0,
  kind: 'time zone',
  sample: (name, option) => `${name}(${option}, ${time})`,
  good: 'UTC',
}

export const functionOptions: ReadonlyMap<string, FunctionOption> = new Map([
  ['date_diff', datePart],
  ['datediff', datePart],
  ['date_sub', datePart],
  ['datesub', datePart],
  ['regexp_replace', replaced],
  ['regexp_extract', searched],
  ['regexp_extract_all', searched],
  ['regexp_split_to_array', searched],
  ['string_split_regex', searched],
  ['timezone', timeZone],
])
