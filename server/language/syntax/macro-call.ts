/** Reads the arguments of a macro call: SQL between commas, each with its tags. */
import type { Engine } from '../engines/engine.ts'
import type { SqlToken } from '../engines/sql-token.ts'
import type { Range } from '../text/range.ts'
import type { MacroArgument, Tag } from './template.ts'

export interface ArgumentProblem {
  readonly range: Range
  readonly problem: string
}

/** Finds the tags of a text. It is handed over, because the scanner of templates reads calls by this file. */
type Scan = (
  text: string,
  engine: Engine,
) => { readonly tags: readonly Tag[]; readonly problems: readonly Slip[] }

interface Slip {
  readonly range: Range
  readonly message: string
}

/** Reads the arguments in a part of `text`. */
export function readArguments(
  text: string,
  { start, end }: Range,
  engine: Engine,
  scan: Scan,
): readonly MacroArgument[] | ArgumentProblem {
  const inner = text.slice(start, end)
  const tokens = engine.tokens(inner).filter(({ kind }) => kind !== 'comment')
  if (tokens.length === 0) return []
  const { tags, problems } = scan(inner, engine)
  const [problem] = problems
  if (problem !== undefined) return { range: moved(problem.range, start), problem: problem.message }
  const found: MacroArgument[] = []
  for (const part of partsOf(inner, tokens)) {
    const read = argumentOf(inner, part)
    if (read === undefined)
      return { range: { start: start - 1, end: end + 1 }, problem: 'an argument is missing' }
    const within = tags.filter(tag => tag.range.start >= read.range.start && tag.range.end <= read.range.end)
    found.push({
      ...read,
      range: moved(read.range, start),
      ...(read.nameRange && { nameRange: moved(read.nameRange, start) }),
      tags: within.map(tag => movedTag(tag, start)),
    })
  }
  return found
}

/** Splits the tokens at the commas outside of brackets. */
export function partsOf(text: string, tokens: readonly SqlToken[]): SqlToken[][] {
  const parts: SqlToken[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    const mark = token.kind === 'punctuation' ? text.slice(token.start, token.end) : ''
    if ('([{'.includes(mark) && mark !== '') depth++
    if (')]}'.includes(mark) && mark !== '') depth--
    if (mark === ',' && depth === 0) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

function argumentOf(text: string, tokens: readonly SqlToken[]): Omit<MacroArgument, 'tags'> | undefined {
  const [first, mark] = tokens
  const last = tokens.at(-1)
  if (first === undefined || last === undefined) return undefined
  const isNamed =
    first.kind === 'word' && mark !== undefined && text.slice(mark.start, mark.start + 2) === ':='
  if (!isNamed) return { range: { start: first.start, end: last.end } }
  const value = tokens.find(({ start }) => start >= mark.start + 2)
  if (value === undefined) return undefined
  const nameRange = { start: first.start, end: first.end }
  return {
    range: { start: value.start, end: last.end },
    name: text.slice(first.start, first.end),
    nameRange,
  }
}

export function moved({ start, end }: Range, by: number): Range {
  return { start: start + by, end: end + by }
}

/** Returns the tag at another offset of its text. */
export function movedTag(tag: Tag, by: number): Tag {
  if (by === 0) return tag
  const range = moved(tag.range, by)
  if (tag.kind === 'macro')
    return {
      ...tag,
      range,
      nameRange: moved(tag.nameRange, by),
      arguments: tag.arguments.map(each => ({
        ...each,
        range: moved(each.range, by),
        ...(each.nameRange && { nameRange: moved(each.nameRange, by) }),
        tags: each.tags.map(inner => movedTag(inner, by)),
      })),
    }
  return 'nameRange' in tag && tag.nameRange !== undefined
    ? { ...tag, range, nameRange: moved(tag.nameRange, by) }
    : { ...tag, range }
}
