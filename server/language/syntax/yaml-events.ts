/**
 * The fast YAML parser: it handles one valid document without anchors, aliases, tags or complex keys. For any
 * other text it returns `undefined`, and the recovering parser is used.
 */

import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE, type ScalarEvent } from 'js-yaml'
import { emptyScalar } from './empty-scalar.ts'
import {
  type MapEntry,
  type MapNode,
  type Node,
  type ScalarNode,
  type ScalarStyle,
  type SequenceNode,
  scalarNode,
} from './node.ts'
import { resolvePlainScalar } from './plain-scalar.ts'

const styles: Readonly<Record<number, ScalarStyle>> = {
  [SCALAR_STYLE.PLAIN]: 'plain',
  [SCALAR_STYLE.SINGLE_QUOTED]: 'single',
  [SCALAR_STYLE.DOUBLE_QUOTED]: 'double',
  [SCALAR_STYLE.LITERAL_BLOCK]: 'literal',
  [SCALAR_STYLE.FOLDED_BLOCK]: 'folded',
}

/**
 * Parses a text. `root` is undefined for a valid text without content. The result is undefined if the other
 * parser is needed.
 */
export function parseYamlEvents(text: string): { readonly root: Node | undefined } | undefined {
  const events = validEvents(text)
  if (events === undefined) return undefined
  if (events.length === 0) return { root: undefined }
  const reader: EventReader = { text, events, next: 1, unusual: false }
  const first = events[1]
  const root = isEmptyScalar(first) ? undefined : readNode(reader)
  const isWholeText = reader.events[root === undefined ? 2 : reader.next]?.type === EVENT_ID.POP
  if (reader.unusual || !isWholeText) return undefined
  return events.length > reader.next + (root === undefined ? 2 : 1) ? undefined : { root }
}

function validEvents(text: string): Event[] | undefined {
  try {
    return parseEvents(text, {})
  } catch {
    // The recovering parser finds the errors again and returns a tree.
    return undefined
  }
}

interface EventReader {
  readonly text: string
  readonly events: readonly Event[]
  next: number
  /** Set for syntax that only the recovering parser handles. */
  unusual: boolean
}

function readNode(reader: EventReader): Node {
  const event = reader.events[reader.next++]
  switch (event?.type) {
    case EVENT_ID.SCALAR:
      return readScalar(reader, event, false)
    case EVENT_ID.MAPPING:
      if (event.anchorStart >= 0 || event.tagStart >= 0) reader.unusual = true
      return readMap(reader, event.start)
    case EVENT_ID.SEQUENCE:
      if (event.anchorStart >= 0 || event.tagStart >= 0) reader.unusual = true
      return readSequence(reader, event.start)
    default:
      reader.unusual = true
      return emptyScalar
  }
}

function isEmptyScalar(event: Event | undefined): boolean {
  return (
    event?.type === EVENT_ID.SCALAR && event.valueStart < 0 && event.anchorStart < 0 && event.tagStart < 0
  )
}

function readMap(reader: EventReader, start: number): MapNode {
  const entries: MapEntry[] = []
  let end = start
  for (let event = reader.events[reader.next]; event?.type !== EVENT_ID.POP && !reader.unusual; ) {
    reader.next++
    if (event?.type !== EVENT_ID.SCALAR || event.valueStart < 0) {
      reader.unusual = true
      break
    }
    const key = readScalar(reader, event, true)
    const hasNoValue = isEmptyScalar(reader.events[reader.next])
    if (hasNoValue) reader.next++
    const value = hasNoValue ? undefined : readNode(reader)
    entries.push({ key, value })
    end = value?.range.end ?? key.range.end
    event = reader.events[reader.next]
  }
  reader.next++
  const isFlow = reader.text.charCodeAt(start) === 123
  const first = entries[0]?.key.range.start ?? start
  return isFlow
    ? { kind: 'map', range: { start, end: closingBracket(reader.text, end, '}') }, entries }
    : { kind: 'map', range: { start: first, end }, entries }
}

function readSequence(reader: EventReader, start: number): SequenceNode {
  const items: Node[] = []
  let end = start
  while (reader.events[reader.next]?.type !== EVENT_ID.POP && !reader.unusual) {
    if (isEmptyScalar(reader.events[reader.next])) {
      // The events have no place for an empty item.
      reader.unusual = true
      break
    }
    const item = readNode(reader)
    items.push(item)
    end = item.range.end
  }
  reader.next++
  const isFlow = reader.text.charCodeAt(start) === 91
  return {
    kind: 'sequence',
    range: { start, end: isFlow ? closingBracket(reader.text, end, ']') : end },
    items,
  }
}

/**
 * Returns the end of a flow collection; after its last child come only spaces, comments, a colon and a comma.
 */
function closingBracket(text: string, from: number, bracket: string): number {
  let offset = from
  while (offset < text.length) {
    const character = text[offset]
    if (character === bracket && offset >= from) return offset + 1
    if (character === '#') {
      while (offset < text.length && text[offset] !== '\n' && text[offset] !== '\r') offset++
    } else {
      offset++
    }
  }
  return text.length
}

function readScalar(reader: EventReader, event: ScalarEvent, isKey: boolean): ScalarNode {
  if (event.anchorStart >= 0 || event.tagStart >= 0) reader.unusual = true
  const { text } = reader
  const style = styles[event.style] ?? 'plain'
  const value = getScalarValue(text, event)
  const { valueStart: start, valueEnd: end } = event
  if (style === 'plain') return scalarNode(style, isKey ? value : resolvePlainScalar(value), { start, end })
  if (style === 'single' || style === 'double')
    return scalarNode(style, value, { start: start - 1, end: end + 1 }, { start, end })
  const bodyRange = { start, end: blockEnd(text, start, end) }
  const range = { start: blockHeader(text, start), end: bodyRange.end }
  return scalarNode(style, value, range, bodyRange)
}

/** Returns the offset of the `|` or `>` of a block scalar whose lines start at `bodyStart`. */
function blockHeader(text: string, bodyStart: number): number {
  let lineStart = bodyStart - 1
  if (text[lineStart] === '\n' && text[lineStart - 1] === '\r') lineStart--
  while (lineStart > 0 && text[lineStart - 1] !== '\n' && text[lineStart - 1] !== '\r') lineStart--
  const header = /[|>][-+\d]*(?:[ \t]+#.*)?[ \t]*$/.exec(text.slice(lineStart, bodyStart).trimEnd())
  return header === null ? bodyStart : lineStart + header.index
}

/** Returns the end of the last line that is not blank. */
export function blockEnd(text: string, start: number, end: number): number {
  let last = end
  while (last > start && isBlank(text.charCodeAt(last - 1))) last--
  if (last === start) return start
  // Spaces at the end of the last line belong to it.
  while (last < end && (text[last] === ' ' || text[last] === '\t')) last++
  return last
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13
}
