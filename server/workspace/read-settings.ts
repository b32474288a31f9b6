/** Reads `svc.yaml` of a project from disk, with its encoding problems. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseSettings, type Settings, type Variables } from '../language/index.ts'
import { encodingProblems } from './encoding-problems.ts'
import { FileFailure } from './file-failure.ts'
import { settingsFile } from './find-root.ts'

export interface SettingsRead {
  readonly settings: Settings
  /** Undefined if there is no file. */
  readonly text: string | undefined
}

/** Reads the settings; `env` has the environment variables. Throws FileFailure. */
export function readSettings(root: string, env: Variables): SettingsRead {
  const text = readIfExists(join(root, settingsFile))
  return { text, settings: settingsOf(text, encodingProblems(root, [[settingsFile, text ?? '']]), env) }
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

/** No file of a project that people write is larger. */
const largestBytes = 256 << 20

/**
 * Returns the text of a file; undefined if there is none. Throws FileFailure, also for what has no end, such
 * as a link to a device.
 */
export function readIfExists(path: string): string | undefined {
  const stat = statOf(path)
  if (stat === undefined) return undefined
  if (!stat.isFile()) throw new FileFailure(`cannot read ${path}: it is no file`, 'Put a file there.')
  if (stat.size > largestBytes)
    throw new FileFailure(`cannot read ${path}: it has more than 256 MB`, 'Is it the right file?')
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new FileFailure(`cannot read ${path}`, 'Are you allowed to read it?', cause)
  }
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
