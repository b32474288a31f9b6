/**
 * Sends the page's requests to the extension as messages, and returns the answers as if they came over HTTP.
 */
import type { FromPage, ToPage } from './editor-messages.ts'
import { HostError } from './host.ts'

/** The API that the editor gives its pages (`acquireVsCodeApi`). */
export interface EditorApi {
  postMessage(message: FromPage): void
  getState(): unknown
  setState(state: unknown): void
}

type Told = Extract<ToPage, { readonly type: 'reveal' | 'search' }>

/** A message without the id, which the link adds. */
export type Order = OrderOf<Extract<FromPage, { readonly type: 'run' | 'rollback' | 'cancel' }>>
type OrderOf<Message> = Message extends { readonly id: number } ? Omit<Message, 'id'> : never

type Answer = Exclude<ToPage, Told>

export function createEditorLink(api: EditorApi, page: Pick<Window, 'addEventListener'>) {
  const waiting = new Map<number, (answer: Answer) => void>()
  const listeners = new Set<(message: Told) => void>()
  let last = 0

  page.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
    if (data.type === 'reveal' || data.type === 'search') for (const listener of listeners) listener(data)
    else waiting.get(data.id)?.(data)
  })

  function transport(path: string, { signal, headers }: RequestInit): Promise<Response> {
    const id = ++last
    const lastEventId = new Headers(headers).get('last-event-id')
    return new Promise((resolve, reject) => {
      const body = new TextEncoderStream()
      const writer = body.writable.getWriter()
      const fail = (error: Error) => {
        reject(error)
        writer.abort(error).catch(() => undefined)
      }
      // Also where the reader has enough of it.
      writer.closed.catch(() => {
        if (waiting.delete(id)) api.postMessage({ type: 'drop', id })
      })
      signal?.addEventListener('abort', () => fail(new DOMException('taken back', 'AbortError')))
      waiting.set(id, answer => {
        if (answer.type === 'head')
          resolve(new Response(hasBody(answer.status) ? body.readable : null, answer))
        if (answer.type === 'piece') writer.write(answer.text).catch(() => undefined)
        if (answer.type === 'end' || answer.type === 'failed') waiting.delete(id)
        if (answer.type === 'end') writer.close().catch(() => undefined)
        if (answer.type === 'failed') fail(failure(answer))
      })
      api.postMessage({ type: 'ask', id, path, ...(lastEventId !== null && { lastEventId }) })
    })
  }

  /**
   * Resolves with the exit code of a command when it has ended; null if it has none. Rejects with a
   * `HostError`.
   */
  function command(order: Order): Promise<number | null> {
    const id = ++last
    return new Promise((resolve, reject) => {
      waiting.set(id, answer => {
        waiting.delete(id)
        if (answer.type === 'done') resolve(answer.code)
        if (answer.type === 'failed') reject(failure(answer))
      })
      api.postMessage({ ...order, id })
    })
  }

  return {
    transport,
    command,
    /** Calls the listener with messages that the extension sends by itself. */
    onTold: (listener: (message: Told) => void) => void listeners.add(listener),
  }
}

/** A `Response` with status 204 must have no body. */
function hasBody(status: number): boolean {
  return status !== 204
}

function failure({ message, hint }: Extract<ToPage, { readonly type: 'failed' }>): HostError {
  return new HostError('failed', message, hint === undefined ? {} : { hint })
}
