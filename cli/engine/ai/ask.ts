/**
 * Asks a language model as one who may be kept waiting: silent, busy and broken answers are tried again, and what remains is
 * an SvcError that says what to do.
 */
import { SvcError } from '../errors.ts'
import { type Answer, type LanguageModel, ModelFailure, type Question } from './models/model.ts'
import type { ModelChoice } from './settings.ts'

export interface Asking {
  readonly choice: ModelChoice
  readonly model: LanguageModel
  readonly signal: AbortSignal
  /** Called with the number of characters that came so far. */
  readonly onProgress: (characters: number) => void
  /** Called before another try, with the reason and how long it waits. */
  readonly onRetry: (reason: string, waitMs: number) => void
}

const mostTries = 4
const firstWaitMs = 500
/** A provider that asks for more patience than this is given up. */
const longestWaitMs = 60_000
/** Nobody asked for a book; an endless answer would fill the memory. */
const mostCharacters = 1_000_000

/** Throws SvcError `model-failed`, `model-library-missing`, `interrupted`. */
export async function ask(asking: Asking, question: Question): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await askOnce(asking, question)
    } catch (error) {
      if (error instanceof SvcError) throw error
      if (asking.signal.aborted) throw new SvcError('interrupted', 'the question was stopped')
      const failure = withoutKey(failureOf(error), asking.choice.key)
      const waitMs = failure.retryAfterMs ?? firstWaitMs * 2 ** (tries - 1)
      if (!failure.retryable || tries === mostTries || waitMs > longestWaitMs)
        throw told(failure, asking, tries)
      asking.onRetry(failure.message, waitMs)
      await pause(waitMs, asking.signal)
    }
  }
}

async function askOnce({ choice, model, signal, onProgress }: Asking, question: Question): Promise<Answer> {
  const silence = new AbortController()
  const tooLong = new ModelFailure(`nothing came for ${choice.timeoutMs / 1000} s`, { retryable: true })
  const endless = new ModelFailure('the answer does not end', { retryable: false })
  let timer = setTimeout(() => silence.abort(tooLong), choice.timeoutMs)
  let characters = 0
  const onText = (piece: string): void => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(tooLong), choice.timeoutMs)
    characters += piece.length
    if (characters > mostCharacters) silence.abort(endless)
    onProgress(characters)
  }
  try {
    return await model.ask(question, { signal: AbortSignal.any([signal, silence.signal]), onText })
  } catch (error) {
    throw silence.signal.aborted ? silence.signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}

/** What the libraries throw: a refusal, within an error of their own or not, or a broken connection. */
function failureOf(error: unknown): ModelFailure {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof ModelFailure) return current
  }
  return new ModelFailure(messageOf(error), { retryable: isConnection(error), cause: error })
}

/** A provider may repeat the key that it refuses; nothing that is shown, with `--debug` too, has it. */
function withoutKey(failure: ModelFailure, key: string | undefined): ModelFailure {
  if (key === undefined) return failure
  const { status, retryable, retryAfterMs } = failure
  return new ModelFailure(failure.message.replaceAll(key, '***'), { status, retryable, retryAfterMs })
}

function isConnection(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (brokenConnection.test(`${current.message} ${String('code' in current ? current.code : '')}`))
      return true
  }
  return false
}

const brokenConnection =
  /terminated|fetch failed|socket|ECONN|EPIPE|ETIMEDOUT|UND_ERR|EAI_AGAIN|done or success/

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'the provider failed without saying why'
}

const longestReason = 300

function told(failure: ModelFailure, { choice, model: asked }: Asking, tries: number): SvcError {
  const { provider, model, endpoint = asked.address } = choice
  const reason = failure.message.replace(/\s+/g, ' ').trim().slice(0, longestReason)
  const after = tries > 1 ? ` after ${tries} tries` : ''
  const { status } = failure
  const say = (what: string, hint: string) =>
    new SvcError('model-failed', `${provider}${what}: ${reason}`, { hint, cause: failure })
  const address = endpoint === undefined ? '' : ` at ${endpoint}`
  if (status === 401 || status === 403)
    return say(` refused the key${address}`, 'Give another one: svc config ai --api-key env:NAME.')
  if (status === 404) {
    const hint = 'Check the name (svc config ai --model) and the endpoint.'
    return say(` does not know the model ${model}${address}`, hint)
  }
  if (status === 429) {
    const hint = 'Wait, or look at the limits and the credit of the account.'
    return say(` takes no more requests now${after}`, hint)
  }
  if (status === undefined && failure.retryable) {
    const hint = 'Check the endpoint (svc config ai) and the network.'
    return say(`${address} cannot be reached, or broke off${after}`, hint)
  }
  return say(`${address} failed${after}`, 'svc config ai shows which model and endpoint are asked.')
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
