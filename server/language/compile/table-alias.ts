/** Whether what stands in a FROM clause is given a name by the words behind it. */
import type { Engine } from '../engines/engine.ts'

/** Words that may follow a table in a FROM clause and are no alias of it. */
const afterTable = new Set(
  `anti asof cross except fetch for full group having inner intersect join lateral left limit natural offset on order
  pivot positional qualify right sample select semi tablesample union unpivot using where window`.split(
    /\s+/,
  ),
)

/** `following`: the SQL behind the table. */
export function hasAlias(following: string, engine: Engine): boolean {
  const next = engine.tokens(following).find(({ kind }) => kind !== 'comment')
  if (next?.kind === 'quoted') return true
  if (next?.kind !== 'word') return false
  return !afterTable.has(following.slice(next.start, next.end).toLowerCase())
}
