/**
 * Regular expressions that users write, for questions that must not take long. JavaScript tries every way in which a
 * pattern can fit; DuckDB does not, so what is right there may never end here.
 */

/** More of them, one behind the other, and a name of some length takes seconds. */
const mostRepetitions = 3
const longestText = 256

/**
 * Whether `pattern` is found in a text; undefined: it is no pattern, or one that may take long, and nobody can say.
 */
export function boundedPattern(pattern: string): ((text: string) => boolean) | undefined {
  if (mayTakeLong(pattern)) return undefined
  try {
    const expression = new RegExp(pattern)
    return text => expression.test(text.slice(0, longestText))
  } catch {
    return undefined
  }
}

/** Without what is escaped and the insides of character classes. */
function mayTakeLong(pattern: string): boolean {
  const bare = pattern
    .replace(/\\[1-9k]/g, ')*')
    .replace(/\\./gs, 'x')
    .replace(/\[\^?\]?[^\]]*\]/g, 'x')
  const repetitions = bare.match(/[*+]|\{\d+,?\d*\}/g) ?? []
  return pattern.length > 1000 || repetitions.length > mostRepetitions || /\)[*+{]/.test(bare)
}
