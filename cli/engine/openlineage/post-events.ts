/** Posts the events of a run to a server, through a few connections that serve for all of them. */
import type { OpenLineage } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { resolveText } from '../ingest/credentials.ts'
import { createDispatcher } from '../ingest/rest/dispatcher.ts'
import { withTries } from '../notify/deliver.ts'
import { addressOf, type Post, postThrough } from '../notify/post-json.ts'
import { NotSent } from '../notify/sender.ts'
import { timeLimit } from '../notify/time-limit.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { LineageEvent, RunLineage } from './events.ts'

/** Nobody waits longer than this at the end of a run; a run of thousands of assets has more to tell. */
const mostMs = 10_000
const mostMsPerEvent = 5
/** Who interrupts a run wants to be gone. */
const mostAfterInterruptMs = 3_000
const limits = { retries: 2, timeoutMs: 5_000 }
const connections = 8

type Server = Extract<OpenLineage, { readonly type: 'http' }>
/** Returns why the event could not be sent; undefined if it was. */
type Tell = (event: LineageEvent) => Promise<string | undefined>

/** Returns a sentence if something could not be sent. */
export async function postEvents(
  server: Server,
  lineage: RunLineage,
  { world, signal }: Pick<Workspace, 'world' | 'signal'>,
): Promise<string | undefined> {
  const target = targetOf(server, world.env)
  if (typeof target === 'string') return sentence(lineage, { failed: countIn(lineage), why: target })
  const dispatcher = createDispatcher(connections, world.env)
  const end = signal.aborted
    ? timeLimit(mostAfterInterruptMs)
    : AbortSignal.any([signal, timeLimit(mostMs + mostMsPerEvent * countIn(lineage))])
  // Whether anybody answers is known after the first event.
  const endOfFirst = AbortSignal.any([end, timeLimit(mostMs)])
  try {
    const failures = await tellAll(lineage, event =>
      withTries(tools => postThrough(dispatcher, { ...target, body: JSON.stringify(event) }, tools), limits, {
        world,
        all: event === lineage.whole[0] ? endOfFirst : end,
      }),
    )
    return sentence(lineage, failures)
  } finally {
    await dispatcher.destroy()
  }
}

/** Returns why there is none, if there is none. */
function targetOf(
  { endpoint, credentials }: Server,
  env: Workspace['world']['env'],
): Omit<Post, 'body'> | string {
  try {
    const url = addressOf(resolveText(endpoint, env, 'openlineage.endpoint'))
    const token =
      credentials === undefined ? undefined : resolveText(credentials, env, 'openlineage.credentials')
    return { url, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }
  } catch (error) {
    if (error instanceof SvcError || error instanceof NotSent) return error.message
    throw error
  }
}

interface Failures {
  readonly failed: number
  /** Why the first one failed. */
  readonly why: string | undefined
}

/**
 * What begins is told before what ends, and the run before and after all else. Where its beginning cannot be told nothing else
 * is tried; an event that is refused later keeps no other back.
 */
async function tellAll(lineage: RunLineage, tell: Tell): Promise<Failures> {
  const [began, ended] = lineage.whole
  const why = await tell(began)
  if (why !== undefined) return { failed: countIn(lineage), why }
  const failures: string[] = []
  const note = async (event: LineageEvent) => {
    const failure = await tell(event)
    if (failure !== undefined) failures.push(failure)
  }
  const waiting = lineage.parts.values()
  const tellParts = async () => {
    for (const [first, second] of waiting) {
      await note(first)
      await note(second)
    }
  }
  await Promise.all(Array.from({ length: connections }, tellParts))
  await note(ended)
  return { failed: failures.length, why: failures[0] }
}

function countIn({ parts }: RunLineage): number {
  return 2 + 2 * parts.length
}

function sentence(lineage: RunLineage, { failed, why }: Failures): string | undefined {
  if (why === undefined) return undefined
  return `OpenLineage was not told ${failed} of the ${countIn(lineage)} events of this run: ${why}. It changes nothing about the run.`
}
