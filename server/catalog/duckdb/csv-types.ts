/**
 * Determines the types of CSV columns from every value, for the check of a file and for its load alike. It
 * begins with DuckDB's guess from the first lines.
 */
import type { FileOptions, SourceType } from '../../language/index.ts'
import { type CsvGroup, csvFrom } from './csv-from.ts'
import type { LocalReader } from './local-reader.ts'
import { quoteLiteral, quoteName } from './quoting.ts'
import {
  type Candidate,
  countMisfits,
  type FoundType,
  foundTypes,
  isTolerable,
  type Ladder,
  type Ladders,
  laddersFor,
  scalarOf,
  type TextsFrom,
} from './type-rungs.ts'

export interface CsvTypes {
  readonly type: SourceType
  readonly rows: number
}

/** So many records show which types a text column may have. */
const sampled = 1000

/** `hasHeaders`: whether some records repeat the header, as in files that were joined from several. */
export async function csvTypes(
  local: LocalReader,
  groups: readonly CsvGroup[],
  options: FileOptions,
  hasHeaders = false,
): Promise<CsvTypes> {
  const parts = groups.map(group => ({ from: csvFrom([group], new Map()), names: new Set(group.columns) }))
  const ladders = laddersFor(options)
  const guesses = new Map<string, string | undefined>()
  for (const { columns, guesses: own } of groups) {
    // Of files that seem to differ the first one with values has the word, and all records decide.
    columns.forEach((name, index) => {
      if (guesses.get(name) === undefined || guesses.get(name) === 'VARCHAR') guesses.set(name, own[index])
    })
  }
  // Most guesses are right, so the guess is tested alone first, and the other types only if it was wrong.
  const first = [...guesses].flatMap(([name, guess]) => {
    const rungs = rungsOf(guess, ladders)
    return rungs.length === 0 ? [] : [candidate(name, rungs)]
  })
  const { types, rows } = await foundTypes(local, parts, first, { hasHeaders })
  const wrong = [...guesses.keys()].filter(name => types.get(name)?.loose !== false)
  const second = await lookAgain({ local, parts, options, hasHeaders }, wrong)
  const fields = [...guesses.keys()].map(name => {
    return { name, type: scalarOf(second.get(name) ?? types.get(name) ?? { type: 'VARCHAR', loose: false }) }
  })
  return { type: { kind: 'struct', fields }, rows }
}

function candidate(name: string, rungs: Ladder): Candidate {
  return { name, value: quoteName(name), rungs }
}

/**
 * Returns the types to test for a guess. DuckDB may have guessed DOUBLE for integers that are too long for it. Whether a number
 * needs a decimal is asked only of columns that no DOUBLE holds.
 */
function rungsOf(guess: string | undefined, { booleans, numbers, times, clocks }: Ladders): Ladder {
  if (guess === 'VARCHAR') return []
  const all =
    [booleans, numbers, times, clocks].find(ladder => ladder.some(({ type }) => type === guess)) ?? []
  return guess === 'DOUBLE'
    ? all.filter(({ type, rounds }) => type !== 'DECIMAL' && type !== 'VARCHAR' && rounds !== true)
    : all.filter(({ type }) => type === guess)
}

/**
 * Tests the columns that no guess fits: the first records show for which types that is worth while, all
 * records decide.
 */
async function lookAgain(look: Again, names: readonly string[]): Promise<ReadonlyMap<string, FoundType>> {
  if (names.length === 0) return new Map()
  const { local, parts, options, hasHeaders } = look
  const sample = parts.map(({ from, names }) => ({ from: `(SELECT * FROM ${from} LIMIT ${sampled})`, names }))
  const kinds = await possibleKinds({ ...look, parts: sample }, names)
  const ladders = laddersFor(options)
  const found = new Map<string, Ladder>()
  for (const kind of kindsInOrder) {
    const possible = names.filter(name => kinds.get(name)?.has(kind))
    if (possible.length === 0) continue
    const candidates = possible.map(name => candidate(name, ladders[kind]))
    const { types } = await foundTypes(local, sample, candidates, { hasHeaders })
    for (const name of types.keys()) found.set(name, ladders[kind])
  }
  const worth = [...found].map(([name, rungs]) => candidate(name, rungs))
  return worth.length === 0 ? new Map() : (await foundTypes(local, parts, worth, { hasHeaders })).types
}

interface Again {
  readonly local: LocalReader
  readonly parts: Exclude<TextsFrom, string>
  readonly options: FileOptions
  readonly hasHeaders: boolean
}

/** A later kind wins over an earlier one that fits too. */
const kindsInOrder = ['booleans', 'numbers', 'times', 'clocks'] as const

/**
 * Returns the kinds of type that the first characters of a column's texts leave possible. Most texts begin as no other type
 * does, and need none of the tests, which take most of the time of a small file.
 */
async function possibleKinds(
  { local, parts, options, hasHeaders }: Again,
  names: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const beginnings = beginningsOf(options)
  const candidates = names.map(name => candidate(name, beginnings))
  const { columns } = await countMisfits(local, parts, candidates, { hasHeaders })
  return new Map(
    columns.map(({ candidate: { name }, values, headers, rungs }) => {
      const possible = rungs.filter(({ misfits }) => isTolerable(misfits - headers, values))
      return [name, new Set(possible.map(({ rung }) => rung.type))]
    }),
  )
}

/** For each kind of type, whether a text begins as its texts do. A format of the user may begin with anything. */
function beginningsOf({ decimalSeparator = '.', dateFormat, timestampFormat }: FileOptions): Ladder {
  const beginsWith = (characters: string) => (value: string) =>
    `contains(${quoteLiteral(characters)}, ${value}[1])`
  const digits = '0123456789'
  const isNumeral = beginsWith(`${digits}-.${decimalSeparator}`)
  const hasFormat = dateFormat !== undefined || timestampFormat !== undefined
  const fits: Readonly<Record<keyof Ladders, (value: string) => string>> = {
    // Many names begin with the letters of these words, so more of the text is looked at.
    booleans: value => `lower(${value}) IN ('true', 'false', 't', 'f')`,
    numbers: value => `(${isNumeral(value)} OR lower(${value}[1:3]) IN ('inf', 'nan'))`,
    times: hasFormat ? () => 'true' : beginsWith(digits),
    clocks: beginsWith(digits),
  }
  return kindsInOrder.map(kind => ({ type: kind, fits: fits[kind], changes: () => 'false' }))
}
