/**
 * Reads the body of a response, decompressed and as UTF-8: in memory if it is small, otherwise in a file of
 * the spool. If the connection breaks, the error is raised before any of the body is used.
 */
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs'
import { type Readable, Transform } from 'node:stream'
import { TextDecoder } from 'node:util'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { createUtf8Check } from '@svc/server/catalog'
import type { SourceLimits } from '@svc/server/language'

export interface Body {
  readonly bytes: number
  /** The first bytes, for messages and for a look at the kind of content. */
  readonly head: Buffer
  pieces(): AsyncIterable<Buffer> | Iterable<Buffer>
}

/** Thrown for a body that arrived completely and cannot be used, so that a retry would not help. */
export class BodyProblem extends Error {}

export interface BodyOptions {
  readonly encoding: string | undefined
  readonly contentType: string | undefined
  /** The file for a body that is too large for memory. */
  readonly overflowPath: string
  readonly limits: Pick<SourceLimits, 'bodyBytes' | 'ratio'>
}

const memoryLimit = 32 << 20
const headLength = 512
/** A server and a proxy may each pack a response. */
const mostLayers = 2

export async function readBody(raw: Readable, options: BodyOptions): Promise<Body> {
  const sink = createSink(options.overflowPath)
  const check = createUtf8Check()
  // An error of a body that is no longer read can be ignored.
  raw.on('error', () => undefined)
  const counter = packedCounter()
  const unpack = decompressors(options.encoding)
  const text = [counter.stream, ...unpack, ...decoders(options.contentType)].reduce(passTo, raw)
  const refuse = refuser(options.limits, unpack.length > 0 ? counter : undefined)
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      refuse(chunk.length)
      if (!check.push(chunk)) throw new BodyProblem('is not UTF-8 and does not say how it is written')
      sink.add(chunk)
    }
    if (!check.end()) throw new BodyProblem('ends in the middle of a character')
    return sink.body()
  } finally {
    raw.destroy()
    sink.close()
  }
}

function packedCounter() {
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return {
    stream,
    get bytes() {
      return bytes
    },
  }
}

/** Below this size nothing that a small response unpacks to can do harm. */
const harmlessBytes = 16 << 20

/** Returns a function that is given each piece of a body, and throws for one that is too large. */
function refuser(
  { bodyBytes, ratio }: BodyOptions['limits'],
  packed: { readonly bytes: number } | undefined,
): (length: number) => void {
  let bytes = 0
  return length => {
    bytes += length
    if (bytes > bodyBytes) throw new BodyProblem(`is larger than ${shownSize(bodyBytes)} (limits.body)`)
    if (packed === undefined || bytes <= harmlessBytes || bytes <= packed.bytes * ratio) return
    throw new BodyProblem(`unpacks to more than ${ratio} times its size (limits.ratio)`)
  }
}

export function shownSize(bytes: number): string {
  const units = [
    ['GB', 1e9],
    ['MB', 1e6],
    ['KB', 1e3],
  ] as const
  const [unit, size] = units.find(([, each]) => bytes >= each) ?? ['bytes', 1]
  return `${Number((bytes / size).toFixed(1))} ${unit}`
}

/** Like `pipe`, but also passes errors on. */
export function passTo(from: Readable, to: Transform): Readable {
  from.on('error', error => to.destroy(error))
  return from.pipe(to)
}

function createSink(overflowPath: string) {
  const chunks: Buffer[] = []
  let bytes = 0
  let file: number | undefined
  return {
    add(chunk: Buffer) {
      bytes += chunk.length
      if (file !== undefined) writeSync(file, chunk)
      else chunks.push(chunk)
      if (file === undefined && bytes > memoryLimit) {
        file = openSync(overflowPath, 'w', 0o600)
        for (const part of chunks) writeSync(file, part)
        chunks.splice(1)
      }
    },
    body(): Body {
      const head = Buffer.concat(chunks.slice(0, 1)).subarray(0, headLength)
      if (file === undefined) return { bytes, head, pieces: () => chunks }
      return { bytes, head, pieces: () => createReadStream(overflowPath, { highWaterMark: 1 << 20 }) }
    },
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

function decompressors(encoding: string | undefined): Transform[] {
  const names = (encoding ?? '').toLowerCase().split(',')
  const layers = names.map(name => name.trim()).filter(name => name !== '' && name !== 'identity')
  if (layers.length > mostLayers)
    throw new BodyProblem(`is packed ${layers.length} times over, which no server needs`)
  return layers.reverse().map(name => {
    const create = unpackers.get(name)
    if (create === undefined) throw notAskedFor(name)
    return create()
  })
}

/** How a response may be packed, by the names of HTTP. */
export const unpackers: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
])

export function notAskedFor(encoding: string): BodyProblem {
  return new BodyProblem(`is packed as "${encoding}", which svc did not ask for`)
}

/** Returns a decoder for other encodings than UTF-8, which is the default of JSON. */
function decoders(contentType: string | undefined): Transform[] {
  const charset = /charset="?([^";\s]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase()
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii') return []
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(charset, { fatal: true })
  } catch {
    throw new BodyProblem(`is written in "${charset}", which is not known`)
  }
  const decode = (chunk: Buffer | undefined) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw new BodyProblem(`is not the ${charset} that it says it is`)
    }
  }
  return [
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        attempt(() => decode(chunk), done)
      },
      flush(done) {
        attempt(() => decode(undefined), done)
      },
    }),
  ]
}

function attempt(make: () => string, done: (error: Error | null, text?: Buffer) => void): void {
  let text: Buffer
  try {
    text = Buffer.from(make())
  } catch (error) {
    done(error as Error)
    return
  }
  done(null, text)
}
