/**
 * Decides the line breaks of a query: pieces that sql-formatter put on separate lines are joined if they fit,
 * short clauses go beside their keyword, joins below FROM, conditions below WHERE and ON. It changes line
 * breaks and indentation only, never a word.
 */
import { chainOf, endOfChain } from './sql-brackets.ts'
import type { SqlLine } from './sql-lines.ts'
import {
  closes,
  flatten,
  isComment,
  lineWidth,
  type OutLine,
  opens,
  outdented,
  outLine,
} from './sql-out-line.ts'
import { brokenLine, wordAt } from './sql-terms.ts'

/** Returns the text without a line break at its end. `preferOneLine` keeps a query that fits on one line. */
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
        ? chainOf(lines.slice(index, end), depth, blockOf)
        : lineOf(lines[index], depth, lines[end])),
    )
    index = end
  }
  return out
}

function lineOf(line: SqlLine | undefined, depth: number, next: SqlLine | undefined): OutLine[] {
  if (line === undefined) return []
  const end = endOfBody(line.children, next)
  const body = blockOf(line.children.slice(0, end), depth + 1)
  const comments = blockOf(line.children.slice(end), depth)
  const clause = clauseOf(line, outLine(line, depth), body)
  return [...(/ BY$/.test(line.text) ? clause.flatMap(each => framed(each, depth)) : clause), ...comments]
}

/** Splits off the frame of a window as a clause; sql-formatter takes it for the end of ORDER BY. */
function framed(line: OutLine, depth: number): OutLine[] {
  const start = line.isRigid ? undefined : frameAt(line)
  if (start === undefined) return [line]
  const frame = { ...line, depth, text: line.text.slice(start), blankBefore: false }
  return start === 0 ? [frame] : [{ ...line, text: line.text.slice(0, start).trimEnd() }, frame]
}

/** Returns the start of the frame outside brackets. */
function frameAt(line: OutLine): number | undefined {
  return wordAt(line, /(?:ROWS|RANGE|GROUPS) (?:BETWEEN|UNBOUNDED|CURRENT|.* PRECEDING)\b/y)
}

/**
 * Returns the end of a body. Comments above the next clause that are not indented more belong to that clause.
 */
function endOfBody(children: readonly SqlLine[], next: SqlLine | undefined): number {
  let end = children.length
  if (next === undefined) return end
  const isAbove = (line: SqlLine | undefined) =>
    line !== undefined && isComment(line.text) && line.breakBefore && line.column <= next.column
  while (end > 1 && isAbove(children[end - 1])) end--
  return end
}

function clauseOf(line: SqlLine, head: OutLine, body: readonly OutLine[]): OutLine[] {
  const [first] = body
  if (first === undefined) return [head]
  if (head.isRigid || isComment(first.text) || !/^[A-Z ]+$/.test(line.text)) return [head, ...body]
  const clause = line.text
  if (clause === 'FROM') return fromClause(head, body)
  if (['WHERE', 'HAVING', 'QUALIFY'].includes(clause)) return conditions(head, body)
  if (clause === 'SELECT DISTINCT') return listed(...distinctOn(head, first, body))
  return listed(head, body, first.breakBefore)
}

/** Puts a list beside its keyword if it fits. One that the user started on a new line keeps one item per line. */
function listed(head: OutLine, body: readonly OutLine[], isBelow: boolean): OutLine[] {
  const [first] = body
  const flat = isBelow ? undefined : body.length === 1 ? first?.text : flatten(body)
  if (first === undefined || flat === undefined || flat.includes('\n')) return [head, ...body]
  const text = `${head.text} ${flat}`
  const isFitting = head.depth * 2 + text.length <= lineWidth
  return isFitting ? [{ ...head, text, isRigid: first.isRigid }] : [head, ...body]
}

/** Puts `ON (…)` beside its keyword; sql-formatter takes it for the beginning of the first column. */
function distinctOn(head: OutLine, first: OutLine, body: readonly OutLine[]): Parameters<typeof listed> {
  const end = first.text.startsWith('ON (') ? endOfBracket(first) : undefined
  const column = first.text.slice(end).trimStart()
  if (end === undefined || isComment(column)) return [head, body, first.breakBefore]
  const whole = { ...head, text: `${head.text} ${first.text.slice(0, end)}` }
  const [second] = body.slice(1)
  // Of the break behind the bracket nothing is known any more; that before the second column says as much.
  return [
    whole,
    column === '' ? body.slice(1) : [{ ...first, text: column, blankBefore: false }, ...body.slice(1)],
    second?.breakBefore ?? false,
  ]
}

/** Returns the place behind the first bracket of the line that is closed in it. */
function endOfBracket({ engine, text }: OutLine): number | undefined {
  let open = 0
  for (const { start, end } of engine.tokens(text)) {
    if (text.slice(start, end) === '(') open += 1
    if (text.slice(start, end) !== ')') continue
    open -= 1
    if (open === 0) return end
  }
  return undefined
}

/**
 * Puts the first condition beside the keyword and the others below it; a single one brings its inner lines
 * along.
 */
function conditions(head: OutLine, body: readonly OutLine[]): OutLine[] {
  const [first, ...rest] = body
  if (first === undefined) return [head]
  const joined = { ...head, text: `${head.text} ${first.text}`, isRigid: first.isRigid }
  const isSingle = rest.every(line => line.depth > first.depth || closes(line.text))
  return [joined, ...(isSingle ? rest.map(outdented) : rest)]
}

/** Puts the first table beside FROM, and each join on a line of its own at the same depth. */
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

/** Groups the lines of a body into items: a table, or a join with all its conditions. */
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

/** Breaks a join before ON if it does not fit or has several conditions. */
function withConditions(join: readonly OutLine[]): OutLine[] {
  const [first, ...rest] = join
  if (first === undefined) return []
  const isMore = rest.some(line => line.depth === first.depth && /^(?:AND|OR)\b/.test(line.text))
  if (!isMore && first.depth * 2 + first.text.length <= lineWidth) return [...join]
  const at = join.findIndex(line => line.depth === first.depth && onAt(line) !== undefined)
  const line = join[at]
  const place = line === undefined ? undefined : onAt(line)
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

/** Returns the position of ON outside brackets. */
function onAt(line: OutLine): number | undefined {
  return wordAt(line, /ON\b/y)
}
