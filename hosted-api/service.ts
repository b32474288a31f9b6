/** Assembles the service: storage, authentication, routes, and the HTTP server. */
import type { IncomingMessage } from 'node:http'
import { aroundWrite, createTokenReader, ensureBootstrapToken, recall, sweepAnswers } from './access/index.ts'
import { fillEntrySearch } from './glossary/index.ts'
import { createApp, createCursorSigner, prepareValidators, type Seen } from './http/index.ts'
import {
  addressOf,
  createCrowd,
  createFailureCount,
  createRateLimits,
  createTurns,
  type Limits,
} from './limits/index.ts'
import { fillAssetSearch } from './metadata/index.ts'
import {
  createHttpServer,
  createMetrics,
  createStopping,
  listen,
  type StopTimes,
  trackConnections,
  urlOf,
} from './operation/index.ts'
import { version } from './package.json'
import { QuestionPool } from './questions/index.ts'
import { allRoutes } from './routes.ts'
import { openStorage, readCursorKey, type Storage, type StorageOptions } from './storage/index.ts'

export interface ServiceOptions extends StorageOptions {
  readonly host: string
  /** 0 means a free port. */
  readonly port: number
  readonly bootstrapToken: string | undefined
  readonly limits: Limits
  readonly stopTimes: StopTimes
  /** Whether the last address of `X-Forwarded-For` is trusted. */
  readonly trustProxy: boolean
  /** False turns `/metrics` off. */
  readonly metrics: boolean
  /** The size of the answer cache in bytes. */
  readonly cacheBytes: number
  /** Answers long questions in processes of their own, which run this bundle. Left out: in this one. */
  readonly questions?: { readonly bundle: string; readonly processes: number } | undefined
  readonly onError: (error: unknown, requestId: string) => void
  /** Called with one line for the operator. */
  readonly onWarning?: (line: string) => void
  /** Called after every answer. */
  readonly onAnswer?: (seen: Seen) => void
}

export interface Service {
  readonly url: string
  readonly storage: Storage
  /** Does what the first requests would wait for otherwise. */
  prepare(): Promise<void>
  /**
   * Refuses new requests, completes running ones, closes the database. Resolves with false if some were
   * aborted at the deadline.
   */
  stop(): Promise<boolean>
}

/** In milliseconds. */
const sweepEvery = 10 * 60_000

/**
 * @throws the errors of `openStorage`, BootstrapTokenError, or the operating system's error about the address
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const storage = await openStorage(options)
  try {
    return await serve(storage, options)
  } catch (error) {
    await storage.close()
    throw error
  }
}

async function serve(storage: Storage, options: ServiceOptions): Promise<Service> {
  const { bootstrapToken, limits, onError, onAnswer } = options
  await fillEntrySearch(storage)
  await fillAssetSearch(storage)
  if (bootstrapToken !== undefined) {
    const warning = await ensureBootstrapToken(storage, bootstrapToken)
    if (warning !== undefined) options.onWarning?.(warning)
  }
  const ticks = () => performance.now()
  const crowd = createCrowd(limits)
  const rates = createRateLimits(limits, ticks)
  const noteFailure = createFailureCount(limits, ticks)
  const stopping = createStopping(options.stopTimes)
  const cursorKey = await readCursorKey(storage)
  const questions = startQuestions(options, cursorKey)
  const metrics = options.metrics
    ? createMetrics({ inFlight: crowd.inFlight, questions: questions?.counts }, version)
    : undefined
  const clientAddress = (request: IncomingMessage) => addressOf(request, options.trustProxy)
  const tokens = createTokenReader(storage, {
    bootstrapToken,
    onFailure: request => noteFailure(clientAddress(request)),
    onError: error => onError(error, 'token'),
  })
  const signer = createCursorSigner(cursorKey)
  const observers = [metrics?.observe, onAnswer].filter(each => each !== undefined)
  const routes = allRoutes({ signer, tokens, version, isStopping: stopping.isStopping, metrics })
  const app = createApp({
    storage,
    authenticate: tokens.authenticate,
    entrances: [stopping.entrance, crowd.entrance],
    aroundWrite,
    recall,
    guards: [rates.guard, crowd.guard],
    limits,
    chargeRecords: rates.chargeRecords,
    takeTurn: createTurns(limits.tokenQuestions),
    takeBodyTurn: createTurns(limits.tokenBodies),
    addressOf: clientAddress,
    observers,
    routes,
    onError,
    answerApart: questions?.answer,
    cacheBytes: options.cacheBytes,
  })
  const server = createHttpServer(limits, app.callback(), seen => {
    for (const observer of observers) observer(seen)
  })
  const connections = trackConnections(server)
  try {
    await listen(server, options.host, options.port)
  } catch (error) {
    await questions?.stop()
    throw error
  }
  const sweeping = setInterval(() => {
    sweepAnswers(storage).catch(error => onError(error, 'sweep'))
  }, sweepEvery).unref()
  return {
    url: urlOf(server),
    storage,
    prepare: () => prepareValidators(routes),
    async stop() {
      const inTime = await stopping.stop(server, connections)
      clearInterval(sweeping)
      await questions?.stop()
      await storage.close()
      return inTime
    },
  }
}

function startQuestions(options: ServiceOptions, cursorKey: Buffer): QuestionPool | undefined {
  const { questions, address, driver, onError } = options
  if (questions === undefined || questions.processes === 0) return undefined
  return new QuestionPool({
    file: questions.bundle,
    processes: questions.processes,
    opening: { address, driver, cursorKey, version },
    onError,
  })
}
