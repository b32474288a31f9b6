/** The placeholders of the cursor in the requests of a web service: where a request begins, and where its window ends. */
import type { JsonValue, RestIngest } from '../schema/definition.ts'
import { shortTags } from './request-tags.ts'

export const cursorPlaceholder = '{cursor}'
export const cursorEndPlaceholder = '{cursor.end}'

type Requests = Pick<RestIngest, 'resource' | 'params' | 'headers' | 'body'>

export function asksFromCursor(requests: Requests): boolean {
  return hasText(requests, cursorPlaceholder)
}

export function asksUntilEnd(requests: Requests): boolean {
  return hasText(requests, cursorEndPlaceholder)
}

function hasText({ resource, params, headers, body = null }: Requests, wanted: string): boolean {
  return textsIn([resource, params, headers, body]).some(text => shortTags(text).includes(wanted))
}

/** Returns the texts in a value, in their order. */
export function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
