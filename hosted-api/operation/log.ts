/** The log: JSON lines on one stream, never with a token, a body or a query. */
import { type DestinationStream, destination, pino } from 'pino'
import type { Seen } from '../http/index.ts'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Lines are buffered up to this many bytes, or for a second. */
const bufferedBytes = 4096

/** @param stream replaces standard output in tests */
export function createLog(level: LogLevel, stream?: DestinationStream) {
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
    /** Logs one line per request: `info`, or `error` for failures of the service. */
    request({ method, path, status, seconds, bytes, requestId, principal, route, address }: Seen) {
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
    /** Logs a bug, or a failed database, with the stack. */
    error(error: unknown, requestId: string) {
      logger.error({ id: requestId, err: error }, 'failed')
    },
    /** Writes buffered lines; call it before the process ends. */
    flush: () => buffered !== undefined && flush(buffered),
  }
}

/** These are never logged on purpose, but an error of a library may contain a request. */
const secretPaths = ['authorization', 'secret', 'token_text', 'password', 'connectionString'].flatMap(
  name => [name, `*.${name}`, `*.*.${name}`],
)

function flush(stream: ReturnType<typeof destination>): void {
  try {
    stream.flushSync()
  } catch {
    // The stream is not open yet, or its reader is gone.
  }
}
