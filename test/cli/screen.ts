/** A terminal small enough to test with: text, line breaks, cursor up, clear to the end, cursor on and off. */

export class Screen {
  raw = ''
  cursorHidden = false
  #rows: string[] = ['']
  #row = 0

  write(text: string): boolean {
    this.raw += text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with one.
    for (const part of text.split(/(\u001b\[[0-9?]*[A-Za-z]|\n)/)) this.#apply(part)
    return true
  }

  lines(): string[] {
    return this.#rows
  }

  text(): string {
    return this.#rows.map(row => row.trimEnd()).join('\n')
  }

  #apply(part: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with one.
    const sequence = /^\u001b\[([0-9?]*)([A-Za-z])$/.exec(part)
    if (part === '\n') this.#row++
    else if (sequence?.[2] === 'A') this.#row -= Number(sequence[1])
    else if (sequence?.[2] === 'J') this.#rows = this.#rows.slice(0, this.#row)
    else if (sequence?.[2] === 'l') this.cursorHidden = true
    else if (sequence?.[2] === 'h') this.cursorHidden = false
    else if (part !== '') this.#rows[this.#row] = (this.#rows[this.#row] ?? '') + part
    this.#rows[this.#row] ??= ''
    if (this.#row < 0) throw new Error('the cursor left the screen')
  }
}
