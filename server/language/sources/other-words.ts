/** Names that other tools give to the address of a source, with what to write here. */
export function otherWordsFor(names: readonly string[], instead: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map(name => [name, instead]))
}
