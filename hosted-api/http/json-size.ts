/** Measures a JSON value without making its text, and stops when it is known to be too large or too deep. */

/** 0 means no limit. */
export interface SizeLimits {
  readonly body: number
  readonly depth: number
}

/** Quotes, comma and colon of a member; the comma of an item. */
const memberFrame = 4
const itemFrame = 1

/** `bytes`: the approximate length as JSON; more than the limit if the value is larger than that. */
export function boundedSize(value: unknown, limits: SizeLimits) {
  let [bytes, isTooDeep] = [0, false]
  const exceeds = () => limits.body > 0 && bytes > limits.body
  const visit = (each: unknown, depth: number): void => {
    if (exceeds() || isTooDeep) return
    if (typeof each !== 'object' || each === null) {
      bytes += typeof each === 'string' ? Buffer.byteLength(each) + 2 : String(each).length
      return
    }
    isTooDeep = limits.depth > 0 && depth >= limits.depth
    const isList = Array.isArray(each)
    bytes += 2
    for (const [name, member] of Object.entries(each)) {
      bytes += isList ? itemFrame : Buffer.byteLength(name) + memberFrame
      visit(member, depth + 1)
      if (exceeds() || isTooDeep) return
    }
  }
  visit(value, 0)
  return { bytes, isTooDeep }
}
