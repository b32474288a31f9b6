/**
 * Large JSON files in which each asset has its own pieces: those of unchanged assets are taken over from the last file as
 * bytes, because a project of 10,000 assets has a hundred megabytes of them.
 */

/** Writes a value as all files have it: two spaces, and secrets hidden where there are any. */
export type WriteJson = (value: unknown) => string

/** A part of a file: a text that is made anew each time, or a list with pieces of assets. */
export type Part = ((json: WriteJson) => string) | PieceList

export interface PieceList {
  readonly brackets: '[]' | '{}'
  /** The indentation of the line on which the list begins. */
  readonly indent: string
  /** Returns the items of an asset as they stand in the file, with a comma between them; empty if it has none. */
  readonly text: (asset: string, json: WriteJson) => string
  /** Whether the last file has the same text for the asset, but for what `renew` changes. */
  readonly isSame: (asset: string) => boolean
  /** Returns the last text as it is now; it may change these bytes. */
  readonly renew?: (asset: string, last: Buffer, json: WriteJson) => Buffer
}

/** The lengths of the parts of a file, in bytes; of a list those of its pieces. */
export type Lengths = readonly (number | readonly number[])[]

/** A file as it was written last. */
export interface LastBytes {
  readonly bytes: Buffer
  readonly lengths: Lengths
  /** The place of each asset in the lists. */
  readonly places: ReadonlyMap<string, number>
}

export interface LaidOut {
  readonly bytes: readonly Buffer[]
  readonly lengths: Lengths
}

const separator = Buffer.from(',\n')

/**
 * Returns the file that `parts` describe, with the pieces of `assets` in this order. What is new is made without secrets if
 * `clean` finds one in it. `last` must have been made of the same parts.
 */
export function layOut(
  parts: readonly Part[],
  assets: readonly string[],
  last: LastBytes | undefined,
  clean: (text: string) => string,
): LaidOut {
  const made: string[] = []
  const told = layOutWith(parts, assets, last, value => {
    const text = JSON.stringify(value, undefined, 2)
    made.push(text)
    return text
  })
  const whole = made.join('\n')
  if (clean(whole) === whole) return told
  const hide = (_key: string, value: unknown) => (typeof value === 'string' ? clean(value) : value)
  return layOutWith(parts, assets, last, value => JSON.stringify(value, hide, 2))
}

function layOutWith(
  parts: readonly Part[],
  assets: readonly string[],
  last: LastBytes | undefined,
  json: WriteJson,
): LaidOut {
  const old = last === undefined ? [] : piecesOf(last, parts)
  const bytes: Buffer[] = []
  const lengths: (number | number[])[] = []
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'function') {
      const text = Buffer.from(part(json))
      bytes.push(text)
      lengths.push(text.length)
      continue
    }
    const pieces = assets.map(asset => pieceOf(part, asset, old[index]?.(asset), json))
    bytes.push(...listed(part, pieces))
    lengths.push(pieces.map(piece => piece.bytes.length))
  }
  return { bytes, lengths }
}

interface Piece {
  readonly bytes: Buffer
  /** Whether these are bytes of the last file, where they were. */
  readonly isLast: boolean
}

function pieceOf(list: PieceList, asset: string, last: Buffer | undefined, json: WriteJson): Piece {
  if (last === undefined || !list.isSame(asset))
    return { bytes: Buffer.from(list.text(asset, json)), isLast: false }
  const bytes = last.length === 0 ? last : (list.renew?.(asset, last, json) ?? last)
  return { bytes, isLast: bytes === last }
}

/** Neighbours of the last file stay one buffer, with what stands between them: a buffer each takes longer to write. */
function listed({ brackets, indent }: PieceList, pieces: readonly Piece[]): Buffer[] {
  const [open, close] = brackets
  const filled = pieces.filter(({ bytes }) => bytes.length > 0)
  if (filled.length === 0) return [Buffer.from(brackets)]
  const joined: Buffer[] = []
  let run: Buffer | undefined
  for (const { bytes, isLast } of filled) {
    const isNext =
      run !== undefined &&
      isLast &&
      bytes.buffer === run.buffer &&
      bytes.byteOffset === run.byteOffset + run.length + separator.length
    if (run !== undefined && isNext) {
      run = Buffer.from(run.buffer, run.byteOffset, run.length + separator.length + bytes.length)
      continue
    }
    if (run !== undefined) joined.push(run, separator)
    if (isLast) {
      run = bytes
    } else {
      joined.push(bytes, separator)
      run = undefined
    }
  }
  if (run === undefined) joined.pop()
  else joined.push(run)
  return [Buffer.from(`${open}\n`), ...joined, Buffer.from(`\n${indent}${close}`)]
}

/** Returns of each list the lookup of its pieces. */
function piecesOf(
  { bytes, lengths, places }: LastBytes,
  parts: readonly Part[],
): (((asset: string) => Buffer | undefined) | undefined)[] {
  let at = 0
  return lengths.map((length, index) => {
    if (typeof length === 'number') {
      at += length
      return undefined
    }
    const part = parts[index]
    const indent = typeof part === 'object' ? part.indent.length : 0
    const { starts, end } = startsOf(length, at, indent)
    at = end
    return asset => {
      const place = places.get(asset)
      if (place === undefined) return undefined
      const start = starts[place] ?? 0
      return bytes.subarray(start, start + (length[place] ?? 0))
    }
  })
}

/** Returns where the pieces of a list begin that begins at `from`, and where the list ends. */
function startsOf(lengths: readonly number[], from: number, indent: number) {
  let at = from + '[\n'.length
  const starts = lengths.map(length => {
    const start = at
    if (length > 0) at += length + separator.length
    return start
  })
  const isEmpty = lengths.every(length => length === 0)
  const end = isEmpty ? from + '[]'.length : at - separator.length + '\n]'.length + indent
  return { starts, end }
}

/** Returns values as items of a list that begins on a line with `indent`; empty for none. */
export function itemsOf(values: readonly unknown[], indent: string, json: WriteJson): string {
  return values.map(value => `${indent}  ${inside(json(value), `${indent}  `)}`).join(',\n')
}

/** Returns a key with its value as an item of a map that begins on a line with `indent`. */
export function itemOf(key: string, value: unknown, indent: string, json: WriteJson): string {
  return `${indent}  ${JSON.stringify(key)}: ${inside(json(value), `${indent}  `)}`
}

/** No string of JSON contains a line break. */
function inside(text: string, indent: string): string {
  return text.replaceAll('\n', `\n${indent}`)
}

/** Returns the beginning of a file: these keys, and the one whose value follows. */
export function headOf(value: object, next: string, json: WriteJson): string {
  return `${json(value).slice(0, -'\n}'.length)},\n  "${next}": `
}

/** Returns the keys between two values of a file, or after the last one: `more` may be empty. */
export function keysThen(more: object, next: string | undefined, json: WriteJson): string {
  const keys = Object.keys(more).length === 0 ? '' : json(more).slice('{'.length, -'\n}'.length)
  const before = keys === '' ? '' : `,${keys}`
  return next === undefined ? `${before}\n}\n` : `${before},\n  "${next}": `
}
