/** Reads a JSON body within limits: of bytes as they come, of bytes after decompression, of depth. */
import type { IncomingMessage } from 'node:http'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Problem } from './problems.ts'
import type { BodyRule } from './route.ts'

/** Of a JSON body of an ordinary request, in bytes. */
export const mostBodyBytes = 1024 * 1024
const mostDepth = 64

/** @throws Problem 400, 408, 413 or 415 */
export async function readJsonBody(request: IncomingMessage, rule: BodyRule = {}): Promise<unknown> {
  requireMediaType(request, rule.accepts ?? ['application/json'])
  const bytes = await readBytes(request, rule.mostBytes ?? mostBodyBytes)
  return parseJson(bytes)
}

/** True when the request says that it brings a body. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length']
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** `application/json` of `application/json; charset=utf-8`. */
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

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  const decoder = decoderOf(request.headers['content-encoding'])
  const chunks: Buffer[] = []
  let size = 0
  // What comes compressed is bounded twice: a small body may become a large one, and a large one a small one.
  let received = 0
  request.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > limit) request.destroy(tooLarge(limit))
  })
  const stream =
    decoder === undefined ? request : request.on('error', error => decoder.destroy(error)).pipe(decoder)
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limit) throw tooLarge(limit)
      chunks.push(chunk)
    }
  } catch (error) {
    throw readProblem(error)
  }
  return Buffer.concat(chunks, size)
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

function readProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const code = String((error as { code?: unknown }).code ?? '')
  if (code.startsWith('Z_') || code.startsWith('ERR_') || code.startsWith('ERR__ERROR')) {
    return new Problem('malformed_json', 'The body is not what its Content-Encoding says.')
  }
  return new Problem('timeout', 'The body did not arrive.')
}

function tooLarge(limit: number): Problem {
  return new Problem('too_large', `A body may have ${limit} bytes here.`, {
    headers: { Connection: 'close' },
  })
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** @throws Problem `malformed_json`, with the place where there is one */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new Problem('malformed_json', 'The body is not UTF-8.')
  }
  if (text.trim() === '')
    throw new Problem('malformed_json', 'The body is empty: it has to be a JSON document.')
  if (depthOf(text) > mostDepth) {
    throw new Problem('malformed_json', `The body is nested more than ${mostDepth} levels deep.`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    // V8 quotes the text around the mistake: that may be a secret in the wrong place, its position is enough.
    const position = /position (\d+)/.exec(String(error))?.[1]
    const place = position === undefined ? '' : ` at character ${Number(position) + 1}`
    throw new Problem('malformed_json', `The body is no JSON${place}.`)
  }
}

/** The deepest nesting, without parsing: what is nested too deep cannot be written again by `JSON.stringify`. */
function depthOf(text: string): number {
  let [depth, deepest, inString] = [0, 0, false]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth)
    else if (code === 0x5d || code === 0x7d) depth--
  }
  return deepest
}
