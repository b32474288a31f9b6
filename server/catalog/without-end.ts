import type { Engine } from '../language/index.ts'

/** Removes semicolons and comments from the end of SQL. */
export function withoutEnd(sql: string, engine: Engine): string {
  if (!sql.includes(';')) return sql
  const tokens = engine.tokens(sql).filter(token => token.kind !== 'comment')
  let last = tokens.length - 1
  while (last >= 0 && sql[tokens[last]?.start ?? 0] === ';' && tokens[last]?.kind === 'punctuation') last--
  return last === tokens.length - 1 ? sql : sql.slice(0, tokens[last]?.end ?? 0)
}
