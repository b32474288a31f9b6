/**
 * Breaks brackets and CASE into lines: on one line if they fit, otherwise before operators outside of them,
 * otherwise inside.
 */
import type { SqlLine } from './sql-lines.ts'
import { branches, filled } from './sql-lists.ts'
import {
  closes,
  type FlatLine,
  flatten,
  isRigid,
  lineWidth,
  type OutLine,
  opens,
  outLine,
} from './sql-out-line.ts'
import { operatorPlaces } from './sql-terms.ts'

/** Formats the lines inside a bracket. */
export type BlockOf = (lines: readonly SqlLine[], depth: number) => OutLine[]

/**
 * Returns the end of a chain: a line that opens a bracket or a CASE, and the line that closes it, which may
 * open the next.
 */
export function endOfChain(lines: readonly SqlLine[], start: number): number {
  let end = start + 1
  while (opens(lines[end - 1]?.text ?? '', lines[end]?.text) && closes(lines[end]?.text ?? '')) end++
  return end
}

/**
 * Breaks before the operators outside brackets if that leaves a bracket whole, and else inside the brackets.
 */
export function chainOf(links: readonly SqlLine[], depth: number, blockOf: BlockOf): OutLine[] {
  const terms = termsOf(links)
  const isWhole = (term: readonly SqlLine[], index: number) =>
    term.length > 1 && fits(term, index === 0 ? depth : depth + 1)
  if (fits(links, depth) || !terms.some(isWhole)) return linksOf(links, depth, blockOf)
  return terms.flatMap((term, index) => linksOf(term, index === 0 ? depth : depth + 1, blockOf))
}

function fits(lines: readonly SqlLine[], depth: number): boolean {
  const flat = flatten(linesWithin(lines))
  return flat !== undefined && depth * 2 + flat.length <= lineWidth
}

/**
 * Yields lines one by one: a caller stops at the width of a line, so that deep brackets cost no more than
 * flat ones.
 */
function* linesWithin(lines: readonly SqlLine[]): Generator<FlatLine> {
  for (const line of lines) {
    yield { text: line.text, isRigid: isRigid(line) }
    if (isKeptBroken(line.children[0])) yield { text: '', isRigid: true }
    yield* linesWithin(line.children)
  }
}

/** Splits the links at the weakest operators outside all brackets. */
function termsOf(links: readonly SqlLine[]): SqlLine[][] {
  const places = operatorPlaces(links)
  const terms: SqlLine[][] = [[]]
  for (const [index, link] of links.entries()) {
    const cuts = places[index] ?? []
    for (const [at, start] of [0, ...cuts].entries()) {
      const text = link.text.slice(start, cuts[at]).trimEnd()
      if (at > 0) terms.push([])
      const isLast = at === cuts.length
      terms.at(-1)?.push({
        ...link,
        text,
        children: isLast ? link.children : [],
        endsInComment: isLast && link.endsInComment,
        isTall: text.includes('\n'),
        blankBefore: at === 0 && link.blankBefore,
      })
    }
  }
  return terms
}

function linksOf(links: readonly SqlLine[], depth: number, blockOf: BlockOf): OutLine[] {
  const [first, ...rest] = links
  if (first === undefined) return []
  const out = [outLine(first, depth)]
  let inside = first
  for (const link of rest) {
    const body = branches(blockOf(inside.children, depth + 1))
    const joined = joinedGroup(out.at(-1), body, link.text)
    if (joined !== undefined) out[out.length - 1] = { ...joined, isRigid: joined.isRigid || isRigid(link) }
    else out.push(...filled(body), { ...outLine(link, depth), blankBefore: false })
    inside = link
  }
  return [...out, ...blockOf(inside.children, depth + 1)]
}

/** Joins opening line, body and closing line into one if they fit. */
function joinedGroup(
  opening: OutLine | undefined,
  body: readonly OutLine[],
  closing: string,
): OutLine | undefined {
  const flat = flatten(body)
  if (opening === undefined || opening.isRigid || flat === undefined) return undefined
  if (isTableExpression(opening.text, flat) || isKeptBroken(body[0])) return undefined
  const space = closing.startsWith('END') ? ' ' : ''
  const text = `${opening.text}${space}${flat}${space}${closing}`
  return opening.depth * 2 + text.length <= lineWidth ? { ...opening, text } : undefined
}

/**
 * Returns whether a line break of the user is kept: before a query or a CASE. The brackets of a call are
 * joined if possible.
 */
function isKeptBroken(first: Pick<OutLine, 'breakBefore' | 'text'> | undefined): boolean {
  return first?.breakBefore === true && /^(?:SELECT|FROM|WITH|VALUES|WHEN)\b/.test(first.text)
}

/** Returns whether the line is `name AS (SELECT …` of a WITH, which is always a block of its own. */
function isTableExpression(opening: string, body: string): boolean {
  return /\bAS (?:NOT )?(?:MATERIALIZED )?\($/.test(opening) && /^(?:SELECT|FROM|WITH|VALUES)\b/.test(body)
}
