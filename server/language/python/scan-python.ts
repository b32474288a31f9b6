/**
 * Finds the function `transform` and its refs in Python without a parser. Comments and strings are
 * recognized; a broken text is read as far as possible.
 */
import type { Range } from '../text/range.ts'

export interface PythonScan {
  /** The name in `def transform(svc)`; undefined if there is no such function. */
  readonly transform: { readonly nameRange: Range; readonly parameter: string | undefined } | undefined
  /** The refs `svc.ref("x")`, with the function's own name of its argument. */
  readonly refs: readonly { readonly name: string; readonly nameRange: Range }[]
  /** All functions at the start of a line. */
  readonly functions: readonly { readonly name: string; readonly nameRange: Range }[]
}

interface Token extends Range {
  readonly kind: 'word' | 'string' | 'mark'
  /** The range of a string without prefix and quotes. */
  readonly body: Range
  readonly beginsLine: boolean
}

export function scanPython(code: string): PythonScan {
  const tokens = [...pythonTokens(code)]
  const textOf = (index: number) => code.slice(tokens[index]?.start, tokens[index]?.end)
  const functions = tokens.flatMap((token, index) => {
    const at = textOf(index) === 'async' ? index + 1 : index
    const name = tokens[at + 1]
    const isFunction =
      token.beginsLine && token.kind === 'word' && textOf(at) === 'def' && name?.kind === 'word'
    return isFunction ? [{ name: textOf(at + 1), nameRange: rangeOf(name), index: at + 1 }] : []
  })
  const transform = functions.find(({ name }) => name === 'transform')
  const parameter = transform === undefined ? undefined : parameterOf(code, tokens, transform.index)
  return {
    transform: transform === undefined ? undefined : { nameRange: transform.nameRange, parameter },
    refs: refsOf(code, tokens, parameter ?? 'svc'),
    functions: functions.map(({ name, nameRange }) => ({ name, nameRange })),
  }
}

function rangeOf({ start, end }: Range): Range {
  return { start, end }
}

function parameterOf(code: string, tokens: readonly Token[], nameIndex: number): string | undefined {
  const [bracket, first] = [tokens[nameIndex + 1], tokens[nameIndex + 2]]
  if (bracket === undefined || code[bracket.start] !== '(' || first?.kind !== 'word') return undefined
  return code.slice(first.start, first.end)
}

function refsOf(code: string, tokens: readonly Token[], object: string): PythonScan['refs'] {
  return tokens.flatMap((token, index) => {
    const words = tokens.slice(index, index + 4).map(({ start, end }) => code.slice(start, end))
    if (token.kind !== 'word' || words.join(' ') !== `${object} . ref (`) return []
    const before = tokens[index - 1]
    if (before !== undefined && code[before.start] === '.') return []
    const [name, after] = [tokens[index + 4], tokens[index + 5]]
    // Two adjacent strings are one, and a prefix changes the meaning of a string.
    const isPlain = name?.kind === 'string' && after?.kind !== 'string' && isQuote(code[name.start])
    if (!isPlain || name === undefined) return []
    const written = code.slice(name.body.start, name.body.end)
    return written.includes('\\') ? [] : [{ name: written, nameRange: name.body }]
  })
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'"
}

const space = /[ \t\f\r\n]|\\\r?\n/y
const comment = /#[^\n]*/y
const string = /(?:[rRbBfFuU]{0,2})("""|'''|"|')/y
const word = /[\p{L}\p{N}_]+/uy

function* pythonTokens(code: string): Generator<Token> {
  let position = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position
    return pattern.exec(code)
  }
  while (position < code.length) {
    const skipped = match(space) ?? match(comment)
    if (skipped !== null) {
      position += skipped[0].length
      continue
    }
    const start = position
    const beginsLine = start === 0 || code[start - 1] === '\n'
    const opening = match(string)
    if (opening !== null) {
      const bodyStart = start + opening[0].length
      const bodyEnd = endOfString(code, bodyStart, opening[1] ?? '"')
      const end = Math.min(code.length, bodyEnd + (opening[1]?.length ?? 1))
      yield { kind: 'string', start, end, body: { start: bodyStart, end: bodyEnd }, beginsLine }
      position = end
      continue
    }
    const name = match(word)
    const end = start + (name?.[0].length ?? 1)
    yield { kind: name === null ? 'mark' : 'word', start, end, body: { start, end }, beginsLine }
    position = end
  }
}

/** Returns the start of the closing quotes; a single-quoted string ends with its line. */
function endOfString(code: string, from: number, quotes: string): number {
  for (let position = from; position < code.length; position++) {
    if (code[position] === '\\') position++
    else if (code.startsWith(quotes, position)) return position
    else if (code[position] === '\n' && quotes.length === 1) return position
  }
  return code.length
}
