/** Sends something with its tries, within a bounded time. */
import { setTimeout } from 'node:timers/promises'
import type { Notifier } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { backoffMs } from '../ingest/rest/retry.ts'
import type { Workspace, World } from '../workspace/workspace.ts'
import type { Message } from './message.ts'
import { NotSent, type SendTools } from './sender.ts'
import { senders } from './senders.ts'
import { timeLimit } from './time-limit.ts'

/** Nobody waits longer than this for all tries of all notifiers, which are told at the same time. */
export const mostMs = 30_000

/** Returns why it could not be sent; undefined if it was. Never throws. */
export function deliver(
  notifier: Notifier,
  message: Message,
  { world, signal }: Pick<Workspace, 'world' | 'signal'>,
): Promise<string | undefined> {
  const all = AbortSignal.any([signal, timeLimit(mostMs)])
  return withTries(tools => senders[notifier.type](notifier, message, tools), notifier.limits, { world, all })
}

/** The same for any way of sending. `all` ends all tries. */
export async function withTries(
  send: (tools: SendTools) => Promise<void>,
  { retries, timeoutMs }: Pick<Notifier['limits'], 'retries' | 'timeoutMs'>,
  { world, all }: { readonly world: Pick<World, 'env' | 'now'>; readonly all: AbortSignal },
): Promise<string | undefined> {
  for (let tries = 1; ; tries++) {
    const once = AbortSignal.any([all, timeLimit(Math.min(timeoutMs, mostMs))])
    const failure = await tryOnce(() => send({ env: world.env, now: world.now, signal: once }))
    if (failure === undefined) return undefined
    const waitMs = failure.waitMs ?? backoffMs(tries, { baseMs: 500, capMs: 5_000, random: Math.random })
    const isLast = tries > retries || !failure.isPassing || all.aborted || waitMs > mostMs
    if (isLast) return tries === 1 ? failure.message : `${failure.message} (${tries} tries)`
    await setTimeout(waitMs, undefined, { signal: all }).catch(() => undefined)
  }
}

async function tryOnce(send: () => Promise<void>): Promise<NotSent | undefined> {
  try {
    await send()
    return undefined
  } catch (error) {
    if (error instanceof NotSent) return error
    // The message of a missing variable names the variable alone.
    const text = error instanceof SvcError ? error.message : 'it could not be sent'
    return new NotSent(text, { isPassing: false })
  }
}
