/** Values in the envelope of a page, by path: `meta.next`, `links.0.href`, with or without `$.` before it. */

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
    at = (at as Record<string, unknown>)[step]
  }
  return at
}

export function stepsOf(path: string): readonly string[] {
  return path
    .replace(/^\$\.?/, '')
    .replace(/\[(?:'([^']*)'|"([^"]*)"|(\d+))\]/g, (_all, a, b, c) => `.${a ?? b ?? c}`)
    .split('.')
    .filter(step => step !== '')
}

/** Returns a whole number, also if it is written as text. */
export function numberAt(value: unknown, path: string): number | undefined {
  const raw = valueAt(value, path)
  const number = typeof raw === 'string' && /^\d+$/.test(raw) ? Number(raw) : raw
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined
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
