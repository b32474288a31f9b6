/** Routes for operators and monitoring without a token: liveness, readiness, metrics. */
import { Type } from '@sinclair/typebox'
import { type AnyRoute, defineRoute, ok, Problem } from '../http/index.ts'
import { StorageError } from '../storage/index.ts'
import type { Metrics } from './metrics.ts'

export interface Health {
  /** Returns true after the service was asked to stop. */
  readonly isStopping: () => boolean
  /** Undefined if metrics are turned off. */
  readonly metrics: Metrics | undefined
  readonly version: string
}

const about = { method: 'GET', tag: 'operation', scope: 'public', project: { from: 'none' } } as const

/** The timeout of the database check in milliseconds. */
const pingTime = 2000

export function healthRoutes(health: Health): readonly AnyRoute[] {
  return [
    defineRoute({
      ...about,
      id: 'getHealth',
      path: '/healthz',
      summary: 'The process answers.',
      responses: { 200: Type.Object({ status: Type.Literal('ok'), version: Type.String() }) },
      handle: async () => ok({ status: 'ok', version: health.version }),
    }),
    defineRoute({
      ...about,
      id: 'getReadiness',
      path: '/readyz',
      summary: 'The service takes requests: the database can be read, and it is not about to stop.',
      responses: { 200: Type.Object({ status: Type.Literal('ready') }) },
      handle: async ({ storage }) => {
        if (health.isStopping()) throw new Problem('unavailable', 'The service is about to stop.')
        await within(pingTime, storage.ping().catch(unreadable))
        return ok({ status: 'ready' })
      },
    }),
    ...(health.metrics === undefined ? [] : [metricsRoute(health.metrics)]),
  ]
}

function metricsRoute(metrics: Metrics): AnyRoute {
  return defineRoute({
    ...about,
    id: 'getMetrics',
    path: '/metrics',
    summary: 'Numbers for Prometheus.',
    responses: { 200: Type.String() },
    produces: 'text/plain',
    handle: async () => ok(Buffer.from(await metrics.read()), { 'Content-Type': metrics.contentType }),
  })
}

/** The log tells the operator what the answer does not tell to everybody. */
function unreadable(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  throw new StorageError('unavailable', `the database cannot be read: ${reason}`, error)
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Problem('unavailable', 'The database does not answer.')),
      milliseconds,
    )
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
