/**
 * The command `svc` that comes with the extension: where it is, and how it or another one is started. It runs in the
 * editor's own Node and never through a shell, so that special characters in paths and names need no quoting.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export interface Invocation {
  readonly executable: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Variables in addition to the environment of the editor. */
  readonly env: Readonly<Record<string, string>>
}

/**
 * Returns the path: inside the packaged extension, or beside it in a checkout. Undefined if it is in neither
 * place.
 */
export function findCli(extensionFolder: string): string | undefined {
  const places = [
    join(extensionFolder, 'cli', 'bin', 'svc.cjs'),
    join(extensionFolder, '..', 'cli', 'bin', 'svc.cjs'),
  ]
  return places.find(path => existsSync(path))
}

export function invocationOf(
  cli: string,
  words: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Invocation {
  return {
    executable: process.execPath,
    args: [cli, ...words],
    cwd,
    // With this variable Electron runs as Node; Node itself ignores it.
    env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
  }
}
