/** The tokens of a file of macros, taken one after the other. */
import type { Engine } from '../engines/engine.ts'
import type { SqlToken } from '../engines/sql-token.ts'
import type { Range } from '../text/range.ts'

export interface MacroTokens {
  isAtEnd(): boolean
  /** The range of the next token; at the end that of the last one. */
  range(): Range
  take(mark: string): boolean
  takeWord(word: string): boolean
  /** Takes a name without quotes. */
  name(): string | undefined
  /** Takes what is between round brackets; undefined if they do not open here or never close. */
  brackets(): readonly SqlToken[] | undefined
  /** Takes the SQL up to a semicolon, the next definition or the end. */
  body(): Range | undefined
  pass(): void
  beginsMacro(): boolean
}

export function macroTokens(text: string, engine: Engine): MacroTokens {
  const tokens = engine.tokens(text).filter(({ kind }) => kind !== 'comment')
  let at = 0
  const written = (index: number): string => {
    const token = tokens[index]
    return token === undefined ? '' : text.slice(token.start, token.end)
  }
  const wordAt = (index: number): string =>
    tokens[index]?.kind === 'word' ? written(index).toLowerCase() : ''
  const takeIf = (holds: boolean): boolean => {
    if (holds) at++
    return holds
  }
  const beginsMacro = (): boolean =>
    wordAt(at) === 'create' && ['macro', 'or', 'function'].includes(wordAt(at + 1))
  const self: MacroTokens = {
    isAtEnd: () => at >= tokens.length,
    range() {
      const { start, end } = tokens[at] ?? tokens.at(-1) ?? { start: 0, end: 0 }
      return { start, end }
    },
    take: mark => takeIf(at < tokens.length && written(at) === mark),
    takeWord: word => takeIf(wordAt(at) === word),
    name: () => (tokens[at]?.kind === 'word' ? written(at++) : undefined),
    brackets() {
      const close = written(at) === '(' ? closing(at, tokens.length, written) : undefined
      if (close === undefined) return undefined
      const inside = tokens.slice(at + 1, close)
      at = close + 1
      return inside
    },
    body() {
      const first = tokens[at]
      const from = at
      while (!self.isAtEnd() && written(at) !== ';' && (at === from || !beginsMacro())) at++
      const last = tokens[at - 1]
      return first === undefined || last === undefined || at === from
        ? undefined
        : { start: first.start, end: last.end }
    },
    pass: () => {
      at++
    },
    beginsMacro,
  }
  return self
}

function closing(open: number, length: number, written: (index: number) => string): number | undefined {
  let depth = 0
  for (let index = open; index < length; index++) {
    if (written(index) === '(') depth++
    else if (written(index) === ')' && --depth === 0) return index
  }
  return undefined
}

/** Passes over a definition that could not be read. */
export function passMacro(tokens: MacroTokens): void {
  while (!tokens.isAtEnd() && !tokens.take(';') && !tokens.beginsMacro()) tokens.pass()
}
