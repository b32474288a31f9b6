/**
 * Where the lines of a query end: what sql-formatter broke into a line each comes together again where it fits, short
 * clauses stand beside their keyword, joins below FROM, conditions below WHERE and ON. Moves line breaks and
 * indentation only; never touches a word.
 */
import { sqlTokens } from '../syntax/sql-tokens.ts'
import type { SqlLine } from './sql-lines.ts'

/** What fits on a line, the indentation of the block in the file not counted. */
export const lineWidth = 108

interface OutLine {
  /** In steps of two spaces. */
  readonly depth: number
  readonly text: string
  readonly blankBefore: boolean
  readonly breakBefore: boolean
  /** A comment at its end or several lines in it: nothing can follow, so it joins no other line. */
  readonly isRigid: boolean
}

/** The text, without a line break at its end. `preferOneLine`: a query that fits on one line stays on one. */
export function layoutLines(lines: readonly SqlLine[], preferOneLine: boolean): string {
  const out = blockOf(lines, 0)
  const flat = preferOneLine ? flatten(out) : undefined
  if (flat !== undefined && flat.length <= lineWidth) return flat
  return out
    .flatMap(brokenLine)
    .map(({ depth, text, blankBefore }, index, all) => {
      const indent = '  '.repeat(depth)
      const isBlank = blankBefore && index > 0 && !opens(all[index - 1]?.text ?? '') && !closes(text)
      return `${isBlank ? '\n' : ''}${indent}${isComment(text) ? text.replaceAll('\n', `\n${indent}`) : text}`
    })
    .join('\n')
}

function blockOf(lines: readonly SqlLine[], depth: number): OutLine[] {
  const out: OutLine[] = []
  for (let index = 0; index < lines.length; ) {
    const end = endOfChain(lines, index)
    out.push(
      ...(end > index + 1
        ? chainOf(lines.slice(index, end), depth)
        : lineOf(lines[index], depth, lines[end])),
    )
    index = end
  }
  return out
}

// ---------------------------------------------------------------- brackets and CASE

/** A line that opens a bracket or a CASE, the line that closes it, which may open the next. */
function endOfChain(lines: readonly SqlLine[], start: number): number {
  let end = start + 1
  while (opens(lines[end - 1]?.text ?? '', lines[end]?.text) && closes(lines[end]?.text ?? '')) end++
  return end
}

const closer = /^(?:[)\]}]|END\b)/

