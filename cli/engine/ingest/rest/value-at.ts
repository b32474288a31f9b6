/**
 * Values in what a page says beside its records, by path: `meta.next`, `links.0.href`, `links.next` of a list of links, with or
 * without `$.` before it, and `header:X-Next-Page` for a header.
 */
import type { Headers } from './http-client.ts'

/** What a page says beside its records. */
export interface Said {
  readonly envelope: unknown
  readonly headers: Headers
}

const headerPath = /^header:([^.[]+)(?:\.(.+))?$/i

/** Returns the name of the header that a path names; undefined for a path in the body. */
export function headerOf(path: string): string | undefined {
  return headerPath.exec(path)?.[1]?.toLowerCase()
}

/** Returns the value at a path; undefined if there is none. */
export function saidAt({ envelope, headers }: Said, path: string): unknown {
  const [, name, rest] = headerPath.exec(path) ?? []
  if (name === undefined) return valueAt(envelope, path)
  const text = headers[name.toLowerCase()]
  return rest === undefined ? text : valueAt(jsonIn(text), rest)
}

/** Returns the object that a header holds as JSON; undefined for all others. */
export function jsonIn(text: string | undefined): unknown {
  if (text === undefined || !/^\s*\{/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns the value at a path; if nothing else matches, also the value of a key that contains dots:
 * `@odata.nextLink`.
 */
export function valueAt(value: unknown, path: string): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, path)) {
    return (value as Record<string, unknown>)[path]
  }
  let at = value
  for (const step of stepsOf(path)) {
    if (typeof at !== 'object' || at === null) return undefined
    at = Array.isArray(at) && !/^\d+$/.test(step) ? linkIn(at, step) : (at as Record<string, unknown>)[step]
  }
  return at
}

/** Returns the link of a list that has a relation: `[{"rel": "next", "href": …}]`. */
function linkIn(links: readonly unknown[], relation: string): unknown {
  return links.find(link => relationsOf(link).includes(relation))
}

export function relationsOf(link: unknown): readonly string[] {
  if (typeof link !== 'object' || link === null) return []
  const { rel, relation } = link as { readonly rel?: unknown; readonly relation?: unknown }
  const given = rel ?? relation
  if (Array.isArray(given)) return given.filter(each => typeof each === 'string')
  return typeof given === 'string' ? given.split(/\s+/) : []
}

export function stepsOf(path: string): readonly string[] {
  return path
    .replace(/^\$\.?/, '')
    .replace(/\[(?:'([^']*)'|"([^"]*)"|(\d+))\]/g, (_all, a, b, c) => `.${a ?? b ?? c}`)
    .split('.')
    .filter(step => step !== '')
}

/** Returns a whole number, also if it is written as text. */
export function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

export function numberSaid(said: Said, path: string | undefined): number | undefined {
  return path === undefined ? undefined : wholeNumber(saidAt(said, path))
}

/** Returns what a service says with a boolean, also if it is written as text or as a number; undefined for all others. */
export function truth(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value === null || value === '') return false
  const text = String(value).trim().toLowerCase()
  if (['true', '1', 'yes', 'y', 'on'].includes(text)) return true
  return ['false', '0', 'no', 'n', 'off'].includes(text) ? false : undefined
}

/** Returns a copy of a JSON value with one value set in it, and creates objects on the path to it. */
export function withValue(value: unknown, steps: readonly string[], item: unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return item
  if (Array.isArray(value) && /^\d+$/.test(step))
    return value.with(Number(step), withValue(value[Number(step)], rest, item))
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  return { ...object, [step]: withValue((object as Record<string, unknown>)[step], rest, item) }
}
