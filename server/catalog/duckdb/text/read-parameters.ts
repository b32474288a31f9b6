/** The parameters with which the database reads a text file: all of them, so that it never looks for any itself. */
import { type CsvParameter, csvParameters, type FileOptions } from '../../../language/source/file-options.ts'
import { quoteLiteral } from '../quoting.ts'
import type { TextLayout } from './find-layout.ts'
import { plainDialect } from './rewrite.ts'
import { noDelimiter } from './scan-lines.ts'

/** Longer lines have to be announced. */
const usualLine = 1_900_000

export interface ReadAs {
  /** Whether the records were written anew. */
  readonly isRewritten: boolean
  /** The kinds of line end. */
  readonly endings: readonly string[]
  /** The size of the longest record in bytes. */
  readonly longest: number
}

/** Equal texts read files in the same way. They begin with a comma. */
export function readParameters(
  layout: TextLayout,
  options: FileOptions,
  { isRewritten, endings, longest }: ReadAs,
): string {
  const dialect = isRewritten ? plainDialect(layout.dialect) : layout.dialect
  const { delimiter, quote } = dialect
  const { comment: _, encoding: __, nullPadding: ___, ...values } = options
  const all: FileOptions = {
    ...values,
    delimiter: delimiter === '' ? noDelimiter : delimiter,
    quote,
    escape: dialect.escape === '' ? quote : dialect.escape,
    header: false,
    // A copy begins with a line that is no record, so that no mark can be at the beginning of a value.
    skip: isRewritten ? 1 : layout.skipped + (layout.header === undefined ? 0 : 1),
  }
  const size = longest > usualLine ? `, max_line_size=${longest + 16}` : ''
  const written = csvParameters(all).map(({ name, value }) => `, ${name}=${writtenValue(value)}`)
  // Without it the database takes the first carriage return for one, also between quotes.
  const ending = !isRewritten && endings.includes('crlf') ? '\\r\\n' : '\\n'
  return `, auto_detect=false, new_line=${quoteLiteral(ending)}${written.join('')}${size}`
}

function writtenValue(value: CsvParameter['value']): string {
  if (typeof value === 'string') return quoteLiteral(value)
  return typeof value === 'object' ? `[${value.map(quoteLiteral).join(', ')}]` : String(value)
}
