/** Snippets with placeholders, in the syntax of editors: `${1:column}`. */

/** Escapes a text for a snippet, where `$`, `}` and `\` have a meaning. */
export function plainInSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&')
}

/** Returns a placeholder of a snippet. */
export function placeholder(index: number, text = ''): string {
  return text === '' ? `$${index}` : `\${${index}:${plainInSnippet(text)}}`
}

/** Makes a snippet of a text in which what is to be replaced stands in `‹›`. */
export function snippetOf(text: string): string {
  let index = 0
  return text
    .split(/\u2039([^\u203a]*)\u203a/)
    .map((part, at) => (at % 2 === 0 ? plainInSnippet(part) : placeholder(++index, part)))
    .join('')
}

/** Returns the text of a snippet with the words of its placeholders. */
export function withoutPlaceholders(snippet: string): string {
  return snippet.replace(/\$\{\d+:((?:\\.|[^}\\])*)\}/g, '$1').replace(/\\([\\$}])/g, '$1')
}
