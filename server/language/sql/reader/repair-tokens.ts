/**
 * Repairs mistakes that are visible in the tokens alone: quotes of other engines, invalid characters, extra
 * brackets.
 */
import type { SqlToken } from '../../engines/sql-token.ts'
import type { SqlGrammar } from '../grammar.ts'
import type { Span, SyntaxProblem } from '../tree.ts'
import { masked } from './masks.ts'
import { insertion, problemAt } from './problems.ts'
import { repairStrings } from './repair-strings.ts'

export interface LexedText {
  readonly tokens: readonly SqlToken[]
  readonly problems: SyntaxProblem[]
}

export function lexed(text: string, grammar: SqlGrammar): LexedText {
  const { text: plain, openTags } = masked(text)
  const problems: SyntaxProblem[] = []
  const quoted = replaceBackticks(plain, grammar.tokens(plain), grammar, problems)
  const repaired = repairStrings(quoted.text, quoted.tokens, grammar)
  problems.push(...repaired.problems)
  if (openTags.length === 0) return { tokens: withoutControls(text, repaired.tokens, problems), problems }
  const tokens = withOpenTags(openTags, repaired.tokens)
  reportOpenTags(openTags, tokens, problems)
  return { tokens: withoutControls(text, tokens, problems), problems }
}

// ---------------------------------------------------------------- tags

/** Replaces the tokens of unclosed tags; the lexer reads lone braces as words. */
function withOpenTags(openTags: readonly Span[], tokens: readonly SqlToken[]): readonly SqlToken[] {
  const starts = new Set(openTags.map(({ start }) => start))
  return tokens.map(token =>
    token.kind === 'word' && starts.has(token.start) ? { ...token, kind: 'tag', closed: false } : token,
  )
}

function reportOpenTags(
  openTags: readonly { start: number; end: number }[],
  tokens: readonly SqlToken[],
  problems: SyntaxProblem[],
): void {
  const starts = new Set(tokens.filter(({ kind }) => kind === 'tag').map(({ start }) => start))
  for (const { start, end } of openTags) {
    if (!starts.has(start)) continue
    const details = { hint: 'End it with }}.', repair: [insertion(end, ' }}')], fix: 'Close the tag' }
    problems.push(
      problemAt({ start, end }, 'the template tag is not closed', { code: 'unclosed-tag', ...details }),
    )
  }
}

// ---------------------------------------------------------------- backticks

interface Quoted {
  readonly text: string
  readonly tokens: readonly SqlToken[]
}

/** Reads names in backticks as names in double quotes, if the engine does not quote with backticks. */
function replaceBackticks(
  text: string,
  tokens: readonly SqlToken[],
  grammar: SqlGrammar,
  problems: SyntaxProblem[],
): Quoted {
  if (!text.includes('`')) return { text, tokens }
  let result = ''
  let position = 0
  for (const token of tokens) {
    if (token.kind !== 'operator' || token.start < position) continue
    const start = text.slice(token.start, token.end).indexOf('`') + token.start
    const end = start < token.start ? -1 : text.indexOf('`', start + 1)
    if (end < 0 || /[\r\n"]/.test(text.slice(start, end))) continue
    result += `${text.slice(position, start)}"${text.slice(start + 1, end)}"`
    position = end + 1
    problems.push(backtickProblem(text, start, end + 1))
  }
  const repaired = result + text.slice(position)
  return { text: repaired, tokens: position === 0 ? tokens : grammar.tokens(repaired) }
}

function backtickProblem(text: string, start: number, end: number): SyntaxProblem {
  const name = `"${text.slice(start + 1, end - 1)}"`
  return problemAt({ start, end }, 'backticks quote no names here', {
    hint: `Write ${name}.`,
    repair: [{ start, end, text: name }],
    fix: `Change to ${name}`,
  })
}

// ---------------------------------------------------------------- characters that are none

function withoutControls(
  text: string,
  tokens: readonly SqlToken[],
  problems: SyntaxProblem[],
): readonly SqlToken[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are looked for.
  if (!/[\x00-\x08\x0e-\x1f]/.test(text)) return tokens
  return tokens.filter(token => {
    if (token.kind !== 'punctuation' || text.charCodeAt(token.start) >= 32) return true
    problems.push(controlProblem(text, token))
    return false
  })
}

function controlProblem(text: string, { start, end }: SqlToken): SyntaxProblem {
  const code = text.charCodeAt(start).toString(16).padStart(4, '0').toUpperCase()
  return problemAt({ start, end }, `the character U+${code} is not allowed in SQL`, {
    hint: 'It is invisible: remove it.',
    repair: [{ start, end, text: ' ' }],
    fix: 'Remove the character',
  })
}
