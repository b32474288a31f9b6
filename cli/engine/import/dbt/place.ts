import { lineIndex } from '@svc/server/language'
import type { Site } from '../jinja/problem.ts'

/** `path:line:column`. */
export function placeOf({ template, at }: Site): string {
  const { line, column } = lineIndex(template.text).position(Math.min(at, template.text.length))
  return `${template.path}:${line}:${column}`
}
