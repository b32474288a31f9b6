/**
 * Where the lines of a query end: what sql-formatter broke into a line each comes together again where it fits, short
 * clauses stand beside their keyword, joins below FROM, conditions below WHERE and ON. Moves line breaks and
 * indentation only; never touches a word.
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
  const clause = clauseOf(line, outLine(line, depth), body, depth)
  return [...(/ BY$/.test(line.text) ? clause.flatMap(each => framed(each, depth)) : clause), ...comments]
}

/** The frame of a window is a clause, though sql-formatter takes it for the end of ORDER BY. */
function framed(line: OutLine, depth: number): OutLine[] {
  const start = line.isRigid ? undefined : frameAt(line)
  if (start === undefined) return [line]
  const frame = { ...line, depth, text: line.text.slice(start), blankBefore: false }
  return start === 0 ? [frame] : [{ ...line, text: line.text.slice(0, start).trimEnd() }, frame]
}

/** Where the frame begins that stands outside brackets. */
function frameAt(line: OutLine): number | undefined {
  return wordAt(line, /(?:ROWS|RANGE|GROUPS) (?:BETWEEN|UNBOUNDED|CURRENT|.* PRECEDING)\b/y)
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

/** Where the ON outside brackets is. */
function onAt(line: OutLine): number | undefined {
  return wordAt(line, /ON\b/y)
}
