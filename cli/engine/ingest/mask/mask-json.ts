/** Writes JSON records again with their masked values. All other bytes of a record stay, so that no number loses a digit. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type FoundRecord, JsonScanner, type MaskRules, newShape } from '@svc/server/language'
import { partitionSpools } from '../partition-spools.ts'
import type { JsonFiles } from '../record-source.ts'
import { scanJsonFile } from '../scan-json.ts'
import type { Mask, Masking } from './mask.ts'

/** Returns the files with the masked records. */
export async function maskJsonFiles(
  { files, format, keys = [] }: JsonFiles,
  { mask, folder, limits, signal }: Masking,
): Promise<JsonFiles> {
  const place = format === 'array' ? ({ kind: 'path', path: [] } as const) : ({ kind: 'lines' } as const)
  const masked = join(folder, 'masked')
  mkdirSync(masked, { recursive: true, mode: 0o700 })
  const spool = partitionSpools(masked, keys)
  const walk = new Walk(mask, decisions(mask.rules))
  try {
    for (const path of files) {
      const onRecord = (record: FoundRecord) => spool.write(path, walk.masked(record))
      await scanJsonFile(path, { place, shape: newShape(), levels: 0, limits, signal, onRecord })
    }
    return spool.finish()
  } catch (error) {
    spool.abandon()
    throw error
  }
}

interface Decision {
  readonly kind: ReturnType<MaskRules['kindAt']>
  readonly reachesInto: boolean
}

/** Remembers what the rules say of each path, because every record has the same ones. */
function decisions(rules: MaskRules): (path: readonly string[]) => Decision {
  const known = new Map<string, Decision>()
  return path => {
    const key = path.join('\0')
    const found = known.get(key)
    if (found !== undefined) return found
    const decision = { kind: rules.kindAt(path), reachesInto: rules.reachesInto(path) }
    known.set(key, decision)
    return decision
  }
}

const quote = 34
const letterOfNull = 110

class Walk {
  readonly #mask: Mask
  readonly #decide: (path: readonly string[]) => Decision
  /** How deep a record may be was seen when it was read. */
  readonly #scanner = new JsonScanner(Number.POSITIVE_INFINITY)
  #bytes: Buffer = Buffer.alloc(0)
  #pieces: Buffer[] = []
  /** The end of what is in the pieces. */
  #done = 0

  constructor(mask: Mask, decide: (path: readonly string[]) => Decision) {
    this.#mask = mask
    this.#decide = decide
  }

  masked(record: FoundRecord): FoundRecord {
    const { bytes, start, end, isObject } = record
    // The scanner needs a zero behind the text.
    this.#bytes = Buffer.concat([bytes.subarray(start, end)], end - start + 1)
    this.#pieces = []
    this.#done = 0
    const length = end - start
    this.#scanner.use(this.#bytes, length, true)
    this.#value(0, isObject ? [] : ['value'])
    this.#pieces.push(this.#bytes.subarray(this.#done, length))
    const masked = Buffer.concat(this.#pieces)
    return { ...record, bytes: masked, start: 0, end: masked.length }
  }

  /** Returns the end of the value at `at`. */
  #value(at: number, path: readonly string[]): number {
    const { kind, reachesInto } = this.#decide(path)
    const byte = this.#bytes[at]
    if (kind !== undefined || reachesInto || path.length === 0) {
      if (byte === 123) return this.#object(at, path)
      if (byte === 91) return this.#list(at, path)
    }
    const end = this.#scanner.value(at, undefined, 0)
    if (kind !== undefined && byte !== letterOfNull) this.#replace(at, end, kind)
    return end
  }

  #object(start: number, path: readonly string[]): number {
    let at = this.#scanner.skipSpace(start + 1)
    while (this.#bytes[at] !== 125) {
      const keyEnd = this.#scanner.string(at)
      const key = JSON.parse(this.#text(at, keyEnd)) as string
      const colon = this.#scanner.skipSpace(keyEnd)
      const end = this.#value(this.#scanner.skipSpace(colon + 1), [...path, key])
      at = this.#behindComma(end)
    }
    return at + 1
  }

  #list(start: number, path: readonly string[]): number {
    let at = this.#scanner.skipSpace(start + 1)
    while (this.#bytes[at] !== 93) at = this.#behindComma(this.#value(at, path))
    return at + 1
  }

  /** Returns the start of the next member, or the end of the object or list. */
  #behindComma(end: number): number {
    const at = this.#scanner.skipSpace(end)
    return this.#bytes[at] === 44 ? this.#scanner.skipSpace(at + 1) : at
  }

  #replace(start: number, end: number, kind: NonNullable<Decision['kind']>): void {
    const written = this.#text(start, end)
    const text = this.#bytes[start] === quote ? (JSON.parse(written) as string) : written
    this.#pieces.push(this.#bytes.subarray(this.#done, start))
    this.#pieces.push(Buffer.from(JSON.stringify(this.#mask.hidden(kind, text))))
    this.#done = end
  }

  #text(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end)
  }
}
