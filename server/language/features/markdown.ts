/** Makes Markdown of texts that somebody else wrote: what they hold stays what it is, also in a table. */

/** Text as text: nothing in it becomes a heading, a link or HTML. Line breaks stay. */
export function asMarkdown(text: string): string {
  return asEscaped(text.trim())
    .replace(/^(\s*)([-+=]|\d+[.)])(?=\s)/gm, (_, space: string, mark: string) => `${space}\\${mark}`)
    .replace(/\r\n?|\n/g, '  \n')
}

function asEscaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~&]/g, '\\$&')
}

/** Text of our own, in which `…` marks code. */
export function withCode(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : asEscaped(part)))
    .join('')
}

/** In one line, for a cell of a table. */
export function asCell(text: string): string {
  return asMarkdown(text.replace(/\s+/g, ' '))
}

/** Whatever it holds, the text is shown as code in one line. */
export function asCode(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), match => match[0].length))
  const fence = '`'.repeat(longest + 1)
  const space = longest > 0 || line === '' ? ' ' : ''
  return `${fence}${space}${line}${space}${fence}`
}

/** The same within a table. */
export function asCodeCell(text: string): string {
  return asCode(text).replaceAll('|', '\\|')
}

export function codeBlock(language: string, text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), match => match[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Counted, in words: `1 column`, `3 columns`. */
export function counted(count: number, word: string): string {
  return `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`
}
