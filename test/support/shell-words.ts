/** Splits a line as a shell does: what is in quotes is one word. */
export function shellWords(line: string): readonly string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  return words.map(word =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double = '', single = '') => double + single),
  )
}
