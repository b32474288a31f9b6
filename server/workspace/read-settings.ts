/** Reads `svc.yaml` of a project from disk, with its encoding problems. */
import { join } from 'node:path'
import { parseSettings, type Settings, type Variables } from '../language/index.ts'
import { encodingProblems } from './encoding-problems.ts'
import { settingsFile } from './find-root.ts'
import { readIfExists } from './read-if-exists.ts'
import { readOwnTests } from './read-own-tests.ts'

export interface SettingsRead {
  readonly settings: Settings
  /** Undefined if there is no file. */
  readonly text: string | undefined
}

/** Reads the settings and the tests of the project's own; `env` has the environment variables. Throws FileFailure. */
export function readSettings(root: string, env: Variables): SettingsRead {
  const text = readIfExists(join(root, settingsFile))
  const settings = settingsOf(text, encodingProblems(root, [[settingsFile, text ?? '']]), env)
  return { text, settings: { ...settings, ownTests: readOwnTests(root, settings.engine) } }
}

/** Makes the settings. `encoding` has the encoding problems of `text`. */
export function settingsOf(
  text: string | undefined,
  encoding: Settings['diagnostics'],
  env: Variables,
): Settings {
  const settings = parseSettings(text, env)
  return encoding.length === 0
    ? settings
    : { ...settings, diagnostics: [...encoding, ...settings.diagnostics] }
}
