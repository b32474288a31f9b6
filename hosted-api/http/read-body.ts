/** Reads a JSON body within limits: received bytes, decompressed bytes, time and depth. */
import type { IncomingMessage } from 'node:http'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { findJsonFault, type JsonFault, type JsonLimits, scanJson } from '../limits/json-guard.ts'
import { nextTurn } from './pace.ts'
import { Problem } from './problems.ts'
import type { BodyRule } from './route.ts'

/** 0 means no limit. */
export interface BodyLimits {
  /** Limits in bytes, as received and after decompression. */
  readonly body: number
  readonly upload: number
  readonly import: number
  /** The depth of nested lists and objects. */
  readonly depth: number
  /** The members of one object and the items of one list in a body that is parsed here. */
  readonly members: number
  /** Seconds until the body has arrived. */
  readonly requestTime: number
  readonly uploadTime: number
  /** Seconds without a byte. */
  readonly idleTime: number
}

/**
 * @param onReceived called with the size of a body before it is parsed here, which waits for it
 * @throws Problem 400, 408, 413 or 415
 */
export async function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
  rule: BodyRule = {},
  onReceived: (size: number) => Promise<void> = async () => {},
): Promise<unknown> {
  requireMediaType(request, rule.accepts ?? ['application/json'])
  const mostBytes =
    rule.upload === 'pack' ? limits.upload : rule.upload === 'import' ? limits.import : limits.body
  const seconds = rule.upload === undefined ? limits.requestTime : limits.uploadTime
  const bytes = await readBytes(request, mostBytes, { seconds, idle: limits.idleTime })
  if (rule.parse === undefined) await onReceived(bytes.length)
  if (rule.texts?.includes(mediaType(request)) === true) return decodeText(bytes)
  if (rule.parse !== undefined) return rule.parse(bytes)
  const jsonLimits = {
    depth: limits.depth,
    members: rule.isKeyed === true ? 0 : limits.members,
    values: limits.members * valuesPerMember,
  }
  return bytes.length < largeBody ? parseJson(bytes, jsonLimits) : parseLargeJson(bytes, jsonLimits)
}

/** Values of a body for each member that one object may have: an import has as many entries, of a few values and lists. */
const valuesPerMember = 50

/** Bytes from which a body is parsed in steps; one of 64 KiB takes about a millisecond. */
const largeBody = 64 * 1024

/** Returns whether the request announces a body. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length']
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Returns `application/json` for `application/json; charset=utf-8`. */
export function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

function requireMediaType(request: IncomingMessage, accepted: readonly string[]): void {
  const given = mediaType(request)
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (accepted.includes(given) && (charset === undefined || /^utf-?8$/i.test(charset))) return
  const shown = given === '' ? 'The request has no Content-Type' : `A body of type ${given} is not read here`
  throw new Problem(
    'unsupported_media_type',
    `${shown}: send Content-Type: ${accepted.join(' or ')} in UTF-8.`,
    {
      headers: { Accept: accepted.join(', ') },
    },
  )
}

/**
 * Reads on in the next round of the event loop. By itself a connection that has much to read gives up to two megabytes in one
 * round, each connection of a client, and everybody else waits for that.
 */
function pauseReading(request: IncomingMessage): void {
  request.pause()
  setImmediate(() => request.resume())
}

/**
 * How long the rest of a refused body is read and ignored, in milliseconds, so that the client can read the
 * answer.
 */
const linger = 2000

/** Seconds for the whole body, and between two pieces; 0 means no limit. */
type BodyTimes = Readonly<Record<'seconds' | 'idle', number>>

