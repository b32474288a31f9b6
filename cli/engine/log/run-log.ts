/**
 * Writes the log of one run to `.svc/logs/<run id>.ndjson`: each line is an event as `--log-format json`
 * prints it, and additionally every statement, request and decision. Only its owner can read it, and every
 * text has passed `redact`. A log that cannot be written never stops a run.
 */
import { closeSync, mkdirSync, openSync, rmSync, utimesSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { alivePath, enterLog, logPath, logsFolder, pruneLogs } from './log-files.ts'

export interface RunLogOptions {
  /** Applied to every text last. */
  readonly redact: (text: string) => string
  readonly nowMs: () => number
}

/** Lines are buffered and written together, after this delay at most. */
const longestDelayMs = 200
const largestBatch = 64 * 1024
/** How often a run says that it is alive, for which it may have no line for hours. */
const aliveMs = 1_000
/** The limit of lines that are held before a run has an id. */
const mostHeld = 10_000

export function createRunLog({ redact, nowMs }: RunLogOptions) {
  let held: string[] = []
  let size = 0
  let lastMs = nowMs()
  let file: { readonly path: string; readonly descriptor: number } | undefined
  let broken = false
  let timer: NodeJS.Timeout | undefined
  let sign: ReturnType<typeof signOfLife> | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (file === undefined || held.length === 0) return
    const text = `${held.join('\n')}\n`
    held = []
    size = 0
    lastMs = nowMs()
    try {
      writeSync(file.descriptor, redact(text))
    } catch {
      broken = true
    }
  }

  return {
    /** One JSON text, without its line break. */
    write(line: string): void {
      if (broken || (file === undefined && held.length >= mostHeld)) return
      held.push(line)
      size += line.length
      if (size >= largestBatch || nowMs() - lastMs >= longestDelayMs) flush()
      // The timer also flushes the last line before a pause, because somebody may follow the log.
      else timer ??= setTimeout(flush, longestDelayMs).unref()
    },
    /** Starts the file of this run with the lines written so far. Idempotent. */
    begin(root: string, runId: string): void {
      if (file !== undefined || broken) return
      try {
        mkdirSync(logsFolder(root), { recursive: true, mode: 0o700 })
        pruneLogs(root)
        const path = logPath(root, runId)
        enterLog(root, runId)
        file = { path: join('.svc', 'logs', `${runId}.ndjson`), descriptor: openSync(path, 'a', 0o600) }
        sign = signOfLife(alivePath(root, runId), nowMs)
      } catch {
        broken = true
      }
      flush()
    },
    /** Undefined if nothing was written. */
    path: () => (broken ? undefined : file?.path),
    close(): void {
      flush()
      if (file !== undefined) closeSync(file.descriptor)
      sign?.end()
      file = undefined
      broken = true
    },
  }
}

/** Touches the file from now on until the end. */
function signOfLife(path: string, nowMs: () => number) {
  writeFileSync(path, '', { mode: 0o600 })
  const touch = () => {
    const at = new Date(nowMs())
    try {
      utimesSync(path, at, at)
    } catch {
      // Somebody has deleted it: the lines of the log are signs of life too.
    }
  }
  touch()
  const timer = setInterval(touch, aliveMs).unref()
  return {
    end() {
      clearInterval(timer)
      rmSync(path, { force: true })
    },
  }
}
