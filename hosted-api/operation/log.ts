/** The log: JSON lines on one stream, never a token, a body or a query. */
import { type DestinationStream, destination, type Logger, pino } from 'pino'
import type { Seen } from '../http/index.ts'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export interface ServiceLog {
  readonly logger: Logger
  /** One line a request: `info`, a failure of ours `error`. */
  request(seen: Seen): void
  /** A bug, or the database does not answer: with the stack, which nobody but the reader of the log sees. */
  error(error: unknown, requestId: string): void
  /** What waits is written; before the process ends. */
  flush(): void
}

/** Lines wait until there are so many bytes of them, or a second is over. */
const bufferedBytes = 4096

/** @param stream in place of the standard output, for tests */
export function createLog(level: LogLevel, stream?: DestinationStream): ServiceLog {
  const buffered =
    stream === undefined ? destination({ dest: 1, sync: false, minLength: bufferedBytes }) : undefined
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: label => ({ level: label }) },
      redact: { paths: secretPaths, censor: '[redacted]' },
    },
    stream ?? (buffered as DestinationStream),
  )
  if (buffered !== undefined) setInterval(() => flush(buffered), 1000).unref()
  return {
    logger,
    request({ method, path, status, seconds, bytes, requestId, principal, route, address }) {
      const line = {
        id: requestId,
        method,
        path,
        route: route?.id,
        status,
        ms: Math.round(seconds * 1e5) / 100,
        bytes,
        actor: principal?.actor,
        token: principal?.tokenId,
        address,
      }
      if (status >= 500) logger.error(line, 'request')
      else logger.info(line, 'request')
    },
    error(error, requestId) {
      logger.error({ id: requestId, err: error }, 'failed')
    },
    flush: () => buffered !== undefined && flush(buffered),
  }
}

/** Nobody logs these on purpose; an error of a library may carry a request. */
const secretPaths = ['authorization', 'secret', 'token_text', 'password', 'connectionString'].flatMap(
  name => [name, `*.${name}`, `*.*.${name}`],
)

function flush(stream: ReturnType<typeof destination>): void {
  try {
    stream.flushSync()
  } catch {
    // Not open yet, or the reader has gone: there is nobody to tell.
  }
}
