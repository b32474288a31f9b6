/** Collects the lines of a formatted YAML text: indentation, comments beside and above, at most one empty line. */

/** A block collection that is being written: where its entries began in the source and where they begin now. */
export interface OpenBlock {
  readonly sourceColumn: number
  readonly indent: number
}

export interface YamlWriter {
  /** The next text begins a line. */
  breakLine(indent: number): void
  write(text: string): void
  /** A text of several lines: the first goes on the current line, the others are written as they are. */
  writeLines(lines: readonly string[]): void
  /** A line break of the source. */
  sawBreak(): void
  /** No empty line may come next: a block begins. */
  beginBlock(): void
  comment(text: string, indent: number): void
  /** Line breaks of the source since the last text. */
  readonly breaks: number
  readonly column: number
  readonly isLineOpen: boolean
  result(): string
}

export function yamlWriter(): YamlWriter {
  const lines: string[] = []
  let line: string | undefined
  let nextIndent: number | undefined = 0
  let breaks = 0
  let mayBeBlank = false

  const writer: YamlWriter = {
    breakLine(indent) {
      nextIndent = indent
    },
    write(text) {
      if (nextIndent !== undefined) {
        if (line !== undefined) lines.push(line)
        if (breaks > 1 && mayBeBlank) lines.push('')
        line = ' '.repeat(nextIndent)
        nextIndent = undefined
      }
      line = (line ?? '') + text
      breaks = 0
      mayBeBlank = true
    },
    writeLines([first = '', ...rest]) {
      writer.write(first)
      for (const each of rest) {
        lines.push(line ?? '')
        line = each
      }
    },
    sawBreak() {
      breaks++
    },
    beginBlock() {
      mayBeBlank = false
    },
    comment(text, indent) {
      const isBeside = breaks === 0 && writer.isLineOpen
      if (isBeside) writer.write(` ${text.replace(/[ \t]+$/, '')}`)
      else {
        writer.breakLine(indent)
        writer.write(text.replace(/[ \t]+$/, ''))
      }
      nextIndent = indent
    },
    get breaks() {
      return breaks
    },
    get column() {
      return nextIndent ?? line?.length ?? 0
    },
    get isLineOpen() {
      return nextIndent === undefined
    },
    result() {
      if (line !== undefined) lines.push(line)
      return lines.length === 0 ? '' : `${lines.join('\n')}\n`
    },
  }
  return writer
}
