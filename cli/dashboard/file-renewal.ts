/**
 * Brings the files that the dashboard reads to the state of the warehouse by running `svc` for a moment, because the dashboard
 * itself opens no warehouse: other environments, machines and backups change it without these files.
 */
import { execFile } from 'node:child_process'
import type { RunsOptions } from './runs.ts'

/** A page that is loaded anew all the time does not keep the warehouse busy. */
const pauseMs = 5_000
const longestMs = 60_000

/** The command that does it, which is in no help. */
export const renewalWord = '__renew'

/** @param signal ends the command. It resolves when that has ended: what it could not read changes nothing. */
export function renewalBy(
  { command, root, env }: Pick<RunsOptions, 'command' | 'root' | 'env'>,
  environment: string,
  signal: AbortSignal,
): () => Promise<void> {
  const [program, ...first] = command
  const options = { cwd: root, env: { ...env, NO_COLOR: '1' }, timeout: longestMs, signal }
  const words = [...first, renewalWord, '--env', environment]
  return () =>
    new Promise(resolve => {
      execFile(program, words, options, () => resolve())
    })
}

/**
 * The first call waits for the renewal. A later one begins it where the last is long enough ago, and waits for nothing: whoever
 * watches the files hears of news.
 */
export function nowAndThen(renew: () => Promise<void>): () => Promise<void> {
  let first: Promise<void> | undefined
  let endedAt: number | undefined
  const begin = () => {
    endedAt = undefined
    return renew().then(() => {
      endedAt = performance.now()
    })
  }
  return () => {
    if (first === undefined) {
      first = begin()
      return first
    }
    if (endedAt !== undefined && performance.now() - endedAt > pauseMs) void begin()
    return first
  }
}
