/**
 * The words of `q`: all of them have to occur, in any order and case, with the same result on both engines.
 */
import type { Knex } from 'knex'
import { fold } from './fold.ts'

const mostWords = 10

export function wordsOf(text: string): readonly string[] {
  return fold(text).split(/\s+/).filter(Boolean).slice(0, mostWords)
}

/** Escapes `%` and `_` in the words. */
function containing(word: string): string {
  return `%${word.replace(/[!%_]/g, '!$&')}%`
}

export function whereWords(query: Knex.QueryBuilder, column: string, text: string): void {
  for (const word of wordsOf(text)) query.whereRaw(`${column} like ? escape '!'`, [containing(word)])
}
