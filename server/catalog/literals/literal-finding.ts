/** Makes the finding for a literal that does not fit its type or option. */
import { nearestNames } from '../../language/text/nearest-names.ts'
import type { Range } from '../../language/text/range.ts'
import type { BindError } from '../bind-error.ts'
import type { Finding } from '../diagnose/finding.ts'
import { nearestLiterals } from './nearest-literal.ts'
import type { Check } from './spots.ts'

const maxShown = 40

/** Returns the finding. `written` is the literal as it is written in the SQL. */
export function literalFinding(
  written: string,
  check: Pick<Check, 'as' | 'kind'>,
  error: BindError,
  range: Range,
): Finding {
  const text = /^'(?:[^']|'')*'$/s.test(written) ? written.slice(1, -1).replaceAll("''", "'") : written
  return valueFinding(text, check, error, range)
}

export function valueFinding(
  text: string,
  check: Pick<Check, 'as' | 'kind'>,
  { message }: BindError,
  range: Range,
): Finding {
  if (check.kind === 'date part') return datePartFinding(text, range)
  if (check.kind === 'time zone') return timeZoneFinding(text, message, range)
  const code = 'sql-bad-literal'
  if (check.kind === 'regular expression')
    return { code, message: `${shown(text)} is no regular expression: ${firstLine(message)}`, range }
  const suggestions = nearestLiterals(text, check.as)
  return {
    code,
    message: `${shown(text)} is no ${check.as}`,
    hint: howToWrite(check.as, text),
    suggestions,
    range,
  }
}

export function datePartFinding(text: string, range: Range): Finding {
  const suggestions = nearestNames(text, dateParts)
  const few = 'such as "year", "month", "week", "day" or "hour"'
  const hint = suggestions[0] === undefined ? `It takes parts ${few}.` : `did you mean "${suggestions[0]}"?`
  return { code: 'sql-bad-literal', message: `"${text}" is no part of a date`, hint, suggestions, range }
}

function timeZoneFinding(text: string, message: string, range: Range): Finding {
  const [, list = ''] = message.split('Candidate time zones:')
  const offered = [...list.matchAll(/"([^"]+)"/g)].map(match => match[1] ?? '')
  const suggestions = nearestNames(text, offered)
  const hint =
    suggestions[0] === undefined
      ? 'Time zones are written like "Europe/Berlin" or "UTC".'
      : `did you mean "${suggestions[0]}"?`
  return { code: 'sql-bad-literal', message: `"${text}" is no time zone`, hint, suggestions, range }
}

const dateParts =
  `century day dayofweek dayofyear decade doy dow epoch era hour isodow isoyear julian microseconds
  millennium milliseconds minute month quarter second timezone week weekday year yearweek`.split(/\s+/)

function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return `"${line.length > maxShown ? `${line.slice(0, maxShown)}…` : line}"`
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? ''
}

/** Texts that stand for the present day in other databases, with DuckDB's expressions for them. */
const present: Readonly<Record<string, string>> = {
  now: 'now()',
  today: 'current_date',
  tomorrow: 'current_date + 1',
  yesterday: 'current_date - 1',
}

const examples: readonly (readonly [RegExp, string])[] = [
  [/^INTERVAL$/, "An INTERVAL is written like '1 day' or '90 minutes'."],
  [/^DATE$/, "A DATE is written like '2024-12-31'."],
  [/^TIMESTAMP/, "A TIMESTAMP is written like '2024-12-31 23:59:59'."],
  [/^TIME/, "A TIME is written like '23:59:59'."],
  [/^BOOLEAN$/, 'A BOOLEAN is true or false.'],
  [/^UUID$/, "A UUID is written like '550e8400-e29b-41d4-a716-446655440000'."],
  [/^JSON$/, 'a text in JSON needs its double quotes: \'"text"\'.'],
  [/^TINYINT$/, 'A TINYINT is a whole number from -128 to 127.'],
  [/^SMALLINT$/, 'A SMALLINT is a whole number from -32768 to 32767.'],
  [/^INTEGER$/, 'An INTEGER is a whole number from -2147483648 to 2147483647.'],
  [/^U[A-Z]*INT(EGER)?$/, 'it is a whole number without sign.'],
  [/\[\d*\]$/, 'A list is written like [1, 2], without quotes.'],
]

function howToWrite(type: string, text: string): string | undefined {
  const word = /^(DATE|TIMESTAMP)/.test(type) ? present[text.trim().toLowerCase()] : undefined
  if (word !== undefined) return `Write ${word}, without quotes.`
  return examples.find(([pattern]) => pattern.test(type))?.[1]
}
