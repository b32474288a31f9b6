/** Files that are shipped with the program. `__dirname` is the folder of the bundle: `cli/dist`. */
import { join } from 'node:path'

/** Returns the program and its first argument with which this svc can be started again. */
export function ownCommand(): readonly [string, string] {
  return [process.execPath, join(__dirname, '..', 'bin', 'svc.cjs')]
}

/** Returns the folder of the dashboard's page. */
export function pageFolder(): string {
  return join(__dirname, 'dashboard')
}
