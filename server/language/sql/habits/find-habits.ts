/** Finds habits of other databases (`engines/habits`) in the tokens of a text, also of one that cannot be parsed. */
import type { Engine } from '../../engines/engine.ts'
import type { CallRules, Find, Habit, Meaning } from '../../engines/habits/habit.ts'
import { habits } from '../../engines/habits/index.ts'
import type { SqlToken } from '../../engines/sql-token.ts'
import { once } from '../../once.ts'
import type { Range } from '../../text/range.ts'

/** A text that is written, or a range of the text that stays. */
export type Part = string | Range

export interface FoundHabit {
  readonly habit: Habit
  readonly meaning: Meaning
  /** What is reported. */
  readonly at: Range
  /** All that it is about. */
  readonly whole: Range
  /** What stands in the place of `whole`; undefined if nobody can say. */
  readonly parts: readonly Part[] | undefined
  /** It may be valid here: it is a mistake only if the text is right without it. */
  readonly mayBeValid: boolean
  /** It is a call of a function that the engine has, in another form. */
  readonly isKnown: boolean
}

/** What is known of the names of the text. */
export interface HabitNames {
  /** The functions of the engine. */
  readonly functions: ReadonlySet<string>
  /** Where columns stand that nothing has. */
  readonly unknownColumns: ReadonlySet<number>
}

type Of<Kind extends Find['kind']> = Habit & { readonly find: Extract<Find, { kind: Kind }> }

interface Pattern {
  readonly before: readonly string[]
  readonly body: readonly string[]
  readonly after: readonly string[]
}

/** The habits by the words that they are found by. */
const index = once(() => {
  const [calls, types, columns] = [
    new Map<string, Habit[]>(),
    new Map<string, Habit[]>(),
    new Map<string, Habit[]>(),
  ]
  const patterns = new Map<string, (readonly [Of<'tokens'>, Pattern])[]>()
  const quotes: Of<'quotes'>[] = []
  for (const habit of habits) {
    const { find } = habit
    if (find.kind === 'call') for (const name of find.names) add(calls, name, habit)
    else if (find.kind === 'type') for (const name of find.names) add(types, name, habit)
    else if (find.kind === 'column') for (const name of find.names) add(columns, name, habit)
    else if (find.kind === 'quotes') quotes.push(habit as Of<'quotes'>)
    else if (find.kind === 'tokens') {
      const pattern = patternOf(find.pattern)
      add(patterns, pattern.body[0] ?? '', [habit as Of<'tokens'>, pattern] as const)
    }
  }
  return { calls, types, columns, patterns, quotes }
})

function add<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

function patternOf(text: string): Pattern {
  const [before = '', rest = ''] = text.split('^')
  // `||` of SQL has no space around the bar of a pattern.
  const [body = '', after = ''] = rest.split(' | ')
  return { before: wordsOf(before), body: wordsOf(body), after: wordsOf(after) }
}

function wordsOf(text: string): readonly string[] {
  return text.split(' ').filter(word => word !== '')
}

// ---------------------------------------------------------------- the text

interface Text {
  readonly text: string
  readonly engine: Engine
  readonly tokens: readonly SqlToken[]
  /** The words and signs in lower case. */
  readonly words: readonly string[]
  /** By the index of an opening bracket that of the closing one. */
  readonly closing: ReadonlyMap<number, number>
  readonly names: HabitNames
}

/** Returns the habits in the order of their places; of two that overlap one is within a part of the other that stays. */
export function findHabits(text: string, engine: Engine, names: HabitNames): readonly FoundHabit[] {
  const tokens = engine.tokens(text).filter(({ kind }) => kind !== 'comment')
  const words = tokens.map(({ start, end, kind }) =>
    kind === 'string' || kind === 'quoted' || kind === 'tag' ? '' : text.slice(start, end).toLowerCase(),
  )
  const read: Text = { text, engine, tokens, words, closing: bracketsIn(words), names }
  const found: FoundHabit[] = []
  for (let at = 0; at < tokens.length; at++) {
    const habit = habitAt(read, at)
    if (habit !== undefined) found.push(habit)
  }
  return apart(found)
}

