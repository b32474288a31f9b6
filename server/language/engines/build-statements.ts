/** Statements that may not run around a build, as far as engines agree about them. */

const transactionWords = ['abort', 'begin', 'commit', 'end', 'release', 'rollback', 'savepoint', 'start']

/** Returns why a statement of the engine's own lists may not run; `refused` has the reasons by its first word. */
export function refusedByFirstWord(
  words: readonly string[],
  refused: ReadonlyMap<string, string>,
): string | undefined {
  const [first = ''] = words
  if (transactionWords.includes(first)) return 'would end the transaction of the build, or begin another'
  return refused.get(first)
}

/** Makes one reason for several first words. */
export function because(reason: string, ...words: readonly string[]): readonly (readonly [string, string])[] {
  return words.map(word => [word, reason])
}
