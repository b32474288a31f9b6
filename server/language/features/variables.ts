/** The value of a variable of `svc.yaml` in words. */
import type { Settings } from '../project/project.ts'
import type { JsonScalar } from '../schema/definition.ts'

/** Returns a text such as `15, in prod 30`. */
export function variableDetail(settings: Settings, name: string): string {
  const own = Object.hasOwn(settings.vars, name) ? [shownValue(settings.vars[name])] : []
  return [
    ...own,
    ...variableByEnvironment(settings, name).map(([environment, value]) => `in ${environment} ${value}`),
  ].join(', ')
}

/** Returns the environments with a value of their own. */
export function variableByEnvironment(
  settings: Settings,
  name: string,
): readonly (readonly [string, string])[] {
  return Object.entries(settings.environments).flatMap(([environment, { vars }]) =>
    Object.hasOwn(vars, name) ? [[environment, shownValue(vars[name])] as const] : [],
  )
}

export function shownValue(value: JsonScalar | undefined): string {
  if (value === undefined || value === null) return 'NULL'
  return typeof value === 'string' ? `'${value}'` : String(value)
}
