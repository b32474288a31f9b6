/** Words, numbers, texts and signs of an expression, with their places. */
import { JinjaProblem, type Template } from './problem.ts'

export interface Token {
  readonly kind: 'name' | 'text' | 'int' | 'float' | 'sign' | 'end'
  readonly value: string
  readonly at: number
}

const signs = ['**', '//', '==', '!=', '<=', '>=', ...'+-*/%~<>=()[]{}.,:|']
const space = /[ \t\r\n]*/y
const word = /[\p{L}_][\p{L}\p{N}_]*/uy
const number = /\d[\d_]*(\.\d+)?([eE][+-]?\d+)?/y

/** Returns the tokens from `start` to the sign that closes the tag, and where that sign begins; `open`: where the tag begins. */
export function tokensOf(
  template: Template,
  start: number,
  close: '}}' | '%}',
  open: number,
): { readonly tokens: readonly Token[]; readonly end: number } {
  const { text } = template
  const tokens: Token[] = []
  let depth = 0
  let at = skip(space, text, start)
  while (at < text.length) {
    const closes =
      text.startsWith(close, at) || text.startsWith(`-${close}`, at) || text.startsWith(`+${close}`, at)
    if (closes && depth === 0) {
      return { tokens: [...tokens, { kind: 'end', value: '', at }], end: at }
    }
    const token = tokenAt(template, at)
    if (token.value === '{' && token.kind === 'sign') depth++
    if (token.value === '}' && token.kind === 'sign') depth--
    tokens.push(token)
    at = skip(space, text, token.end)
  }
  throw new JinjaProblem(`the tag is not closed with ${close}`, { template, at: open })
}

function tokenAt(template: Template, at: number): Token & { readonly end: number } {
  const { text } = template
  const char = text[at] ?? ''
  if (char === '"' || char === "'") return textAt(template, at, char)
  const name = match(word, text, at)
  if (name !== undefined) return { kind: 'name', value: name, at, end: at + name.length }
  const digits = match(number, text, at)
  if (digits !== undefined) {
    const kind = /[.eE]/.test(digits) ? 'float' : 'int'
    return { kind, value: digits.replaceAll('_', ''), at, end: at + digits.length }
  }
  const sign = signs.find(each => text.startsWith(each, at))
  if (sign === undefined) throw new JinjaProblem(`"${char}" means nothing here`, { template, at })
  return { kind: 'sign', value: sign, at, end: at + sign.length }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' }

function textAt(template: Template, at: number, quote: string): Token & { readonly end: number } {
  const { text } = template
  let value = ''
  for (let end = at + 1; end < text.length; end++) {
    const char = text[end] ?? ''
    if (char === quote) return { kind: 'text', value, at, end: end + 1 }
    if (char !== '\\') value += char
    else {
      const next = text[++end] ?? ''
      // Python keeps a backslash that escapes nothing, which patterns rely on.
      value += escapes[next] ?? (/['"\\]/.test(next) ? next : `\\${next}`)
    }
  }
  throw new JinjaProblem(`the text is not closed with ${quote}`, { template, at })
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function skip(pattern: RegExp, text: string, at: number): number {
  return at + (match(pattern, text, at)?.length ?? 0)
}
