/** Returns whether the words after a table in a FROM clause give it an alias. */
import type { Engine } from '../engines/engine.ts'
import { wordSet } from '../sql/grammar.ts'

/** Keywords that may follow a table in a FROM clause and are no alias. */
const afterTable = wordSet(
  `anti asof cross except fetch for full group having inner intersect join lateral left limit natural offset on order
  pivot positional qualify right sample select semi tablesample union unpivot using where window`,
)

/** Returns whether an alias follows. `following` is the SQL after the table. */
export function hasAlias(following: string, engine: Engine): boolean {
  const next = engine.tokens(following).find(({ kind }) => kind !== 'comment')
  if (next?.kind === 'quoted') return true
  if (next?.kind !== 'word') return false
  return !afterTable.has(following.slice(next.start, next.end).toLowerCase())
}
