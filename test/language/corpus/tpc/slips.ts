/** Breaks a query in three places: a column, an alias and the syntax. The same seed breaks the same places. */
import type { Range, SqlToken } from '@svc/server/language'
import { engine } from '../../../support/engine.ts'
import { type Random, seededRandom } from '../../../support/random.ts'
import type { BenchmarkTexts } from './texts.ts'

export interface Slip extends Range {
  readonly kind: 'column' | 'alias' | 'syntax'
  readonly wrong: string
}

/** Whether the engine takes a query. */
export type Takes = (sql: string) => Promise<'taken' | 'no syntax' | 'refused'>

/** As many of the three kinds as the query has room for; the engine refuses each alone. */
export async function slipsIn(
  query: string,
  texts: BenchmarkTexts,
  seed: number,
  takes: Takes,
): Promise<readonly Slip[]> {
  const random = seededRandom(seed)
  const tokens = engine.tokens(query).filter(token => token.kind !== 'comment' && !isInTag(query, token))
  const slips: Slip[] = []
  for (const [kind, places, verdict] of [
    ['column', columnPlaces(query, tokens, texts, random), 'refused'],
    ['alias', aliasPlaces(query, tokens, random), 'refused'],
    ['syntax', syntaxPlaces(query, tokens, random), 'no syntax'],
  ] as const) {
    for (const place of shuffled(places, random).slice(0, 30)) {
      if (slips.some(slip => isBeside(query, slip, place))) continue
      if ((await takes(withSlips(query, [{ ...place, kind }]).text)) !== verdict) continue
      slips.push({ ...place, kind })
      break
    }
  }
  return slips
}

type Place = Omit<Slip, 'kind'>

/** The text with all slips, and where each stands in it. */
export function withSlips(
  query: string,
  slips: readonly Slip[],
): { readonly text: string; readonly places: ReadonlyMap<Slip, Range> } {
  const places = new Map<Slip, Range>()
  let text = ''
  let end = 0
  for (const slip of [...slips].sort((a, b) => a.start - b.start)) {
    text += query.slice(end, slip.start)
    places.set(slip, { start: text.length, end: text.length + slip.wrong.length })
    text += slip.wrong
    end = slip.end
  }
  return { text: text + query.slice(end), places }
}

function isInTag(query: string, token: SqlToken): boolean {
  const opened = query.lastIndexOf('{{', token.start)
  return opened >= 0 && query.indexOf('}}', opened) >= token.start
}

/** Not within three words of each other. */
function isBeside(query: string, a: Range, b: Range): boolean {
  const between = a.start < b.start ? query.slice(a.end, b.start) : query.slice(b.end, a.start)
  return between.trim().split(/\s+/).length < 4
}

// ---------------------------------------------------------------- where

function columnPlaces(
  query: string,
  tokens: readonly SqlToken[],
  { tables }: BenchmarkTexts,
  random: Random,
): readonly Place[] {
  const columns = new Set([...tables.values()].flatMap(table => [...table.keys()]))
  return tokens.flatMap((token, index) => {
    const name = query.slice(token.start, token.end)
    const before = tokens[index - 1]
    const isAlias = before !== undefined && /^as$/i.test(query.slice(before.start, before.end))
    if (token.kind !== 'word' || isAlias || !columns.has(name.toLowerCase())) return []
    return [{ start: token.start, end: token.end, wrong: misspelt(name, random) }]
  })
}

/** What stands behind AS in a cast. */
const typeWords = /^(bigint|char|date|decimal|double|int|integer|numeric|varchar)$/
const beforeOperand =
  /^(,|\(|[-+*/=<>]|[<>]=|<>|and|between|by|case|else|having|not|on|or|select|then|when|where)$/

/** Names in front of a dot, and names that the query itself gives and reads elsewhere. */
function aliasPlaces(query: string, tokens: readonly SqlToken[], random: Random): readonly Place[] {
  const textAt = (index: number): string =>
    query.slice(tokens[index]?.start ?? 0, tokens[index]?.end ?? 0).toLowerCase()
  const isGiven = (index: number): boolean => {
    if (tokens[index]?.kind !== 'word' || typeWords.test(textAt(index))) return false
    if (textAt(index - 1) === 'as') return true
    return /^(\)|end)$/.test(textAt(index - 1)) && /^(,|from)$/.test(textAt(index + 1))
  }
  const given = new Set(tokens.flatMap((_, index) => (isGiven(index) ? [textAt(index)] : [])))
  return tokens.flatMap((token, index) => {
    const name = query.slice(token.start, token.end)
    const isQualifier = textAt(index + 1) === '.' && textAt(index - 1) !== '.'
    const isOperand = beforeOperand.test(textAt(index - 1)) && textAt(index + 1) !== '('
    const isRead = given.has(name.toLowerCase()) && isOperand
    if (token.kind !== 'word' || !(isQualifier || isRead)) return []
    return [{ start: token.start, end: token.end, wrong: misspelt(name, random) }]
  })
}

const misspeltKeywords: Readonly<Record<string, string>> = {
  where: 'wehre',
  group: 'gruop',
  order: 'oder',
  from: 'form',
  and: 'adn',
  between: 'betwen',
  having: 'havin',
}

/** A comma or a bracket too few or too many, a keyword that is misspelt, an AND before nothing. */
function syntaxPlaces(query: string, tokens: readonly SqlToken[], random: Random): readonly Place[] {
  return tokens.flatMap(({ start, end }) => {
    const text = query.slice(start, end)
    if (text === ',') return [{ start, end, wrong: random.below(2) === 0 ? '' : ',,' }]
    if (text === ')') return [{ start, end, wrong: random.below(2) === 0 ? '' : '))' }]
    const keyword = text.toLowerCase()
    const wrong = misspeltKeywords[keyword]
    const places = wrong === undefined ? [] : [{ start, end, wrong }]
    if (keyword === 'group' || keyword === 'order') places.push({ start, end, wrong: `and ${text}` })
    if (keyword === 'by') places.push({ start, end, wrong: '' })
    return places
  })
}

// ---------------------------------------------------------------- chance

/** Two letters changed, one left out, or one written twice. */
function misspelt(name: string, random: Random): string {
  if (name.length < 3) return `${name}q${random.below(10)}`
  const at = 1 + random.below(name.length - 2)
  const kind = random.below(3)
  const wrong =
    kind === 0
      ? `${name.slice(0, at)}${name[at + 1]}${name[at]}${name.slice(at + 2)}`
      : kind === 1
        ? name.slice(0, at) + name.slice(at + 1)
        : name.slice(0, at) + (name[at] ?? '') + name.slice(at)
  return wrong === name || !/^[a-z]\w*$/i.test(wrong) ? `${name}x` : wrong
}

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map(item => ({ item, key: random.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
