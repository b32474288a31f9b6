/** Halves of characters in JSON: `"\\ud83d"` alone is no text, and becomes U+FFFD. */
import type { FetchContext } from './source.ts'

export function warnOfRepaired({ onWarning }: Pick<FetchContext, 'onWarning'>, records: number): void {
  if (records === 0) return
  onWarning?.({
    code: 'replaced-characters',
    count: records,
    message: `half characters in ${records === 1 ? '1 record' : `${records} records`} were replaced by U+FFFD`,
    hint: 'The source cuts texts between the halves of a character; what was there cannot be known.',
  })
}
