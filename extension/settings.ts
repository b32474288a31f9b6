/** The settings of `package.json`, read on use, so that a change applies to the next command. */
import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { parseEnv } from 'node:util'
import { type LogOutputChannel, type Uri, workspace } from 'vscode'
import { languageId, settingNames } from './contributions.ts'
import { messageOf } from './first-error.ts'

export function setting<T>(
  name: (typeof settingNames)[keyof typeof settingNames],
  scope: Uri | undefined,
  fallback: T,
): T {
  return workspace.getConfiguration(languageId, scope).get<T>(name) ?? fallback
}

/**
 * Returns the variables that settings give to the language server and to every command. `svc.env` takes
 * precedence over the file. An unreadable file gives none, and the reason is in the log.
 */
export function variablesOf(
  folder: Uri | undefined,
  log: LogOutputChannel,
): Readonly<Record<string, string>> {
  const named = setting<Record<string, unknown>>(settingNames.env, folder, {})
  const texts = Object.entries(named).map(([name, value]) => [name, String(value)] as const)
  return { ...variablesOfFile(folder, log), ...Object.fromEntries(texts) }
}

function variablesOfFile(folder: Uri | undefined, log: LogOutputChannel): Readonly<Record<string, string>> {
  const name = setting(settingNames.envFile, folder, '')
  if (name === '') return {}
  const path = isAbsolute(name) ? name : join(folder?.fsPath ?? '', name)
  try {
    return parseEnv(readFileSync(path, 'utf8')) as Readonly<Record<string, string>>
  } catch (error) {
    log.warn(`the file of the setting svc.envFile cannot be read: ${messageOf(error)}`)
    return {}
  }
}
