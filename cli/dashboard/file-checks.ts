/**
 * What `svc validate` says of the files of the project: a child process checks them, because the dashboard itself
 * keeps no project in memory. One check at a time; a change of files during a check asks for one more.
 */

import { execFile } from 'node:child_process'
import type { JsonOf, ProjectProblems } from '@svc/server/contract'
import type { RunsOptions } from './runs.ts'

export type FileChecks = ReturnType<typeof createFileChecks>

const mostBytes = 256 * 1024 * 1024
/** Several files are saved one after another. */
const settleMs = 300

export function createFileChecks(options: RunsOptions, environment: string) {
  const listeners = new Set<() => void>()
  const stopping = new AbortController()
  let latest: ProjectProblems = { checked_at: null, failure: null, problems: [] }
  let state: 'idle' | 'settling' | 'checking' | 'again' = 'idle'

  async function check(): Promise<void> {
    state = 'checking'
    latest = await checked(options, environment, stopping.signal)
    if (stopping.signal.aborted) return
    const isOutdated = (state as string) === 'again'
    state = 'idle'
    for (const listener of listeners) listener()
    if (isOutdated) again()
  }

  function again(): void {
    if (state === 'checking') state = 'again'
    if (state !== 'idle' || stopping.signal.aborted) return
    state = 'settling'
    setTimeout(() => void check(), settleMs).unref()
  }

  return {
    /** Returns what the last check found; the first call begins one. */
    latest() {
      if (latest.checked_at === null) again()
      return latest
    },
    /** Checks the files again. */
    again,
    /** Calls the listener when a check has ended. Returns a function that stops it. */
    onChecked(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      listeners.clear()
      stopping.abort()
    },
  }
}

function checked(
  { command, root, env, now }: RunsOptions,
  environment: string,
  signal: AbortSignal,
): Promise<ProjectProblems> {
  const [program, ...first] = command
  const checked_at = now().toISOString()
  const words = [...first, 'validate', '--env', environment, '--json']
  const options = { cwd: root, env: { ...env, NO_COLOR: '1' }, maxBuffer: mostBytes, signal }
  return new Promise(resolve => {
    execFile(program, words, options, (error, stdout, stderr) => {
      const problems = problemsIn(stdout)
      if (problems !== undefined) return resolve({ checked_at, failure: null, problems })
      const failure = stderr.trim() || error?.message || 'svc validate said nothing'
      resolve({ checked_at, failure, problems: [] })
    })
  })
}

/** Returns undefined if it is not the output of a check: then the files could not be checked at all. */
function problemsIn(stdout: string): ProjectProblems['problems'] | undefined {
  try {
    const { files } = JSON.parse(stdout) as JsonOf<'validate'>
    const all = files.flatMap(({ diagnostics }) => diagnostics)
    return all.filter(({ severity }) => severity === 'error' || severity === 'warning').map(problemOf)
  } catch {
    return undefined
  }
}

function problemOf({
  code,
  severity,
  message,
  hint,
  path,
  start,
}: JsonOf<'validate'>['files'][number]['diagnostics'][number]): ProjectProblems['problems'][number] {
  return { code, severity, message, hint, path, line: start.line, column: start.column }
}
