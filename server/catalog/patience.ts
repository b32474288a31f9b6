/**
 * How often a statement is bound again to find out what else is wrong with it. Each time its whole tree is written out,
 * so a text of thousands of lines gets fewer tries: nobody who types in it waits for seconds. Counted in characters and
 * not in time, so that the same text has the same problems everywhere.
 */
const mostCharacters = 16_000_000
const fewest = 3

/** `treeSize`: characters of the statement's tree as JSON. `most`: tries of an ordinary statement. */
export function triesFor(treeSize: number, most: number): number {
  return Math.max(fewest, Math.min(most, Math.floor(mostCharacters / Math.max(1, treeSize))))
}
