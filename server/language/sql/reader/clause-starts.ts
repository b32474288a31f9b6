import { wordSet } from '../grammar.ts'

/** Keywords that no expression contains: they end whatever is open. */
export const clauseStarts: ReadonlySet<string> = wordSet(
  'select from where group having qualify window order limit union except intersect',
)
