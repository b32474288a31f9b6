/** Finds marked values in results: whole or in part, in either case, backwards, inside of anything that prints. */

const shortestPart = 6

/** Which column a piece of text belongs to; a piece that two columns have belongs to none. */
export interface MarkIndex {
  readonly words: ReadonlyMap<string, string | undefined>
  readonly numbers: ReadonlyMap<string, string | undefined>
}

export function markIndex(marks: Iterable<readonly [mark: string, origin: string]>): MarkIndex {
  const words = new Map<string, string | undefined>()
  const numbers = new Map<string, string | undefined>()
  for (const [mark, origin] of marks) {
    // Parts of numbers turn up in any hash by chance, so a number counts as a whole.
    if (/^[-\d]+$/.test(mark)) add(numbers, mark, origin)
    else for (const part of [...partsOf(mark), ...partsOf(backwards(mark))]) add(words, part, origin)
  }
  return { words, numbers }
}

function add(index: Map<string, string | undefined>, part: string, origin: string): void {
  const known = index.has(part) ? index.get(part) : origin
  index.set(part, known === origin ? origin : undefined)
}

function backwards(value: string): string {
  return [...value].reverse().join('')
}

function partsOf(mark: string): string[] {
  const parts: string[] = []
  for (let start = 0; start + shortestPart <= mark.length; start++)
    parts.push(mark.slice(start, start + shortestPart))
  return parts
}

/** The origins whose values show in `text`. */
export function marksIn(text: string, index: MarkIndex): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [run] of text.toLowerCase().matchAll(/[a-z]{6,}/g))
    for (const part of partsOf(run)) addIfKnown(found, index.words.get(part))
  for (const [run] of text.matchAll(/\d{4}-\d\d-\d\d|\d{8,}/g)) addIfKnown(found, index.numbers.get(run))
  return found
}

function addIfKnown(found: Set<string>, origin: string | undefined): void {
  if (origin !== undefined) found.add(origin)
}
