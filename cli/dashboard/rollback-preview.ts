/**
 * Returns what a rollback would change by running `svc rollback --dry-run --json`, because the dashboard
 * itself opens no warehouse.
 */

import { execFile } from 'node:child_process'
import type { RollbackPreview } from '@svc/server/contract'
import type { RunsOptions } from './runs.ts'

/** An empty list of names means everything. */
export type RollbackPreviews = (
  names: readonly string[],
) => Promise<{ readonly preview: RollbackPreview } | { readonly status: 409 | 502; readonly error: string }>

const longestMs = 60_000
const mostBytes = 64 * 1024 * 1024

export function rollbackPreviews(
  { command, root, env }: Pick<RunsOptions, 'command' | 'root' | 'env'>,
  environment: string,
  signal: AbortSignal,
): RollbackPreviews {
  const [program, ...first] = command
  const options = {
    cwd: root,
    env: { ...env, NO_COLOR: '1' },
    timeout: longestMs,
    maxBuffer: mostBytes,
    signal,
  }
  return names =>
    new Promise(resolve => {
      const which = names.length === 0 ? ['--all'] : [names.join(',')]
      const words = [...first, 'rollback', ...which, '--env', environment, '--dry-run', '--json']
      execFile(program, words, options, (error, stdout, stderr) => {
        if (error === null) return resolve({ preview: JSON.parse(stdout) as RollbackPreview })
        // Exit code 1 means that there is nothing to roll back to.
        resolve({ status: error.code === 1 ? 409 : 502, error: stderr.trim() || error.message })
      })
    })
}
