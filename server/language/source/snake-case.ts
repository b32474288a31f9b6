/**
 * Makes column and table names for a warehouse from source names (decisions 1): `US Gross` becomes
 * `us_gross`, `orderID` becomes `order_id`, `HTTPServer` becomes `http_server`. Letters of every alphabet are
 * kept. Two source names may give the same result; `rawTables` reports that.
 */

/**
 * Returns a name in snake_case: never empty, never starting with a digit. One leading underscore is kept
 * (`_id`).
 */
export function toSnakeCase(name: string): string {
  const known = made.get(name)
  if (known !== undefined) return known
  if (made.size === mostKept) made.clear()
  const snake = snakeCaseOf(name)
  made.set(name, snake)
  return snake
}

/** The names of a source are asked for again and again: by its columns, its contract, its masks, and at each keystroke. */
const made = new Map<string, string>()
const mostKept = 20_000

function snakeCaseOf(name: string): string {
  const words = name
    .normalize('NFC')
    .replace(/([\p{Ll}\p{M}])(?=\p{Lu})/gu, '$1_')
    .replace(/(\p{N})(?=\p{Lu}\p{Ll})/gu, '$1_')
    // The plural of an abbreviation is one word: `orderIDs` becomes `order_ids`.
    .replace(/(\p{Lu})(?=\p{Lu}(?!s(?!\p{L}))\p{Ll})/gu, '$1_')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '_')
  const leading = /^_\s*[^\s]/u.test(name) && !words.startsWith('__') ? '_' : ''
  const body = words.replace(/^_+|_+$/g, '')
  if (body === '') return 'column'
  return leading === '' && /^\p{N}/u.test(body) ? `_${body}` : leading + body
}
