/** Indexes and roles of PostgreSQL, and what may not run in the transaction of a build. */
import { wordSet } from '../../sql/grammar.ts'
import { because, refusedByFirstWord } from '../build-statements.ts'
import type { EngineStorage } from '../engine.ts'

const outside = 'cannot run in a transaction'
const stays = 'would hold for later builds of the same connection'

const refused: ReadonlyMap<string, string> = new Map([
  ...because(outside, 'vacuum'),
  ...because(stays, 'deallocate', 'discard', 'listen', 'load', 'prepare', 'reset', 'unlisten'),
])

/** What PostgreSQL makes or drops outside of transactions. */
const alone = ['database', 'subscription', 'system', 'tablespace']

export const postgresStorage: EngineStorage = {
  indexMethods: ['btree', 'hash', 'gin', 'gist', 'spgist', 'brin'],
  oneColumnMethods: ['hash', 'spgist'],
  hasPartialIndexes: true,
  hasRoles: true,
  readersHoldViews: true,
  takenColumns: wordSet('cmax cmin ctid tableoid xmax xmin'),
  systemSchemas: /^(?:information_schema$|pg_)/i,
  systemRelations: { names: /^pg_/, schema: undefined },
  mostColumns: 1600,
  refusedInBuild(words) {
    const [first = '', second = ''] = words
    if (first === 'set' && second !== 'local' && second !== 'constraints') return `${stays}: write SET LOCAL`
    const isOutside = ['create', 'drop', 'alter', 'reindex'].includes(first) && alone.includes(second)
    if (isOutside || words.slice(0, 4).includes('concurrently')) return outside
    return refusedByFirstWord(words, refused)
  },
}
