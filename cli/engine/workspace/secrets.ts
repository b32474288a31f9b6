/**
 * Returns the secret values that this process knows: those of `env:NAME` in the project's files. It never
 * prints them.
 */
import { addressSecrets } from '@svc/server/language'
import { variablesIn } from '@svc/server/workspace'
import type { OpenedWorkspace } from './open-workspace.ts'

/** Hiding shorter values would make ordinary text unreadable. */
const shortestSecret = 6

export function secretsOf(workspace: OpenedWorkspace): string[] {
  const { env } = workspace.world
  const names = new Set(Object.keys(env).filter(name => /^(SOURCE|DESTINATION)__.+__CREDENTIALS$/.test(name)))
  const inSettings = new Set(variablesIn(workspace.settingsText ?? ''))
  for (const name of [...inSettings, ...workspace.variables]) names.add(name)
  return [...names].flatMap(name => {
    const value = env[name]
    return inSettings.has(name) && isFile(value) ? [] : secretValues(value)
  })
}

/** The path of a warehouse's file (`duckdb:./warehouse.duckdb`) is no secret, and is needed in messages. */
function isFile(value = ''): boolean {
  return /^[a-z][a-z0-9]*:(?!\/\/)(?:\.{0,2}\/[^@]*|[^:@]*\.[a-z0-9]{1,8})$/i.test(value)
}

function secretValues(value: string | undefined): readonly string[] {
  if (value === undefined || value.length < shortestSecret) return []
  return addressSecrets(value) ?? [value]
}

export function replaceSecrets(text: string, secrets: ReadonlySet<string>): string {
  let result = text
  for (const secret of secrets) result = result.replaceAll(secret, '***')
  return result
}
