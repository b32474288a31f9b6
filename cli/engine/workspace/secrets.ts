/**
 * Returns the secret values that this process knows: those of `env:NAME` in the project's files. It never
 * prints them.
 */
import { variablesIn } from '@svc/server/workspace'
import type { OpenedWorkspace } from './open-workspace.ts'

/** Hiding shorter values would make ordinary text unreadable. */
const shortestSecret = 6

export function secretsOf(workspace: OpenedWorkspace): string[] {
  const { env } = workspace.world
  const names = new Set(Object.keys(env).filter(name => /^(SOURCE|DESTINATION)__.+__CREDENTIALS$/.test(name)))
  for (const name of variablesIn(workspace.settingsText ?? '')) names.add(name)
  for (const name of workspace.variables) names.add(name)
  return [...names].flatMap(name => secretValues(env[name]))
}

/** Of an address only the user's password is secret; the rest is useful in messages. */
function secretValues(value: string | undefined): string[] {
  if (value === undefined || value.length < shortestSecret) return []
  const address = /^[a-z][a-z0-9+.-]*:(\/\/)?/i.test(value)
  if (!address) return [value]
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^/@:]*:([^/@]+)@/i.exec(value)?.[1]
  return password === undefined ? [] : [password]
}

export function replaceSecrets(text: string, secrets: ReadonlySet<string>): string {
  let result = text
  for (const secret of secrets) result = result.replaceAll(secret, '***')
  return result
}
