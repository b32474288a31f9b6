/**
 * Finds the template tags in an SQL text and their mistakes (decisions 1). Tags in comments do not count;
 * tags in strings are rejected, except `var`. It never resolves a tag.
 */

import type { Engine } from '../engines/engine.ts'
import { blockComment, endOfLine, endOfTag } from '../engines/lexing.ts'
import type { Facts } from '../text/diagnostic.ts'
import { mostProblems } from '../text/most-problems.ts'
import { nearestNames } from '../text/nearest-names.ts'
import type { Range } from '../text/range.ts'
import { readArguments } from './macro-call.ts'
import { tagHint } from './tag-habits.ts'
import type { Tag } from './template.ts'

export interface TemplateProblem {
  readonly code:
    | 'unclosed-tag'
    | 'invalid-tag'
    | 'not-built-yet'
    | 'unknown-macro'
    | 'macro-arguments'
    | 'macro-cycle'
    | 'macro-too-long'
  /** The range in the template's text. */
  readonly range: Range
  readonly message: string
  readonly hint: string
  readonly facts?: Facts
  /** The nearest valid names. */
  readonly suggestions?: readonly string[]
  /** The corrected tag. */
  readonly replacement?: string
}

export interface TemplateScan {
  readonly tags: readonly Tag[]
  readonly problems: readonly TemplateProblem[]
}

