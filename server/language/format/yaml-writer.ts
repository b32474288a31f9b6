/**
 * Collects the lines of a formatted YAML text: indentation, comments beside and above, at most one empty
 * line.
 */

/**
 * A block collection that is being written, with the columns of its entries in the source and in the result.
 */
export interface OpenBlock {
  readonly sourceColumn: number
  readonly indent: number
}

export interface YamlWriter {
  /** Starts a new line before the next text. */
  breakLine(indent: number): void
  write(text: string): void
  /**
   * Writes a multi-line text: the first line continues the current line, the others are written unchanged.
   */
  writeLines(lines: readonly string[]): void
  /** Notes a line break of the source. */
  sawBreak(): void
  /** Starts a block, so that no empty line may come next. */
  beginBlock(): void
  comment(text: string, indent: number): void
  /** The number of line breaks in the source since the last text. */
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
