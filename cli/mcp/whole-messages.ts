/**
 * The lines of an agent that are messages. Any other line is answered here as JSON-RPC demands (-32700 for what is no JSON, -32600
 * for what is no request), because the library tells nobody of it.
 */
import { Transform, type Writable } from 'node:stream'

const newline = 0x0a

/** @param mostBytes a line that is longer goes through as it is, and ends the connection */
export function wholeMessages(answers: Writable, mostBytes: number): Transform {
  let held: Buffer[] = []
  let size = 0
  const refuse = (code: number, message: string, id: string | number | null) =>
    answers.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`)
  const take = (line: Buffer, pass: (line: Buffer) => void) => {
    const text = line.toString('utf8').trim()
    if (text === '') return
    const value = parsed(text)
    if (value === undefined) refuse(-32_700, 'Parse error: the line is not JSON', null)
    else if (isMessage(value.json)) pass(line)
    else refuse(-32_600, 'Invalid Request: a line is one JSON-RPC 2.0 message', idOf(value.json))
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const pass = (bytes: Buffer) => void this.push(bytes)
      let start = 0
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        take(Buffer.concat([...held, chunk.subarray(start, end + 1)]), pass)
        held = []
        size = 0
        start = end + 1
      }
      const rest = chunk.subarray(start)
      if (rest.length > 0) held.push(rest)
      size += rest.length
      if (size > mostBytes) {
        pass(Buffer.concat(held))
        held = []
      }
      done()
    },
  })
}

function parsed(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

function idOf(value: unknown): string | number | null {
  return isObject(value) && isId(value['id']) ? value['id'] : null
}

/** A request, a notification, or an answer. */
function isMessage(value: unknown): boolean {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return false
  const { id, method, params, result, error } = value
  if (method === undefined) return isObject(result) ? isId(id) : isObject(error)
  const hasId = id === undefined || isId(id)
  return typeof method === 'string' && hasId && (params === undefined || isObject(params))
}