const nothing: TemplateScan = { tags: [], problems: [] }
const mark = /\{[{%#]/

export function hasTemplateMark(text: string): boolean {
  return mark.test(text)
}

export function scanTemplate(text: string, engine: Engine): TemplateScan {
  if (!hasTemplateMark(text)) return nothing
  const tags: Tag[] = []
  const problems: TemplateProblem[] = []
  const add: Visit = (start, inString) => {
    const scanned = readTag(text, start, inString, engine)
    tags.push(scanned.tag)
    if (scanned.problem !== undefined) problems.push(scanned.problem)
    return problems.length > mostProblems ? text.length : scanned.tag.range.end
  }
  walkMarks(text, engine, add)
  return { tags, problems }
}

const landmark = /--|\/\*|'|"|\$|\{[{%#]/g

/** Visits a tag and returns the offset to continue from. */
type Visit = (start: number, inString: boolean) => number

/** Calls `visit` for each `{{`, `{%` and `{#` outside comments. */
function walkMarks(text: string, engine: Engine, visit: Visit): void {
  let position = 0
  for (;;) {
    landmark.lastIndex = position
    const mark = landmark.exec(text)
    if (mark === null) return
    const start = mark.index
    switch (mark[0]) {
      case '--':
        position = endOfLine(text, start)
        break
      case '/*':
        position = blockComment(text, start).end
        break
      case "'":
      case '"':
        position = walkString(text, start, mark[0], engine, visit)
        break
      case '$':
        position = walkDollarString(text, start, visit)
        break
      default:
        position = visit(start, false)
    }
  }
}

/**
 * Returns whether a string was left open: an unclosed quote seems to be closed by the one that should open
 * the next string. Then it extends over a line break to a tag, and the text ends inside a string. Such a
 * string is taken to end with its line.
 */
function isLeftOpen(
  text: string,
  start: number,
  tag: number | undefined,
  end: number,
  engine: Engine,
): boolean {
  if (tag === undefined || !/[\r\n]/.test(text.slice(start, tag))) return false
  return engine.tokens(text.slice(end)).at(-1)?.closed === false
}

function walkString(text: string, start: number, quote: string, engine: Engine, visit: Visit): number {
  const hasEscapes =
    quote === "'" && /[eE]/.test(text.charAt(start - 1)) && !/\w/.test(text.charAt(start - 2))
  const tagStarts: number[] = []
  let position = start + 1
  let isClosed = false
  while (position < text.length && !isClosed) {
    const character = text[position]
    if (character === quote && text[position + 1] === quote) position += 2
    else if (character === quote) {
      isClosed = true
      position++
    } else if (hasEscapes && character === '\\') position += 2
    else if (character === '{' && isTagStart(text, position)) {
      tagStarts.push(position)
      position = text.indexOf('}}', position) + 2
    } else position++
  }
  if (isClosed && isLeftOpen(text, start, tagStarts[0], position, engine)) return endOfLine(text, start)
  // A string that is never closed is a mistake of the SQL and reported there.
  for (const tagStart of tagStarts) visit(tagStart, isClosed)
  return position
}

/**
 * Returns whether a tag starts here. In strings only a certain tag counts: `{%` and `{#` may be part of the
 * text.
 */
function isTagStart(text: string, position: number): boolean {
  return /^\{\{\s*\w/.test(text.slice(position, position + 20)) && text.includes('}}', position)
}

function walkDollarString(text: string, start: number, visit: Visit): number {
  const isInWord = /[\w$\u0080-\uffff]/.test(text.charAt(start - 1))
  const tag = isInWord
    ? undefined
    : /^\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/.exec(text.slice(start, start + 130))?.[0]
  if (tag === undefined) return start + 1
  const closingAt = text.indexOf(tag, start + tag.length)
  const end = closingAt < 0 ? text.length : closingAt
  for (let position = start + tag.length; position < end; ) {
    position = text[position] === '{' && isTagStart(text, position) ? visit(position, true) : position + 1
  }
  return Math.min(text.length, end + tag.length)
}

// ---------------------------------------------------------------- one tag

interface FoundTag {
  readonly tag: Tag
  readonly problem?: TemplateProblem
}

const call = /^\s*([A-Za-z_][\w.]*)\s*(?:\(([\s\S]*)\))?\s*$/
const quotedName = /^\s*(?:'([^']*)'|"([^"]*)")\s*$/
/** The names of tags that are no macros. */
export const tagNames = ['source', 'ref', 'this', 'var', 'window.start', 'window.end']
const macroCall = /^\{\{\s*([A-Za-z_]\w*)\s*\(([\s\S]*)\)\s*\}\}$/

function readTag(text: string, start: number, inString: boolean, engine: Engine): FoundTag {
  if (text[start + 1] !== '{') return notSupported(text, start)
  // Only a call of a macro holds other tags: elsewhere the first `}}` ends a tag.
  const end = endOfTag(text, start)
  if (end === undefined) return unclosed(text, start)
  const range = { start, end }
  const scanned = readMacroCall(text, range, engine) ?? readCall(text.slice(start + 2, end - 2), range)
  if (scanned.tag.kind !== 'macro' && text.slice(start + 2, end).includes('{{')) return unclosed(text, start)
  if (scanned.problem !== undefined || !inString || scanned.tag.kind === 'var') return scanned
  return invalid(
    range,
    'a tag inside an SQL string is not replaced by a table',
    'Take the tag out of the quotes.',
  )
}

function notSupported(text: string, start: number): FoundTag {
  const isComment = text[start + 1] === '#'
  const close = text.indexOf(isComment ? '#}' : '%}', start + 2)
  const range = { start, end: close < 0 ? endOfLine(text, start) : close + 2 }
  return isComment
    ? invalid(range, 'template comments {# … #} are not supported', 'Write an SQL comment: -- …')
    : invalid(
        range,
        'statements {% … %} are not supported: a file has no loops and no conditionals',
        'Write the SQL out, or use a CTE.',
        { statement: true },
      )
}

function unclosed(text: string, start: number): FoundTag {
  const range = { start, end: Math.max(start + 2, Math.min(endOfLine(text, start), nextTag(text, start))) }
  const problem = 'the template tag is not closed'
  return {
    tag: { kind: 'invalid', range, problem },
    problem: { code: 'unclosed-tag', range, message: problem, hint: 'End it with }}.' },
  }
}

function nextTag(text: string, start: number): number {
  const next = text.indexOf('{{', start + 2)
  return next < 0 ? text.length : next
}

function invalid(range: Range, problem: string, hint: string, facts?: Facts): FoundTag {
  return {
    tag: { kind: 'invalid', range, problem },
    problem: { code: 'invalid-tag', range, message: problem, hint, ...(facts !== undefined && { facts }) },
  }
}

/** Returns undefined for anything else: whether there is such a macro is found where it is expanded. */
function readMacroCall(text: string, range: Range, engine: Engine): FoundTag | undefined {
  const match = macroCall.exec(text.slice(range.start, range.end))
  const [, name = '', inner = ''] = match ?? []
  if (match === null || tagNames.includes(name)) return undefined
  const nameStart = range.start + match[0].indexOf(name)
  const nameRange = { start: nameStart, end: nameStart + name.length }
  const innerStart = text.indexOf('(', nameRange.end) + 1
  const read = readArguments(
    text,
    { start: innerStart, end: innerStart + inner.length },
    engine,
    scanTemplate,
  )
  if ('problem' in read)
    return invalid(read.range, read.problem, 'Write {{ name(value, parameter := value) }}.')
  return { tag: { kind: 'macro', range, name, nameRange, arguments: read } }
}

function readCall(inner: string, range: Range): FoundTag {
  const match = call.exec(inner)
  if (match === null) return invalid(range, `"${shortened(inner)}" is not a template tag`, allTags)
  const name = match[1] ?? ''
  const argument = match[2]
  switch (name) {
    case 'source':
      return argument === undefined || argument.trim() === ''
        ? { tag: { kind: 'source', range } }
        : named(inner, argument, range, 'source')
    case 'ref':
    case 'var':
      return named(inner, argument, range, name)
    case 'this':
      return argument === undefined
        ? { tag: { kind: 'this', range } }
        : invalid(range, '{{ this }} takes no argument', 'Write {{ this }}.')
    case 'window.start':
    case 'window.end':
      return notBuiltYet(range, name)
    default:
      return unknownFunction(range, name, inner)
  }
}

export const allTags =
  "Tags are {{ source }}, {{ source('child') }}, {{ ref('asset') }}, {{ this }} and {{ var('name') }}."

function named(
  inner: string,
  argument: string | undefined,
  range: Range,
  kind: 'source' | 'ref' | 'var',
): FoundTag {
  const match = argument === undefined ? null : quotedName.exec(argument)
  const name = match?.[1] ?? match?.[2] ?? ''
  if (argument === undefined || name === '') return withoutName(range, kind, argument)
  const argumentStart = range.start + 2 + inner.indexOf('(') + 1
  const start = argumentStart + argument.search(/['"]/) + 1
  const nameRange = { start, end: start + name.length }
  if (kind === 'source') return { tag: { kind, range, child: name, nameRange } }
  return { tag: { kind, range, name, nameRange } }
}

function withoutName(range: Range, kind: 'source' | 'ref' | 'var', argument: string | undefined): FoundTag {
  const bare = argument?.trim() ?? ''
  const example = /^[\w.]+$/.test(bare)
    ? bare
    : kind === 'source'
      ? 'child'
      : kind === 'ref'
        ? 'asset'
        : 'name'
  const problem =
    bare === '' ? `${kind}() needs a name` : `${kind}() takes one name in quotes, not ${shortened(bare)}`
  const hint = bare.includes(',') ? tagHint(kind) : undefined
  return invalid(range, problem, hint ?? `Write {{ ${kind}('${example}') }}.`)
}

function notBuiltYet(range: Range, name: string): FoundTag {
  const problem = `{{ ${name} }} is not built yet`
  const hint = 'Runs process a whole source for now; filter by a column instead.'
  return {
    tag: { kind: 'window', range, edge: name === 'window.start' ? 'start' : 'end' },
    problem: { code: 'not-built-yet', range, message: problem, hint },
  }
}

function unknownFunction(range: Range, name: string, inner: string): FoundTag {
  const suggestions = nearestNames(name, tagNames)
  const nearest = suggestions[0]
  const message = `there is no template tag "${name}"`
  const hint = tagHint(name)
  if (hint !== undefined) return invalid(range, message, hint)
  if (nearest === undefined) return invalid(range, message, allTags)
  const { tag, problem } = invalid(range, message, `did you mean "${nearest}"?`)
  if (problem === undefined) return { tag }
  return { tag, problem: { ...problem, suggestions, replacement: `{{${inner.replace(name, nearest)}}}` } }
}

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > 40 ? `${line.slice(0, 39)}…` : line
}
