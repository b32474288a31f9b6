/** Lines of text files that a load passes over, or may have taken for what they are not: a run says how many and where. */
import { relative, sep } from 'node:path'
import type { TextFile } from '@svc/server/catalog'
import type { WarningCode } from '@svc/server/contract'
import type { FetchContext } from './source.ts'

type Warned = Pick<FetchContext, 'root' | 'spoolFolder' | 'onWarning'>

const placesShown = 3

interface Finding {
  readonly code: WarningCode
  /** How many lines of a file, and the numbers of the first of them. */
  readonly of: (file: TextFile) => { readonly count: number; readonly lines: readonly number[] }
  readonly words: (count: number) => string
  readonly hint: string
  /** Whether a layout that the lock agrees to says it already. */
  readonly isOfLayout?: true
}

const findings: readonly Finding[] = [
  {
    code: 'skipped-lines',
    of: ({ layout }) => ({
      count: layout.passedOver,
      lines: layout.passedOver > 0 ? [layout.firstPassed] : [],
    }),
    words: count =>
      count === 1 ? 'a line above the header is no record' : `${count} lines above the header are no records`,
    hint: 'Say how many lines to skip with ingest.options.skip: 0 if they are records.',
    isOfLayout: true,
  },
  {
    code: 'empty-lines',
    of: ({ survey: { empty } }) => ({ count: empty.count, lines: empty.count > 0 ? [empty.first] : [] }),
    words: count =>
      count === 1 ? 'an empty line between records is none' : `${count} empty lines between records are none`,
    hint: 'A value with a line end in it must stand in quotes; take other empty lines out of the file.',
  },
  {
    code: 'guessed-header',
    of: ({ layout }) =>
      layout.isGuess && layout.header !== undefined ? { count: 1, lines: [layout.skipped + 1] } : none,
    words: () => 'a line is taken for the header that could be a record or a comment',
    hint: 'Say it with ingest.options.header: true, or false; of a comment, with ingest.options.comment too.',
    isOfLayout: true,
  },
  {
    code: 'guessed-header',
    of: ({ layout }) =>
      layout.isGuess && layout.header === undefined ? { count: 1, lines: [layout.skipped + 1] } : none,
    words: () => 'there is no header: the first line holds values and no names',
    hint: 'Name the columns with ingest.options.columns, or say ingest.options.header: true.',
    isOfLayout: true,
  },
  {
    code: 'repeated-header',
    of: ({ survey }) => survey.repeated,
    words: count => (count === 1 ? 'a record repeats the header' : `${count} records repeat the header`),
    hint: 'Take such lines out of the file. contract: {evolution: {types: discard_row}} rejects them where a column is not text.',
  },
]

const none = { count: 0, lines: [] }

/** Returns the name of a file as the project has it; one that came from elsewhere is in the spool. */
export function shownName(
  { root, spoolFolder }: Pick<FetchContext, 'root' | 'spoolFolder'>,
  path: string,
): string {
  const from = path.startsWith(`${spoolFolder}${sep}`) ? spoolFolder : root
  return relative(from, path).replaceAll('\\', '/')
}

/** `agreed`: the files whose layouts are in the lock, so that only their lines are news. */
export function warnOfLines(
  context: Warned,
  files: readonly TextFile[],
  agreed: ReadonlySet<TextFile>,
): void {
  const { onWarning } = context
  if (onWarning === undefined) return
  for (const { code, of, words, hint, isOfLayout } of findings) {
    let count = 0
    const places: string[] = []
    for (const file of files) {
      if (isOfLayout === true && agreed.has(file)) continue
      const found = of(file)
      count += found.count
      if (found.count === 0 || places.length >= placesShown) continue
      const name = shownName(context, file.path)
      places.push(...found.lines.map(line => `line ${line} of ${name}`))
    }
    if (count === 0) continue
    const shown = places.slice(0, placesShown)
    const rest = count - shown.length
    const where = `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
    onWarning({ code, count, message: `${words(count)}: ${where}`, hint, example: shown[0] ?? '' })
  }
}
