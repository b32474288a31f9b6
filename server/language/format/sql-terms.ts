/** Breaks an expression that is too long for its line into its terms. */
import { lineWidth, type OutLine } from './sql-out-line.ts'

type Line = Pick<OutLine, 'engine' | 'text'>

/** Operators at which an expression is broken, weakest first. */
const operators: readonly ReadonlySet<string>[] = [
  new Set(['OR']),
  new Set(['AND']),
  new Set(['=', '==', '<>', '!=', '<', '>', '<=', '>=']),
  new Set(['||']),
  new Set(['+', '-']),
  new Set(['*', '/', '//', '%']),
]

/** Breaks a line that is too long before its weakest operators outside brackets. */
export function brokenLine(line: OutLine): OutLine[] {
  if (line.isRigid || line.depth * 2 + line.text.length <= lineWidth) return [line]
  const [places = []] = operatorPlaces([line])
  if (places.length === 0) return [line]
  const parts = [0, ...places].map((start, index) => line.text.slice(start, places[index]).trimEnd())
  return parts.flatMap((text, index) =>
    brokenLine(
      index === 0 ? { ...line, text } : { ...line, text, depth: line.depth + 1, blankBefore: false },
    ),
  )
}

/** Returns the places of the weakest operators of an expression in each of its lines. */
export function operatorPlaces(lines: readonly Line[]): number[][] {
  const byPower = operators.map(() => lines.map((): number[] => []))
  let depth = 0
  let isBetween = false
  for (const [index, { engine, text }] of lines.entries()) {
    for (const token of engine.tokens(text)) {
      const word = text.slice(token.start, token.end)
      depth += depthAfter(word)
      if (depth !== 0 || (index === 0 && token.start === 0)) continue
      // The AND of a BETWEEN separates no terms.
      if (word === 'AND' && isBetween) isBetween = false
      else if (word === 'BETWEEN') isBetween = true
      else if (text[token.start - 1] === ' ' && text[token.end] === ' ') {
        byPower[operators.findIndex(set => set.has(word))]?.[index]?.push(token.start)
      }
    }
  }
  return byPower.find(places => places.some(({ length }) => length > 0)) ?? []
}

/** Returns the change of depth after a token. */
function depthAfter(word: string): number {
  if (/^(?:[([{]|CASE)$/.test(word)) return 1
  return /^(?:[)\]}]|END)$/.test(word) ? -1 : 0
}

/** Returns the place of the first match outside brackets that starts with a word; `wanted` is sticky. */
export function wordAt({ engine, text }: Line, wanted: RegExp): number | undefined {
  let depth = 0
  for (const token of engine.tokens(text)) {
    depth += depthAfter(text.slice(token.start, token.end))
    wanted.lastIndex = token.start
    if (depth <= 0 && token.kind === 'word' && wanted.test(text)) return token.start
  }
  return undefined
}
