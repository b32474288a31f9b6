/** Files that are shipped beside the program. `__dirname` is the folder of the bundle: `cli/dist`. */
import { join } from 'node:path'

/** A program and its first words: starts this svc once more. */
export function ownCommand(): readonly [string, string] {
  return [process.execPath, join(__dirname, '..', 'bin', 'svc.cjs')]
}

/** The folder of the dashboard's page. */
export function pageFolder(): string {
  return join(__dirname, 'dashboard')
}
