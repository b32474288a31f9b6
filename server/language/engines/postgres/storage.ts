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

/** The settings that a session of svc depends on, or that say who it is. */
const ownSettings =
  /^(?:search_path|time_?zone|datestyle|intervalstyle|bytea_output|extra_float_digits|client_(?:min_messages|encoding)|standard_conforming_strings|transform_null_equals|array_nulls|quote_all_identifiers|xmloption|role|session_authorization|application_name|default_tablespace|(?:default_)?transaction_.*)$/i

/** What PostgreSQL makes or drops outside of transactions. */
const alone = ['database', 'subscription', 'system', 'tablespace']

export const postgresStorage: EngineStorage = {
  indexMethods: ['btree', 'hash', 'gin', 'gist', 'spgist', 'brin'],
  oneColumnMethods: ['hash', 'spgist'],
  hasPartialIndexes: true,
  hasRoles: true,
  tableOptions: { ownSettings },
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