function opens(text: string, next?: string): boolean {
  return /[([{]$/.test(text) || (next !== undefined && /^END\b/.test(next))
}

function closes(text: string): boolean {
  return closer.test(text)
}

function chainOf(links: readonly SqlLine[], depth: number): OutLine[] {
  const [first, ...rest] = links
  if (first === undefined) return []
  const out = [outLine(first, depth)]
  let inside = first
  for (const link of rest) {
    const body = blockOf(inside.children, depth + 1)
    const joined = joinedGroup(out.at(-1), body, link.text)
    if (joined !== undefined) out[out.length - 1] = { ...joined, isRigid: joined.isRigid || isRigid(link) }
    else out.push(...body, { ...outLine(link, depth), blankBefore: false })
    inside = link
  }
  return [...out, ...blockOf(inside.children, depth + 1)]
}

/** Opening line, body and closing line as one, where they fit. */
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

/** A query or a CASE that the user began on a line of its own stays there; brackets of a call close where they can. */
function isKeptBroken(first: OutLine | undefined): boolean {
  return first?.breakBefore === true && /^(?:SELECT|FROM|WITH|VALUES|WHEN)\b/.test(first.text)
}

/** `name AS (SELECT …` of a WITH is always a block of its own. */
function isTableExpression(opening: string, body: string): boolean {
  return /\bAS (?:NOT )?(?:MATERIALIZED )?\($/.test(opening) && /^(?:SELECT|FROM|WITH|VALUES)\b/.test(body)
}

// ---------------------------------------------------------------- clauses

function lineOf(line: SqlLine | undefined, depth: number, next: SqlLine | undefined): OutLine[] {
  if (line === undefined) return []
  const end = endOfBody(line.children, next)
  const body = blockOf(line.children.slice(0, end), depth + 1)
  const comments = blockOf(line.children.slice(end), depth)
  return [...clauseOf(line, outLine(line, depth), body, depth), ...comments]
}

/** Comments above the next clause, no further in than it, are about that clause. */
function endOfBody(children: readonly SqlLine[], next: SqlLine | undefined): number {
  let end = children.length
  if (next === undefined) return end
  const isAbove = (line: SqlLine | undefined) =>
    line !== undefined && isComment(line.text) && line.breakBefore && line.column <= next.column
  while (end > 1 && isAbove(children[end - 1])) end--
  return end
}

function clauseOf(line: SqlLine, head: OutLine, body: readonly OutLine[], depth: number): OutLine[] {
  const [first] = body
  if (first === undefined) return [head]
  if (head.isRigid || isComment(first.text) || !/^[A-Z ]+$/.test(line.text)) return [head, ...body]
  const clause = line.text
  if (clause === 'FROM') return fromClause(head, body)
  if (['WHERE', 'HAVING', 'QUALIFY'].includes(clause)) return conditions(head, body)
  // A list that the user began on a line of its own stays one item a line.
  const flat = first.breakBefore ? undefined : body.length === 1 ? first.text : flatten(body)
  if (flat === undefined || flat.includes('\n')) return [head, ...body]
  const text = `${clause} ${flat}`
  return depth * 2 + text.length <= lineWidth ? [{ ...head, text, isRigid: first.isRigid }] : [head, ...body]
}

/** The first condition beside the keyword, the others below it; a single one takes its inner lines along. */
function conditions(head: OutLine, body: readonly OutLine[]): OutLine[] {
  const [first, ...rest] = body
  if (first === undefined) return [head]
  const joined = { ...head, text: `${head.text} ${first.text}`, isRigid: first.isRigid }
  const isSingle = rest.every(line => line.depth > first.depth || closes(line.text))
  return [joined, ...(isSingle ? rest.map(outdented) : rest)]
}

/** The first table beside FROM, each join on a line of its own at the same depth. */
function fromClause(head: OutLine, body: readonly OutLine[]): OutLine[] {
  const items = itemsOf(body)
  const isList = items.some(item => /,(?:$| (?:--|\/\*))/.test(item.at(-1)?.text ?? ''))
  if (isList) {
    const flat = flatten(body)
    const text = `${head.text} ${flat}`
    return flat !== undefined && head.depth * 2 + text.length <= lineWidth
      ? [{ ...head, text }]
      : [head, ...body]
  }
  const [first, ...joins] = items.map(item => item.map(outdented))
  if (first?.[0] === undefined) return [head]
  const beginning = { ...head, text: `${head.text} ${first[0].text}`, isRigid: first[0].isRigid }
  return [beginning, ...first.slice(1), ...joins.flatMap(withConditions)]
}

/** The lines of a body by what stands in it side by side: a table, a join with all its conditions. */
function itemsOf(body: readonly OutLine[]): OutLine[][] {
  const items: OutLine[][] = []
  const depth = body[0]?.depth ?? 0
  for (const line of body) {
    const goesOn = line.depth > depth || closes(line.text) || /^(?:AND|OR)\b/.test(line.text)
    const item = items.at(-1)
    if (goesOn && item !== undefined) item.push(line)
    else items.push([line])
  }
  return items
}

/** A join that does not fit, or has several conditions, breaks before ON. */
function withConditions(join: readonly OutLine[]): OutLine[] {
  const [first, ...rest] = join
  if (first === undefined) return []
  const isMore = rest.some(line => line.depth === first.depth && /^(?:AND|OR)\b/.test(line.text))
  if (!isMore && first.depth * 2 + first.text.length <= lineWidth) return [...join]
  const at = join.findIndex(line => line.depth === first.depth && onAt(line.text) !== undefined)
  const line = join[at]
  const place = line === undefined ? undefined : onAt(line.text)
  if (line === undefined || place === undefined) return [...join]
  const table = line.text.slice(0, place).trimEnd()
  const condition = { ...line, depth: line.depth + 1, text: line.text.slice(place), blankBefore: false }
  return [
    ...join.slice(0, at),
    ...(table === '' ? [] : [{ ...line, text: table, isRigid: false }]),
    condition,
    ...join.slice(at + 1).map(each => ({ ...each, depth: each.depth + 1 })),
  ]
}

/** Where the ON outside brackets is. */
function onAt(text: string): number | undefined {
  let depth = 0
  for (const token of sqlTokens(text)) {
    const word = text.slice(token.start, token.end)
    if (word === '(' || word === '[' || word === '{') depth++
    else if (word === ')' || word === ']' || word === '}') depth--
    else if (depth <= 0 && token.kind === 'word' && word === 'ON') return token.start
  }
  return undefined
}

// ---------------------------------------------------------------- long lines

/** Weakest first: where an expression that is too long falls into its terms. */
const operators: readonly ReadonlySet<string>[] = [
  new Set(['OR']),
  new Set(['AND']),
  new Set(['||']),
  new Set(['+', '-']),
  new Set(['*', '/', '//', '%']),
]

/** A line that is too long goes on below, from its weakest operators outside brackets on. */
function brokenLine(line: OutLine): OutLine[] {
  if (line.isRigid || line.depth * 2 + line.text.length <= lineWidth) return [line]
  const places = operatorPlaces(line.text)
  if (places.length === 0) return [line]
  const parts = [0, ...places].map((start, index) => line.text.slice(start, places[index]).trimEnd())
  return parts.flatMap((text, index) =>
    brokenLine(
      index === 0 ? { ...line, text } : { ...line, text, depth: line.depth + 1, blankBefore: false },
    ),
  )
}

function operatorPlaces(text: string): number[] {
  const found = operators.map(() => [] as number[])
  let depth = 0
  let isBetween = false
  for (const token of sqlTokens(text).slice(1)) {
    const word = text.slice(token.start, token.end)
    if (/^[([{]$/.test(word)) depth++
    else if (/^[)\]}]$/.test(word)) depth--
    if (depth !== 0) continue
    // The AND of a BETWEEN parts nothing.
    if (word === 'AND' && isBetween) isBetween = false
    else if (word === 'BETWEEN') isBetween = true
    else if (text[token.start - 1] === ' ' && text[token.end] === ' ') {
      found[operators.findIndex(set => set.has(word))]?.push(token.start)
    }
  }
  return found.find(places => places.length > 0) ?? []
}

// ---------------------------------------------------------------- lines

function outLine(line: SqlLine, depth: number): OutLine {
  const { text, blankBefore, breakBefore } = line
  return { depth, text, blankBefore, breakBefore, isRigid: isRigid(line) }
}

function isRigid(line: SqlLine): boolean {
  return line.endsInComment || line.isTall
}

function isComment(text: string): boolean {
  return text.startsWith('--') || text.startsWith('/*')
}

function outdented(line: OutLine): OutLine {
  return { ...line, depth: line.depth - 1 }
}

/** All on one line; undefined where a comment or a text of several lines is in the way, or where none is that long. */
function flatten(lines: readonly OutLine[]): string | undefined {
  let flat = ''
  for (const { text, isRigid } of lines) {
    if (isRigid || flat.length > lineWidth) return undefined
    const isTight = flat === '' || /[([{]$/.test(flat) || /^[)\]}]/.test(text)
    flat += `${isTight ? '' : ' '}${text}`
  }
  return flat
}
