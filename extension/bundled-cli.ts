/**
 * The command `svc` that comes with the extension: where it is and how a process of it is started. It runs in the
 * editor's own Node, never through a shell and never found by PATH, so that a blank, a quote or a `&` in a path or a
 * name is only a character, and so that editor and command line always are of one version.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export interface Invocation {
  readonly executable: string
  readonly args: readonly string[]
  readonly cwd: string
  /** On top of the environment of the editor. */
  readonly env: Readonly<Record<string, string>>
}

/** Packaged, it lies in the extension; in a checkout, beside it. Undefined: it is in neither place. */
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
    // Electron is Node with this, and Node does not mind it.
    env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
  }
}
