/** Writes the body of a response to a file as it comes, so that memory holds a piece of it, however large it is. */
import { createWriteStream } from 'node:fs'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { packingOf, type SourceLimits } from '@svc/server/language'
import { BodyProblem, notAskedFor, shownSize, unpackers } from '../rest/body.ts'

export interface SaveOptions {
  readonly path: string
  /** How the response is packed, beside what the file itself is. */
  readonly encoding: string | undefined
  readonly limits: Pick<SourceLimits, 'bodyBytes'>
  /** The file ends after this many bytes; undefined for the whole. */
  readonly atMost: number | undefined
  readonly onBytes: (bytes: number) => void
}

/** Returns whether the whole body was written. Throws BodyProblem for one that is too large. */
export async function saveBody(raw: Readable, options: SaveOptions): Promise<boolean> {
  let written = 0
  let isWhole = true
  const { atMost = Number.POSITIVE_INFINITY, limits } = options
  const cut = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!isWhole) return done()
      const rest = atMost - written
      isWhole = chunk.length <= rest
      const kept = isWhole ? chunk : chunk.subarray(0, rest)
      written += kept.length
      options.onBytes(kept.length)
      if (written > limits.bodyBytes)
        return done(new BodyProblem(`is larger than ${shownSize(limits.bodyBytes)} (limits.body)`))
      done(null, kept)
      // Nothing more is asked of the server.
      if (!isWhole) cut.end()
    },
  })
  try {
    await pipeline([raw, ...unpackersOf(options), cut, createWriteStream(options.path, { mode: 0o600 })])
  } catch (error) {
    if (isWhole) throw error
  } finally {
    raw.destroy()
  }
  return isWhole
}

/** A file that is packed by itself stays packed: some servers say of `.gz` that it was packed for the way. */
function unpackersOf({ encoding = '', path }: SaveOptions): Transform[] {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return []
  const create = unpackers.get(name)
  if (create === undefined) throw notAskedFor(encoding)
  return /gzip$/.test(name) && packingOf(path) === 'gz' ? [] : [create()]
}