function readBytes(
  request: IncomingMessage,
  mostBytes: number,
  { seconds, idle }: BodyTimes,
): Promise<Buffer> {
  const decoder = decoderOf(request.headers['content-encoding'])
  const source = decoder ?? request
  const exceeds = (size: number) => mostBytes > 0 && size > mostBytes
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let [received, size] = [0, 0]
    const timer = seconds > 0 ? setTimeout(() => refuse(late()), seconds * 1000) : undefined
    const idleTimer = idle > 0 ? setTimeout(() => refuse(late()), idle * 1000) : undefined

    // Both sizes of a compressed body are limited, because it can grow or shrink when decompressed.
    const onReceived = (chunk: Buffer) => {
      received += chunk.length
      idleTimer?.refresh()
      if (exceeds(received)) refuse(tooLarge(mostBytes))
      else if (decoder === undefined && received > largeBody) pauseReading(request)
    }
    const onDecoded = (chunk: Buffer) => {
      size += chunk.length
      if (exceeds(size)) refuse(tooLarge(mostBytes))
      else chunks.push(chunk)
    }
    const settle = () => {
      clearTimeout(timer)
      clearTimeout(idleTimer)
      request.off('data', onReceived)
      source.off('data', onDecoded)
      if (decoder !== undefined) request.unpipe(decoder)
    }
    const refuse = (problem: Problem) => {
      settle()
      decoder?.destroy()
      passOver(request)
      reject(problem)
    }
    // A client may have gone before anybody reads: of that no event tells any more.
    if (request.destroyed) return refuse(late())
    request.once('close', () => {
      if (!request.readableEnded) refuse(late())
    })
    request.on('error', () => refuse(late()))
    if (exceeds(Number(request.headers['content-length'] ?? 0))) return refuse(tooLarge(mostBytes))
    request.on('data', onReceived)
    if (decoder !== undefined) request.pipe(decoder)
    source.on('data', onDecoded)
    source.once('end', () => {
      settle()
      resolve(Buffer.concat(chunks, size))
    })
    decoder?.on('error', () =>
      refuse(new Problem('malformed_json', 'The body is not what its Content-Encoding says.')),
    )
  })
}

/** Reads what has not been read, as Node would do by itself, but a piece in each round of the event loop. */
export function ignoreBody(request: IncomingMessage): void {
  request.on('data', () => pauseReading(request))
  request.resume()
}

/**
 * Ignores the rest of the body. A client reads the answer when it has sent everything; one that sends for too
 * long is disconnected.
 */
function passOver(request: IncomingMessage): void {
  ignoreBody(request)
  const cut = () => {
    // If the body has arrived completely, the connection can be reused for the next request.
    if (!request.complete) request.socket.destroy()
  }
  setTimeout(cut, linger).unref()
}

function decoderOf(encoding: string | undefined): ReturnType<typeof createGunzip> | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return undefined
    case 'gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress()
    case 'deflate':
      return createInflate()
    default:
      throw new Problem('unsupported_media_type', 'Content-Encoding may be gzip, br or deflate.', {
        headers: { 'Accept-Encoding': 'gzip, br, deflate' },
      })
  }
}

function tooLarge(mostBytes: number): Problem {
  return new Problem('too_large', `A body may have ${mostBytes} bytes here.`)
}

function late(): Problem {
  return new Problem('timeout', 'The body did not arrive in time.', { headers: { Connection: 'close' } })
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** @throws Problem `malformed_json`, with the position if it is known */
export function parseJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  const text = decodeText(bytes)
  const value = parseText(text)
  refuseFault(findJsonFault(text, limits), limits)
  return value
}

/** The same in steps, between which other requests are answered; what is refused is not parsed. */
async function parseLargeJson(bytes: Uint8Array, limits: JsonLimits): Promise<unknown> {
  const text = decodeText(bytes)
  const scan = scanJson(text, limits)
  for (let step = scan.next(); ; step = scan.next()) {
    await nextTurn()
    if (step.done !== true) continue
    refuseFault(step.value, limits)
    break
  }
  const value = parseText(text)
  await nextTurn()
  return value
}

function refuseFault(fault: JsonFault | undefined, limits: JsonLimits): void {
  if (fault === undefined) return
  if (fault.kind === 'depth') throw malformed(`The body is nested more than ${limits.depth} levels deep.`)
  if (fault.kind === 'values')
    throw new Problem(
      'too_large',
      `The body has more than ${limits.values} values, of which a list or an object counts as five.`,
    )
  const { kind, pointer } = fault
  if (kind !== 'duplicate') {
    const what = pointer === '' ? 'The body' : `The ${kind === 'items' ? 'list' : 'object'} at ${pointer}`
    throw new Problem('too_large', `${what} has more than ${limits.members} ${kind}.`)
  }
  const detail = `The member ${pointer} is there twice.`
  throw new Problem('malformed_json', detail, { errors: [{ pointer, code: 'duplicate', detail }] })
}

/** @throws Problem `malformed_json` */
export function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw malformed('The body is not UTF-8.')
  }
}

function parseText(text: string): unknown {
  if (text.trim() === '') throw malformed('The body is empty: it has to be a JSON document.')
  try {
    return JSON.parse(text)
  } catch (error) {
    // V8 quotes the text around the mistake, which may be a secret; the position is enough.
    const position = /position (\d+)/.exec(String(error))?.[1]
    throw malformed(
      `The body is no JSON${position === undefined ? '' : ` at character ${Number(position) + 1}`}.`,
    )
  }
}

function malformed(detail: string): Problem {
  return new Problem('malformed_json', detail)
}
