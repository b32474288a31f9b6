/**
 * Column and table names for a warehouse from names at a source (decisions 1): `US Gross` -> `us_gross`, `orderID` ->
 * `order_id`, `HTTPServer` -> `http_server`. Letters of every alphabet stay. Two source names may meet in one result;
 * `rawTables` reports that.
 */

/** A name in snake_case: never empty, never starting with a digit. One leading underscore is kept (`_id`). */
export function toSnakeCase(name: string): string {
  const words = name
    .normalize('NFC')
    .replace(/([\p{Ll}\p{M}])(?=\p{Lu})/gu, '$1_')
    .replace(/(\p{N})(?=\p{Lu}\p{Ll})/gu, '$1_')
    // A plural of an abbreviation is one word: `orderIDs` -> `order_ids`.
    .replace(/(\p{Lu})(?=\p{Lu}(?!s(?!\p{L}))\p{Ll})/gu, '$1_')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '_')
  const leading = /^_\s*[^\s]/u.test(name) && !words.startsWith('__') ? '_' : ''
  const body = words.replace(/^_+|_+$/g, '')
  if (body === '') return 'column'
  return leading === '' && /^\p{N}/u.test(body) ? `_${body}` : leading + body
}
