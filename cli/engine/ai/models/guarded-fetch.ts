/**
 * The way to a provider: through the proxy of the environment, never on to another address with a key in the headers. What the
 * provider refuses is a ModelFailure here, because each library keeps another part of it.
 */
import { fetch as send } from 'undici'
import { createDispatcher } from '../../ingest/rest/dispatcher.ts'
import { isPassing, ModelFailure, retryAfter } from './model.ts'

export interface Connection {
  readonly fetch: typeof fetch
  close(): Promise<void>
}

type Response = Awaited<ReturnType<typeof send>>

/** How long a model may be silent is decided by who asks, for all providers alike. */
export function connect(env: Readonly<Record<string, string | undefined>>): Connection {
  const dispatcher = createDispatcher(1, env)
  const guarded = async (url: string, init: object): Promise<unknown> => {
    const response = await send(url, { ...init, dispatcher, redirect: 'manual' })
    if (response.status < 300) return response
    throw await refusalOf(response)
  }
  return { fetch: guarded as unknown as typeof fetch, close: () => dispatcher.destroy() }
}

async function refusalOf(response: Response): Promise<ModelFailure> {
  const { status } = response
  if (status < 400) {
    await response.body?.cancel()
    const message = 'the endpoint sends to another address, where a key is not taken'
    return new ModelFailure(message, { status, retryable: false })
  }
  const said = messageIn(await firstOf(response))
  return new ModelFailure(said === '' ? `HTTP ${status}` : `HTTP ${status}, ${said}`, {
    status,
    retryable: isPassing(status),
    retryAfterMs: retryAfter(response.headers, Date.now()),
  })
}

const longestBody = 20_000

/** A page of a proxy may have any length. */
async function firstOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true })
    if (text.length > longestBody) break
  }
  return text
}

/** `{error: {message}}`, as the hosted providers say it, or `{error}`, as Ollama does. */
function messageIn(body: string): string {
  try {
    const { error } = JSON.parse(body) as { readonly error?: string | { readonly message?: string } }
    const message = typeof error === 'string' ? error : error?.message
    return typeof message === 'string' ? message : body
  } catch {
    return body
  }
}
