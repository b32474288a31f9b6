/**
 * Renders the line that most reports consist of: a symbol, a name, what happens to it, and facts. Facts have
 * their own column; on a narrow terminal they are written below, so that no word is broken.
 */
import type { Style } from './style.ts'
import { displayWidth, oneLine, padEnd, truncate, wrap } from './width.ts'

const narrowest = 72
const longestName = 40
const usualName = 24
const below = ' '.repeat(6)

export function isNarrow(style: Style): boolean {
  return style.width < narrowest
}

/** Returns `  ✓ flights                  fetched      `, the part before the facts. */
export function entryHead(symbol: string, name: string, what: string, style: Style): string {
  const { nameWidth, whatWidth } = isNarrow(style)
    ? { nameWidth: 12, whatWidth: 9 }
    : { nameWidth: style.nameWidth ?? usualName, whatWidth: 12 }
  // Some space is reserved for a figure.
  const room = isNarrow(style)
    ? Math.max(8, style.width - 14 - Math.max(whatWidth, what.length))
    : longestName
  const shown = style.isCut ? truncate(oneLine(name), Math.min(longestName, room)) : oneLine(name)
  return `  ${symbol} ${padEnd(shown, nameWidth)} ${padEnd(what, whatWidth)} `
}

/** Returns the style for a list whose names are known, so that what follows them is aligned also if some are long. */
export function alignedTo(names: readonly string[], style: Style): Style {
  const longest = names.reduce((most, name) => Math.max(most, displayWidth(oneLine(name))), usualName)
  return { ...style, nameWidth: style.isCut ? Math.min(longestName, longest) : longest }
}

/** Returns every fact unabridged, on one line or several. */
export function entry(
  symbol: string,
  name: string,
  what: string,
  facts: readonly string[],
  style: Style,
): string[] {
  const head = entryHead(symbol, name, what, style)
  if (isNarrow(style)) {
    const lines = facts.flatMap(fact => wrap(oneLine(fact), style.width - below.length))
    return [head.trimEnd(), ...lines.map(line => below + line)]
  }
  const indent = ' '.repeat(displayWidth(head))
  const [first = '', ...rest] = facts.flatMap(fact =>
    wrap(oneLine(fact), Math.max(24, style.width - indent.length)),
  )
  return [(head + first).trimEnd(), ...rest.map(line => indent + line)]
}
