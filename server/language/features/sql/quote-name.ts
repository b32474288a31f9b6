/** How a name is written in SQL: bare where that means the same, else in double quotes. */
import { reservedWords } from './sql-words.ts'

/** Case does not matter to the warehouse, so capitals need no quotes. */
export function writtenName(name: string): string {
  const isBare = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !reservedWords.has(name.toLowerCase())
  return isBare ? name : `"${name.replaceAll('"', '""')}"`
}
