/** Escapes foreign texts for Markdown, so that they are shown literally, also in a table. */

/** Escapes a text so that nothing in it becomes a heading, a link or HTML. Line breaks are kept. */
export function asMarkdown(text: string): string {
  return asEscaped(text.trim())
    .replace(/^(\s*)([-+=]|\d+[.)])(?=\s)/gm, (_, space: string, mark: string) => `${space}\\${mark}`)
    .replace(/\r\n?|\n/g, '  \n')
}

function asEscaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~&]/g, '\\$&')
}

/** Formats our own text, in which `…` marks code. */
export function withCode(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : asEscaped(part)))
    .join('')
}

/** Escapes a text as one line for a table cell. */
export function asCell(text: string): string {
  return asMarkdown(text.replace(/\s+/g, ' '))
}

/** Shows any text as code in one line. */
export function asCode(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), match => match[0].length))
  const fence = '`'.repeat(longest + 1)
  const space = longest > 0 || line === '' ? ' ' : ''
  return `${fence}${space}${line}${space}${fence}`
}

/** Shows any text as code in a table cell. */
export function asCodeCell(text: string): string {
  return asCode(text).replaceAll('|', '\\|')
}

export function sqlBlock(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), match => match[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}sql\n${text.trimEnd()}\n${fence}`
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Joins paragraphs, without those that have nothing to say. */
export function paragraphs(parts: readonly (string | undefined)[]): string {
  return parts.filter(part => part !== undefined && part !== '').join('\n\n')
}

/** Returns a count in words: `1 column`, `3 columns`. */
export function counted(count: number, word: string): string {
  return `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`
}
