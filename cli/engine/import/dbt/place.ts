import { placeAt } from '@svc/server/language'
import type { Site } from '../jinja/problem.ts'

/** `path:line:column`. */
export function placeOf({ template, at }: Site): string {
  return placeAt(template.path, template.text, at)
}
