/**
 * Finds faults in valid JSON that `JSON.parse` accepts: a duplicate member (the last one would win, and two
 * readers of one body would see different things), nesting so deep that processing the value overflows the stack, and
 * so many members, items or values that parsing and checking them holds up all other requests.
 */

export type JsonFault =
  | { readonly kind: 'depth'; readonly offset: number }
  | { readonly kind: 'members' | 'items'; readonly pointer: string; readonly offset: number }
  | { readonly kind: 'values'; readonly offset: number }
  | { readonly kind: 'duplicate'; readonly pointer: string; readonly offset: number }

export interface JsonLimits {
  /** Nested lists and objects; 0: any depth. */
  readonly depth: number
  /** Members of one object, and items of one list; 0: any number. */
  readonly members: number
  /** Values in all, of which a list or an object counts as five; 0: any number. */
  readonly values: number
}

interface Frame {
  /** The names seen so far; undefined in a list. */
  readonly names: Set<string> | undefined
  /** The current member or index. */
  at: string | number
}

/** The bytes that matter outside of strings; all others (numbers, words, space) are skipped. */
const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openList = 0x5b
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

/** Making one takes about as long as making five numbers. */
const weightOfContainer = 5

/** Returns the first fault of a text. */
export function findJsonFault(text: string, limits: JsonLimits): JsonFault | undefined {
  const scan = scanJson(text, limits)
  for (;;) {
    const { done, value } = scan.next()
    if (done === true) return value
  }
}

/** Characters of a step, which takes about a millisecond. */
const stepLength = 64 * 1024

/** The same in steps. Of a text that is no JSON it may find no fault. */
export function* scanJson(text: string, limits: JsonLimits): Generator<undefined, JsonFault | undefined> {
  const frames: Frame[] = []
  let wantsName = false
  let values = 0
  let stepEnd = stepLength
  for (let offset = 0; offset < text.length; offset++) {
    if (offset > stepEnd) {
      stepEnd = offset + stepLength
      yield undefined
    }
    if (values > limits.values && limits.values > 0) return { kind: 'values', offset }
    const code = text.charCodeAt(offset)
    if (code === quote) {
      const end = endOfString(text, offset)
      const frame = frames.at(-1)
      if (wantsName && frame?.names !== undefined) {
        const name = readString(text, offset, end)
        frame.at = name
        if (frame.names.has(name)) return { kind: 'duplicate', pointer: pointerOf(frames), offset }
        if (limits.members > 0 && frame.names.size === limits.members)
          return { kind: 'members', pointer: pointerOf(frames.slice(0, -1)), offset }
        frame.names.add(name)
      }
      offset = end
    } else if (code === openObject || code === openList) {
      if (frames.length === limits.depth && limits.depth > 0) return { kind: 'depth', offset }
      values += weightOfContainer
      frames.push(code === openObject ? { names: new Set(), at: '' } : { names: undefined, at: 0 })
      wantsName = code === openObject
    } else if (code === closeObject || code === closeList) {
      frames.pop()
      wantsName = false
    } else if (code === colon) {
      wantsName = false
    } else if (code === comma) {
      values++
      const frame = frames.at(-1)
      wantsName = frame?.names !== undefined
      if (frame === undefined || typeof frame.at === 'string') continue
      if (++frame.at === limits.members && limits.members > 0)
        return { kind: 'items', pointer: pointerOf(frames.slice(0, -1)), offset }
    }
  }
  return undefined
}

/** Returns the offset of the closing quote, or the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    if (!isEscaped(text, end)) return end
  }
  return text.length
}

/** A quote after an odd number of backslashes belongs to the string. */
function isEscaped(text: string, offset: number): boolean {
  let before = offset
  while (text.charCodeAt(before - 1) === backslash) before--
  return (offset - before) % 2 === 1
}

/** Decodes escapes, because `"a"` and `"\u0061"` are the same name. */
function readString(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end)
  return raw.includes('\\') ? (JSON.parse(text.slice(start, end + 1)) as string) : raw
}

/** RFC 6901. */
function pointerOf(frames: readonly Frame[]): string {
  return frames.map(({ at }) => `/${String(at).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
