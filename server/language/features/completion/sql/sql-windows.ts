/** Completion of windows: their names, and the keywords inside their brackets. */
import { openBracket } from '../../sql/sql-cursor.ts'
import { sortKey } from '../completion.ts'
import type { SqlAsk, SqlItem } from './sql-offer.ts'

export const frameWords: ReadonlySet<string> = new Set(['rows', 'range', 'groups'])

/** Returns whether the bracket follows OVER, or AS of a named window. */
export function isWindow({ scope }: SqlAsk, callee: string): boolean {
  return callee === 'over' || (callee === 'as' && scope.clauseKind === 'window')
}

/** Returns whether the cursor is in the frame of a window, after `ROWS |`. */
export function isFrame(ask: SqlAsk, word: string): boolean {
  const bracket = openBracket(ask.cursor)
  return frameWords.has(word) && bracket?.words.includes('order') === true
}

export function windowNames({ scope, place }: SqlAsk, group: string): readonly SqlItem[] {
  return [...(scope.own?.windows.values() ?? [])].map(({ name }, index) => ({
    label: name.text,
    kind: 'alias',
    detail: 'window',
    insert: place.engine.quoteIfNeeded(name.text),
    sort: sortKey(group, index),
  }))
}

export function windowItems(ask: SqlAsk): readonly SqlItem[] {
  return [
    ...windowNames(ask, 'a'),
    {
      label: '(…)',
      kind: 'snippet',
      insert: '($1)$0',
      isSnippet: true,
      sort: sortKey('b', 0),
      filter: '(',
      next: 'completion',
    },
  ]
}
