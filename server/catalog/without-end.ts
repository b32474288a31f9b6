import { onlyEngine } from '../language/engines/only-engine.ts'

/** SQL without semicolons and comments after its end. */
export function withoutEnd(sql: string): string {
  if (!sql.includes(';')) return sql
  const tokens = onlyEngine.tokens(sql).filter(token => token.kind !== 'comment')
  let last = tokens.length - 1
  while (last >= 0 && sql[tokens[last]?.start ?? 0] === ';' && tokens[last]?.kind === 'punctuation') last--
  return last === tokens.length - 1 ? sql : sql.slice(0, tokens[last]?.end ?? 0)
}
