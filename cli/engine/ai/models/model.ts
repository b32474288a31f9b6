/** What every provider of language models does: it takes a question and sends an answer in pieces. One file a provider. */
import type { EditorLink } from '../editor-link.ts'

export interface Question {
  readonly system: string
  readonly turns: readonly Turn[]
  /** The most tokens of the answer. */
  readonly mostTokens: number
}

export interface Turn {
  readonly from: 'user' | 'model'
  readonly text: string
}

export interface Answer {
  readonly text: string
  /** `cut`: it is longer than `mostTokens`; `refused`: the provider does not answer this. */
  readonly end: 'whole' | 'cut' | 'refused'
  /** Undefined if the provider does not say it. */
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
}

/** The messages of a question as chat templates have them. */
export function messagesOf({ system, turns }: Question) {
  return [
    { role: 'system', content: system },
    ...turns.map(({ from, text }) => ({ role: from === 'user' ? 'user' : 'assistant', content: text })),
  ]
}

export interface AskOptions {
  readonly signal: AbortSignal
  /** Called with every piece; an asker that hears nothing for long gives up. */
  readonly onText: (piece: string) => void
}

/** Throws ModelFailure, or what its library throws; `failureOf` reads both. */
export interface LanguageModel {
  /** Where it is asked, if nobody has said where; absent: at its provider's. */
  readonly address?: string
  ask(question: Question, options: AskOptions): Promise<Answer>
}

export interface ModelPlace {
  readonly model: string
  readonly key: string | undefined
  readonly endpoint: string | undefined
  /** Asks over the network under svc's rules; every library gets it. */
  readonly fetch: typeof fetch
  /** Undefined unless the editor's own model is asked. */
  readonly editor: EditorLink | undefined
}

/** One try that failed. */
export class ModelFailure extends Error {
  readonly status: number | undefined
  /** Whether the same question may be answered later. */
  readonly retryable: boolean
  /** When the provider says how long to wait. */
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    facts: {
      status?: number | undefined
      retryable: boolean
      retryAfterMs?: number | undefined
      cause?: unknown
    },
  ) {
    super(message, { cause: facts.cause })
    this.name = 'ModelFailure'
    this.status = facts.status
    this.retryable = facts.retryable
    this.retryAfterMs = facts.retryAfterMs
  }
}

/** Providers that are too busy say so with these; 529 is Anthropic's. */
export function isPassing(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500
}

/** Reads `Retry-After`, in seconds or as a date, and the milliseconds that OpenAI and Anthropic send beside it. */
export function retryAfter(headers: { get(name: string): string | null }, nowMs: number): number | undefined {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (ms >= 0) return ms
  const written = headers.get('retry-after')
  if (written === null) return undefined
  const seconds = Number(written)
  if (seconds >= 0) return seconds * 1000
  const at = Date.parse(written)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

/** An answer that had begun and did not come to its end; `cause` is what the provider or its library says of it. */
export function brokenOff(cause?: unknown): ModelFailure {
  const said =
    typeof cause === 'object' && cause !== null && 'message' in cause ? `: ${String(cause.message)}` : ''
  return new ModelFailure(`the answer broke off${said}`, { retryable: true, cause })
}
