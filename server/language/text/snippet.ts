/** Texts with places to fill in, as editors write them: `${1:column}`. */

/** Texts in a snippet: `$`, `}` and `\` would mean something. */
export function plainInSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&')
}

/** A place to fill in of a snippet. */
export function hole(index: number, text = ''): string {
  return text === '' ? `$${index}` : `\${${index}:${plainInSnippet(text)}}`
}
