/** Saves which language model answers, so that the next command takes what is saved (interface.md 4.4, `config ai`). */
import { join } from 'node:path'
import { type AiChanges, parseGlobalSettings, parseSettings, withAiSettings } from '@svc/server/language'
import { readIfExists, readSettings } from '@svc/server/workspace'
import { changeWhole } from '../artifacts/write-file.ts'
import { findProject, findProjectOrNothing, settingsFile } from '../config/find-project.ts'
import { SvcError } from '../errors.ts'
import {
  globalFile,
  globalPath,
  isReference,
  type KnownSettings,
  knownSettings,
  readGlobalSettings,
  writeGlobalSettings,
} from './settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What counts in a folder, in a project or not. */
export function settingsAt(cwd: string, env: Environment): KnownSettings {
  const root = findProjectOrNothing(cwd)
  const ofProject = root === undefined ? undefined : readSettings(root, env).settings.ai
  return knownSettings(ofProject, readGlobalSettings(env))
}

/** Returns the name of the file. Throws SvcError `wrong-usage`, `invalid-settings`, `file-failed`. */
export function saveGlobally(env: Environment, changes: AiChanges, pid: number): string {
  const before = readGlobalSettings(env)
  needsProvider(changes, before.provider)
  const text = withAiSettings(readIfExists(globalPath(env)), changes)
  refuseMistake(parseGlobalSettings(text, globalFile).diagnostics)
  writeGlobalSettings(env, text, pid)
  return globalFile
}

/** The same for `svc.yaml`, which takes no key as it is. */
export function saveToProject(cwd: string, changes: AiChanges, pid: number): string {
  if (changes.api_key !== undefined && !isReference(changes.api_key)) {
    throw new SvcError('wrong-usage', 'a key does not go into svc.yaml, which others read', {
      hint: 'Give --api-key env:NAME, or leave out --project: ~/.svc/config is yours alone.',
    })
  }
  const root = findProject(cwd)
  const { settings, text: before } = readSettings(root, {})
  needsProvider(changes, settings.ai.provider)
  const text = withAiSettings(before, changes)
  refuseMistake(parseSettings(text).diagnostics)
  changeWhole(join(root, settingsFile), text, pid)
  return settingsFile
}

function needsProvider(changes: AiChanges, before: string | undefined): void {
  if (changes.provider !== undefined || before !== undefined) return
  throw new SvcError('wrong-usage', 'no provider is chosen there yet', {
    hint: 'Give --provider too: openai, anthropic, gemini, ollama or transformers.',
  })
}

/** Nothing is written that the next command would refuse. */
function refuseMistake(
  diagnostics: readonly { readonly severity: string; readonly message: string; readonly hint?: string }[],
): void {
  const problem = diagnostics.find(({ severity }) => severity === 'error')
  if (problem === undefined) return
  throw new SvcError('wrong-usage', problem.message, problem.hint === undefined ? {} : { hint: problem.hint })
}
