/** Which variables of the environment hold secrets that the log must hide. */
import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { ServerWorld } from './world.ts'

/** Returns the values of variables with secret names; short values would hide ordinary text, and paths are no secrets. */
export function secretsIn(env: ServerWorld['env']): string[] {
  return Object.entries(env).flatMap(([name, value = '']) =>
    secretName.test(name) && !folderOfShell.test(name) && value.length >= 6 && !isPlace(value) ? [value] : [],
  )
}

const secretName = /CREDENTIAL|PASSW|SECRET|TOKEN|(?:^|_)KEY(?:$|_)|PWD$/i

/** Every shell keeps its folder in these, also one that is gone. */
const folderOfShell = /^(?:OLD)?PWD$/i

/** Returns whether it leads to a file or folder: `GOOGLE_APPLICATION_CREDENTIALS`, `DB_PASSWORD_FILE`, `PASSWORD_STORE_DIR`. */
function isPlace(value: string): boolean {
  return isAbsolute(value) && existsSync(value)
}
