/** Puts `***` where an answer would repeat a personal value. */
const hidden = '***'

export interface Hiding {
  /** Returns the same value without them; keys stay, because names of columns are no values. */
  inValue(value: unknown): unknown
  inText(text: string): string
}

export function hiding(values: ReadonlySet<string>): Hiding {
  if (values.size === 0) return { inValue: value => value, inText: text => text }
  // The longest first: one value may be a part of another.
  const literals = [...values].toSorted((a, b) => b.length - a.length).map(wholeValue)
  const pattern = new RegExp(literals.join('|'), 'giu')
  const inText = (text: string) => text.replace(pattern, hidden)
  const inValue = (value: unknown): unknown => {
    if (typeof value === 'string') return inText(value)
    if (typeof value === 'number') return values.has(String(value)) ? hidden : value
    if (Array.isArray(value)) return value.map(inValue)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inValue(each)]))
  }
  return { inValue, inText }
}

/** A number is not hidden inside of a longer one, nor a name inside of a longer word. */
function wholeValue(value: string): string {
  const literal = value.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  const before = /^[\p{L}\p{N}_]/u.test(value) ? '(?<![\\p{L}\\p{N}_])' : ''
  const behind = /[\p{L}\p{N}_]$/u.test(value) ? '(?![\\p{L}\\p{N}_])' : ''
  return `${before}${literal}${behind}`
}
