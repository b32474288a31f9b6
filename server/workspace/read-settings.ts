/** Reads `svc.yaml` of a project from disk, with its encoding problems. */
import { join } from 'node:path'
import type { MayOpen } from '../catalog/index.ts'
import { parseSettings, type Settings, type Variables } from '../language/index.ts'
import { encodingProblems, withEncoding } from './encoding-problems.ts'
import { settingsFile } from './find-root.ts'
import { readIfExists } from './read-if-exists.ts'
import { readOwnTests } from './read-own-tests.ts'

export interface SettingsRead {
  readonly settings: Settings
  /** Undefined if there is no file. */
  readonly text: string | undefined
}

/**
 * Reads the settings and the tests of the project's own; `env` has the environment variables, `environment` the name whose
 * engine is meant; `mayOpen` decides of links. Throws FileFailure.
 */
export function readSettings(
  root: string,
  env: Variables,
  environment?: string,
  mayOpen?: MayOpen,
): SettingsRead {
  const text = readIfExists(join(root, settingsFile))
  const encoding = encodingProblems(root, [[settingsFile, text ?? '']])
  const settings = withEncoding(parseSettings(text, env, environment), encoding)
  return { text, settings: { ...settings, ownTests: readOwnTests(root, settings.engine, mayOpen) } }
}
