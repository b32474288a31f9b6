/** Names and texts in the SQL that the embedded engine is asked. */
import { onlyEngine } from '../language/engines/only-engine.ts'

export const quoteName = onlyEngine.quote

/** As people write it: in quotes only where SQL needs them. */
export const nameSql = onlyEngine.quoteIfNeeded

/** NUL ends a text for the parser; it stands for nothing that SQL could mean. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''").replaceAll('\0', ' ')}'`
}
