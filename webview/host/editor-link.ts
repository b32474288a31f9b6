/**
 * Sends the page's requests to the extension as messages, and returns the answers as if they came over HTTP.
 */
import type { FromPage, ToPage } from './editor-messages.ts'
import { HostError } from './host.ts'
import type { Transport } from './http.ts'

/** The API that the editor gives its pages (`acquireVsCodeApi`). */
export interface EditorApi {
  postMessage(message: FromPage): void
  getState(): unknown
  setState(state: unknown): void
}

export interface EditorLink {
  readonly transport: Transport
  /**
   * Resolves with the exit code of a command when it has ended; null if it has none. Rejects with a
   * `HostError`.
   */
  command(order: Order): Promise<number | null>
  /** Calls the listener with messages that the extension sends by itself. */
  onTold(listener: (message: Extract<ToPage, { readonly type: 'reveal' | 'search' }>) => void): () => void
}

/** A message without the id, which the link adds. */
export type Order = OrderOf<Extract<FromPage, { readonly type: 'run' | 'rollback' | 'cancel' }>>
type OrderOf<Message> = Message extends { readonly id: number } ? Omit<Message, 'id'> : never

type Answer = Exclude<ToPage, { readonly type: 'reveal' | 'search' }>

export function createEditorLink(api: EditorApi, page: Pick<Window, 'addEventListener'>): EditorLink {
  const waiting = new Map<number, (answer: Answer) => void>()
  const listeners = new Set<Parameters<EditorLink['onTold']>[0]>()
  let last = 0

  page.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
    if (data.type === 'reveal' || data.type === 'search') for (const listener of listeners) listener(data)
    else waiting.get(data.id)?.(data)
  })

  function transport(path: string, { signal, headers }: RequestInit): Promise<Response> {
    const id = ++last
    const lastEventId = new Headers(headers).get('last-event-id')
    return new Promise((resolve, reject) => {
      const body = bodyOf(() => {
        waiting.delete(id)
        api.postMessage({ type: 'drop', id })
      })
      signal?.addEventListener('abort', () => {
        body.fail(new DOMException('taken back', 'AbortError'))
        reject(new DOMException('taken back', 'AbortError'))
      })
      waiting.set(id, answer => {
        if (answer.type === 'head') resolve(new Response(hasBody(answer.status) ? body.stream : null, answer))
        if (answer.type === 'piece') body.add(answer.text)
        if (answer.type === 'end') body.end()
        if (answer.type === 'failed') {
          const error = failure(answer)
          reject(error)
          body.fail(error)
        }
        if (answer.type === 'end' || answer.type === 'failed') waiting.delete(id)
      })
      api.postMessage({ type: 'ask', id, path, ...(lastEventId !== null && { lastEventId }) })
    })
  }

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
    onTold(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** A `Response` with status 204 must have no body. */
function hasBody(status: number): boolean {
  return status !== 204
}

function failure({ message, hint }: Extract<ToPage, { readonly type: 'failed' }>): HostError {
  return new HostError('failed', message, hint === undefined ? {} : { hint })
}

interface Body {
  readonly stream: ReadableStream<Uint8Array>
  add(text: string): void
  end(): void
  fail(error: Error): void
}

/** `onCancel` is called when the reader cancels. */
function bodyOf(onCancel: () => void): Body {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let open = true
  const stream = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
    },
    cancel() {
      open = false
      onCancel()
    },
  })
  return {
    stream,
    add(text) {
      if (open) controller?.enqueue(encoder.encode(text))
    },
    end() {
      if (open) controller?.close()
      open = false
    },
    fail(error) {
      if (!open) return
      open = false
      controller?.error(error)
      onCancel()
    },
  }
}
