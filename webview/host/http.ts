/**
 * Requests to `svc ui`, and the meaning of its refusals for the dashboard. Addresses are relative to the
 * page.
 */
import { HostError } from './host.ts'

/** Sends a request to `svc ui`. Rejects if there is no server. */
export type Transport = (path: string, init: RequestInit) => Promise<Response>

let transport: Transport = (path, init) =>
  fetch(path, { cache: 'no-store', credentials: 'same-origin', ...init })

/**
 * Replaces the transport, for a page that cannot reach the server itself. Call it once, before the first
 * request.
 */
export function useTransport(other: Transport): void {
  transport = other
}

/** Returns the response if it is successful. Rejects with a `HostError`. */
export async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await transport(path, init).catch((error: unknown) => {
    if (init.signal?.aborted === true) throw new HostError('aborted', 'the request was cancelled')
    throw unreachable(error)
  })
  if (response.ok) return response
  throw refusal(response.status, await bodyOf(response))
}

export async function askJson<T>(path: string): Promise<T> {
  const response = await ask(path)
  return (await response.json().catch((error: unknown) => {
    throw new HostError('failed', `the answer of ${path} is not JSON (${String(error)})`, {
      hint: 'Check that svc ui runs at this address.',
    })
  })) as T
}

export async function post(path: string, body: object = {}): Promise<Response> {
  return ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

interface ErrorBody {
  readonly error?: string
  readonly hint?: string
  /** The run in progress. */
  readonly run?: { readonly run?: string }
}

async function bodyOf(response: Response): Promise<ErrorBody> {
  try {
    const value: unknown = await response.json()
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** Exported for its test. */
export function refusal(status: number, { error, hint, run }: ErrorBody): HostError {
  const more = hint === undefined ? {} : { hint }
  if (status === 401) {
    return new HostError('expired', 'svc ui no longer knows this page', {
      hint: 'Open the address that svc ui printed.',
    })
  }
  if (status === 403) return new HostError('refused', error ?? 'svc ui refuses that', more)
  if (status === 404) return new HostError('unknown-run', error ?? 'svc ui does not know that', more)
  if (status === 409 && run?.run !== undefined) {
    return new HostError('busy', error ?? 'another run is running', {
      hint: 'Its lines are below.',
      runId: run.run,
    })
  }
  return new HostError('failed', error ?? `svc ui answered with status ${status}`, more)
}

function unreachable(cause: unknown): HostError {
  if (cause instanceof HostError) return cause
  const error = new HostError('stopped', 'svc ui does not answer', { hint: 'Start it again: svc ui.' })
  error.cause = cause
  return error
}