function bracketsIn(words: readonly string[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>()
  const open: { readonly at: number; readonly close: string }[] = []
  for (const [at, word] of words.entries()) {
    if (word === '(') open.push({ at, close: ')' })
    else if (word === '[') open.push({ at, close: ']' })
    else if (word === ')' || word === ']') {
      const last = open.findLastIndex(({ close }) => close === word)
      if (last < 0) continue
      closing.set(open[last]?.at ?? 0, at)
      open.length = last
    }
  }
  return closing
}

/** Returns those that stand alone, or in what stays of the one around them. */
function apart(found: readonly FoundHabit[]): readonly FoundHabit[] {
  const sorted = found.toSorted((a, b) => a.whole.start - b.whole.start || b.whole.end - a.whole.end)
  const kept: FoundHabit[] = []
  for (const each of sorted) {
    const around = kept.filter(({ whole }) => each.whole.start < whole.end && whole.start < each.whole.end)
    const fits = around.every(
      ({ parts, whole }) =>
        parts?.some(part => typeof part !== 'string' && holds(part, each.whole)) ??
        (whole.start !== each.whole.start && holds(whole, each.whole)),
    )
    if (fits) kept.push(each)
  }
  return kept
}

function holds(outer: Range, inner: Range): boolean {
  return outer.start <= inner.start && inner.end <= outer.end
}

function habitAt(read: Text, at: number): FoundHabit | undefined {
  const { calls, types, columns, patterns, quotes } = index()
  const { words, tokens, names } = read
  const word = words[at] ?? ''
  if (word === '') return undefined
  const here = tokens[at]?.start ?? 0
  const ofCall = words[at + 1] === '(' && words[at - 1] !== '.' ? calls.get(word) : undefined
  return (
    firstOf(ofCall, habit => callAt(read, at, habit as Of<'call'>)) ??
    firstOf(types.get(word), habit => typeAt(read, at, habit)) ??
    firstOf(names.unknownColumns.has(here) ? columns.get(word) : undefined, habit =>
      made(read, habit, { at: rangeAt(read, at, at), values: [] }),
    ) ??
    firstOf(patterns.get(word), ([habit, pattern]) => patternAt(read, at, habit, pattern)) ??
    firstOf(
      quotes.filter(({ find }) => word.includes(find.open)),
      habit => quotedAt(read, at, habit),
    )
  )
}

function firstOf<T>(list: readonly T[] | undefined, find: (each: T) => FoundHabit | undefined) {
  for (const each of list ?? []) {
    const found = find(each)
    if (found !== undefined) return found
  }
  return undefined
}

function rangeAt({ tokens }: Text, first: number, last: number): Range {
  return { start: tokens[first]?.start ?? 0, end: tokens[last]?.end ?? 0 }
}

// ---------------------------------------------------------------- what is written

interface Values {
  readonly at: Range
  readonly whole?: Range
  /** What `$1`, `$2` … stand for. */
  readonly values: readonly Range[]
  readonly all?: Range | undefined
  readonly params?: Range | undefined
  readonly within?: Range | undefined
  /** What is said cannot be written, as a part is missing. */
  readonly isVague?: boolean
  readonly mayBeValid?: boolean
  readonly isKnown?: boolean
}

function made(
  read: Text,
  habit: Habit,
  { at, whole = at, mayBeValid = false, isKnown = false, ...values }: Values,
): FoundHabit | undefined {
  const meaning = habit.on[read.engine.kind]
  if (meaning === undefined) return undefined
  const { write } = meaning
  const parts = write === undefined || values.isVague ? undefined : partsOf(read, write, values)
  return { habit, meaning, at, whole, parts, mayBeValid, isKnown }
}

const place = /\$[*pw]|[$~]\d|[^$~]+|./gs

function partsOf(
  read: Text,
  write: string,
  { values, all, params, within }: Omit<Values, 'at'>,
): readonly Part[] {
  return (write.match(place) ?? []).flatMap((piece): readonly Part[] => {
    if (piece === '$*') return all === undefined ? [] : [all]
    if (piece === '$p') return params === undefined ? [] : [params]
    if (piece === '$w') return within === undefined ? [] : [within]
    const value = /^[$~]\d$/.test(piece) ? values[Number(piece[1]) - 1] : undefined
    if (value === undefined) return [piece]
    return piece[0] === '~' && !isTerm(read, value) ? ['(', value, ')'] : [value]
  })
}

/** Returns whether the value needs no brackets: one token, a name with dots, or a call. */
function isTerm({ tokens, closing }: Text, { start, end }: Range): boolean {
  const first = tokens.findIndex(token => token.start >= start)
  const last = tokens.findLastIndex(token => token.end <= end)
  if (first === last) return true
  const names = tokens.slice(first, last + 1)
  if (
    names.every(({ kind }, index) =>
      index % 2 === 0 ? kind === 'word' || kind === 'quoted' : kind === 'punctuation',
    )
  )
    return true
  if (closing.get(first) === last) return true
  return names[0]?.kind === 'word' && closing.get(first + 1) === last
}

// ---------------------------------------------------------------- calls

function callAt(read: Text, at: number, habit: Of<'call'>): FoundHabit | undefined {
  const { find } = habit
  const close = read.closing.get(at + 1)
  if (close === undefined) return undefined
  const values = argumentsIn(read, at + 1, close, find.splitAt)
  if (find.count !== undefined && values.length !== find.count) return undefined
  if (find.splitAt !== undefined && !read.words.slice(at, close).includes(find.splitAt)) return undefined
  if (find.isOfType === true && !isType(read, values[0])) return undefined
  const hasPart = find.part === undefined || isDatePart(read, values[find.part - 1])
  const isKnown = read.names.functions.has(read.engine.fold(read.words[at] ?? ''))
  if (isKnown && !countsAnyway(find, hasPart)) return undefined
  const within = find.within === true ? withinGroup(read, close) : undefined
  if (find.within === true && within === undefined) return undefined
  const last = within?.close ?? close
  return made(read, habit, {
    at: rangeAt(read, at, at),
    whole: rangeAt(read, at, last),
    values,
    all: close === at + 2 ? undefined : rangeAt(read, at + 2, close - 1),
    within: within?.inner,
    isVague: !hasPart || isOfWeeks(read, find, values),
    isKnown,
    mayBeValid: isKnown && !isUnknownPart(read, find, values),
  })
}

function countsAnyway(find: CallRules, hasPart: boolean): boolean {
  if (find.part !== undefined) return hasPart
  return Boolean(find.isOfType ?? find.splitAt ?? find.within ?? find.mayBeKnown)
}

function argumentsIn(read: Text, open: number, close: number, splitAt: string | undefined): readonly Range[] {
  if (close === open + 1) return []
  const values: Range[] = []
  let first = open + 1
  for (let at = first; at <= close; at++) {
    const word = read.words[at]
    if (at === close || word === ',' || word === splitAt) {
      if (at > first) values.push(rangeAt(read, first, at - 1))
      first = at + 1
    } else at = read.closing.get(at) ?? at
  }
  return values
}

function wordIn({ text }: Text, range: Range | undefined): string {
  return range === undefined ? '' : text.slice(range.start, range.end).toLowerCase()
}

function isDatePart(read: Text, range: Range | undefined): boolean {
  return read.engine.words.dateParts.includes(wordIn(read, range))
}

/** A part of a date in no quotes is a column to a function of this engine, and no table has it. */
function isUnknownPart({ names }: Text, { part }: CallRules, values: readonly Range[]): boolean {
  return part !== undefined && names.unknownColumns.has(values[part - 1]?.start ?? -1)
}

/** Weeks and their days begin elsewhere in other databases. */
function isOfWeeks(read: Text, { part }: CallRules, values: readonly Range[]): boolean {
  return part !== undefined && /week|dow/.test(wordIn(read, values[part - 1]))
}

function isType({ engine, text }: Text, range: Range | undefined): boolean {
  const name = /^\w+/.exec(text.slice(range?.start ?? 0, range?.end ?? 0))?.[0]?.toLowerCase() ?? ''
  return engine.types.names.has(name) || index().types.has(name)
}

function withinGroup(
  read: Text,
  close: number,
): { readonly inner: Range; readonly close: number } | undefined {
  const { words, closing } = read
  if (words[close + 1] !== 'within' || words[close + 2] !== 'group') return undefined
  const end = closing.get(close + 3)
  if (end === undefined || end === close + 4) return undefined
  return { inner: rangeAt(read, close + 4, end - 1), close: end }
}

// ---------------------------------------------------------------- types, tokens, quotes

const casts = /^(?:try_|safe_)?cast$/

function typeAt(read: Text, at: number, habit: Habit): FoundHabit | undefined {
  const { words, closing, engine } = read
  if (engine.types.names.has(words[at] ?? '')) return undefined
  if (words[at - 1] !== '::' && !(words[at - 1] === 'as' && isInCast(read, at))) return undefined
  const close = words[at + 1] === '(' ? closing.get(at + 1) : undefined
  return made(read, habit, {
    at: rangeAt(read, at, at),
    whole: rangeAt(read, at, close ?? at),
    values: [],
    params: close === undefined ? undefined : rangeAt(read, at + 1, close),
  })
}

function isInCast({ words, closing }: Text, at: number): boolean {
  for (let before = at; before > 0; before--)
    if (words[before] === '(' && (closing.get(before) ?? -1) > at) return casts.test(words[before - 1] ?? '')
  return false
}

function patternAt(read: Text, at: number, habit: Of<'tokens'>, { before, body, after }: Pattern) {
  const { find } = habit
  const behind = matched(read, at, body)
  if (behind === undefined) return undefined
  const isAround = matched(read, at - before.length, before) && matched(read, behind.next, after)
  if (!isAround) return undefined
  const range = rangeAt(read, at, behind.next - 1)
  const found = { at: range, values: behind.values, mayBeValid: find.mayBeValid === true }
  if (find.end === undefined) return made(read, habit, found)
  const last = lastOfQuery(read, behind.next)
  const meaning = habit.on[read.engine.kind]
  if (meaning === undefined) return undefined
  const rest = {
    start: read.tokens[behind.next]?.start ?? range.end,
    end: read.tokens[last ?? 0]?.end ?? range.end,
  }
  return {
    habit,
    meaning,
    at: range,
    whole: { start: range.start, end: rest.end },
    parts:
      last === undefined ? undefined : [rest, ` ${find.end.replace('$1', wordIn(read, behind.values[0]))}`],
    mayBeValid: false,
    isKnown: false,
  }
}

interface Matched {
  readonly next: number
  readonly values: readonly Range[]
}

function matched(read: Text, from: number, pattern: readonly string[]): Matched | undefined {
  const values: Range[] = []
  let at = from
  for (const [index, wanted] of pattern.entries()) {
    // A plus is a sign, too, where it does not bind two tokens.
    if (wanted === '+' && pattern[index + 1] === '<string>') {
      if (read.tokens[at - 1]?.end !== read.tokens[at]?.start) return undefined
      continue
    }
    const last = matchedOne(read, at, wanted)
    if (last === undefined) return undefined
    if (wanted.startsWith('<') && wanted.endsWith('>') && wanted.length > 3)
      values.push(rangeAt(read, at, last))
    at = last + 1
  }
  return { next: at, values }
}

const beginsQuery = /^(?:select|with|from|values|table|\()$/

/** Returns the index of the last token that matches. */
function matchedOne(read: Text, at: number, wanted: string): number | undefined {
  const token = read.tokens[at]
  const word = read.words[at] ?? ''
  if (token === undefined) return undefined
  if (wanted === '<group>' || (wanted === '<names>' && !beginsQuery.test(read.words[at + 1] ?? '')))
    return word === '(' ? read.closing.get(at) : undefined
  const isMatch =
    wanted === '<number>' || wanted === '<string>'
      ? token.kind === wanted.slice(1, -1)
      : wanted === '<part>'
        ? read.engine.words.dateParts.includes(word)
        : word === wanted
  return isMatch ? at : undefined
}

/** Returns the last token of the query that goes on at `at`; undefined where it has a limit already. */
function lastOfQuery({ words, closing, tokens }: Text, from: number): number | undefined {
  for (let at = from; at < tokens.length; at++) {
    const word = words[at] ?? ''
    if (word === 'limit' || word === 'fetch') return undefined
    if (word === ')' || word === ';') return at - 1
    if (/^(?:union|except|intersect|minus)$/.test(word)) return undefined
    at = closing.get(at) ?? at
  }
  return tokens.length - 1
}

const beforeName =
  /^(?:select|distinct|from|join|on|where|and|or|not|by|having|as|in|then|else|when|case|,|\.|\(|=|<|>|<>|!=|<=|>=|\+|-|\/)$/

function quotedAt(read: Text, at: number, habit: Of<'quotes'>): FoundHabit | undefined {
  const meaning = habit.on[read.engine.kind]
  if (meaning === undefined) return undefined
  const range = habit.find.open === '[' ? bracketedName(read, at) : backtickedName(read, at)
  if (range === undefined) return undefined
  const name = read.text.slice(range.start + 1, range.end - 1)
  const parts = [read.engine.quoteIfNeeded(name)]
  return { habit, meaning, at: range, whole: range, parts, mayBeValid: false, isKnown: false }
}

/** Where lists are written in brackets, only a place where no list can stand, or two words, tells a name. */
function bracketedName(read: Text, at: number): Range | undefined {
  const { words, closing, tokens, engine } = read
  const close = closing.get(at)
  const before = words[at - 1] ?? ''
  if (words[at] !== '[' || close === undefined || close === at + 1 || !beforeName.test(before))
    return undefined
  const inner = tokens.slice(at + 1, close)
  if (!inner.every(({ kind }) => kind === 'word')) return undefined
  const isSure = inner.length > 1 || before === '.' || before === 'from' || before === 'join'
  return isSure || !engine.types.hasStructs ? rangeAt(read, at, close) : undefined
}

function backtickedName({ text, tokens }: Text, at: number): Range | undefined {
  const token = tokens[at]
  if (token === undefined || token.kind === 'string') return undefined
  const start = token.start + text.slice(token.start, token.end).indexOf('`')
  const isOpening = (text.slice(0, start).split('`').length - 1) % 2 === 0
  const name = isOpening ? /^`[^`"\r\n]+`/.exec(text.slice(start))?.[0] : undefined
  return name === undefined ? undefined : { start, end: start + name.length }
}
