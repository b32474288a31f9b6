/** `q`: words that all have to occur, in any order and case, the same on both engines. */
import type { Knex } from 'knex'
import { fold } from './record.ts'

const mostWords = 10

export function wordsOf(text: string): readonly string[] {
  return fold(text).split(/\s+/).filter(Boolean).slice(0, mostWords)
}

/** `%` and `_` of the words are themselves. */
export function containing(word: string): string {
  return `%${word.replace(/[!%_]/g, '!$&')}%`
}

export function whereWords(query: Knex.QueryBuilder, column: string, text: string): void {
  for (const word of wordsOf(text)) query.whereRaw(`${column} like ? escape '!'`, [containing(word)])
}
