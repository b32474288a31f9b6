/**
 * What a log says about its run in a few words, from its first and last lines alone: a list of fifty logs reads a little
 * of each. Undefined facts are those that the log does not tell (half a line of a killed process, an older log).
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { type LogFile, logPath } from './log-files.ts'

export interface LogSummary extends LogFile {
  readonly kind: string | undefined
  readonly environment: string | undefined
  /** Null: all assets. */
  readonly selector: string | null | undefined
  /** `running`: its last event is not written (yet). */
  readonly status: string
  readonly promoted: boolean
  readonly startedAt: string | undefined
  readonly finishedAt: string | undefined
  readonly seconds: number | undefined
  readonly failure:
    | {
        readonly code: string
        readonly message: string
        readonly asset: string | null
        readonly place: string | null
      }
    | undefined
}

type Line = Readonly<Record<string, unknown>>

/** Statements of the beginning stand before the first event. */
const headBytes = 128 * 1024
const tailBytes = 32 * 1024

export function summarizeLog(root: string, log: LogFile): LogSummary {
  const head = linesOf(piece(logPath(root, log.runId), 0, headBytes))
  const tailFrom = Math.max(0, log.bytes - tailBytes)
  const tail = linesOf(piece(logPath(root, log.runId), tailFrom, tailBytes))
  const start = head.find(({ type }) => type === 'run-started')
  const end = tail.findLast(({ type }) => type === 'run-finished' || type === 'error')
  const first = start ?? head[0]
  return {
    ...log,
    kind: text(end?.['kind'] ?? start?.['kind']),
    environment: text(end?.['environment'] ?? start?.['environment']),
    selector: selectorOf(end ?? start),
    status: statusOf(end),
    promoted: end?.['promoted'] === true,
    startedAt: text(first?.['at']),
    finishedAt: text(end?.['at']),
    seconds: typeof end?.['seconds'] === 'number' ? end['seconds'] : undefined,
    failure: failureOf(end),
  }
}

function statusOf(end: Line | undefined): string {
  if (end === undefined) return 'running'
  return end['type'] === 'error' ? 'Failed' : (text(end['status']) ?? 'running')
}

function selectorOf(line: Line | undefined): string | null | undefined {
  const selector = line?.['selector']
  return selector === null ? null : text(selector)
}

function failureOf(end: Line | undefined): LogSummary['failure'] {
  const failure = end?.['type'] === 'error' ? end : end?.['failure']
  if (typeof failure !== 'object' || failure === null) return undefined
  const { code, message, asset, place } = failure as Line
  return {
    code: text(code) ?? '',
    message: text(message) ?? '',
    asset: text(asset) ?? null,
    place: text(place) ?? null,
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function piece(path: string, from: number, bytes: number): string {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const buffer = Buffer.alloc(bytes)
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, bytes, from))
  } catch {
    // Pruned between the list and here.
    return ''
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** The first and the last line of a piece may be halves. */
function linesOf(piece: string): Line[] {
  return piece.split('\n').flatMap(line => {
    try {
      const value: unknown = JSON.parse(line)
      return typeof value === 'object' && value !== null ? [value as Line] : []
    } catch {
      return []
    }
  })
}
