/** The log: JSON lines on one stream, never with a token, a body or a query. */
import { type DestinationStream, pino } from 'pino'
import type { Seen } from '../http/index.ts'
import { logOutput } from './log-output.ts'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** @param stream replaces standard output in tests */
export function createLog(level: LogLevel, stream?: DestinationStream) {
  const output = stream === undefined ? logOutput(1) : undefined
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: label => ({ level: label }) },
      redact: { paths: secretPaths, censor: '[redacted]' },
    },
    stream ?? (output as DestinationStream),
  )
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
    /** Writes the lines that are gathered; call it before the process ends. */
    flush: async () => output?.flush(),
  }
}

/** These are never logged on purpose, but an error of a library may contain a request. */
const secretPaths = ['authorization', 'secret', 'token_text', 'password', 'connectionString'].flatMap(
  name => [name, `*.${name}`, `*.*.${name}`],
)
