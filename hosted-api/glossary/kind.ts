/**
 * The description of one kind of glossary record. All routes, checks, SQL and documentation of a kind are
 * derived from it.
 */
import type { TSchema } from '@sinclair/typebox'
import type { EntryKind, EntryShape } from '../../server/language/glossary/entries.ts'
import type { FieldProblem } from '../http/index.ts'
import type { Content } from './record.ts'

export interface Field {
  /** The name of the member in JSON and of the column in the table. */
  readonly name: string
  readonly schema: TSchema
  readonly required?: boolean
  /** The value of a record without this field; null if this is left out. */
  readonly default?: unknown
  /** Whether `q` searches it; `name`: it names the record, so that it ranks before descriptions. */
  readonly searched?: true | 'name'
  /** Whether lists can be filtered (`owner=a@b.co`) and sorted by it. */
  readonly filter?: boolean
  /** Whether it can only be set at creation. */
  readonly fixed?: boolean
  /** It holds the number of a record in this table, which must be live and in the same project. */
  readonly refersTo?: EntryKind | 'asset'
  /** It names a column of the asset that this other field refers to. */
  readonly columnOf?: string
  readonly doc: string
}

/** Lists and objects are stored as JSON texts. */
export function isJson({ schema }: Field): boolean {
  return schema['type'] === 'array' || schema['type'] === 'object'
}

export interface Kind {
  readonly name: EntryKind
  readonly plural: EntryShape['list']
  /** The prefix of identifiers by convention: `term.` */
  readonly prefix: string
  /** False for links, which have neither name nor identifier. */
  readonly named: boolean
  /** Whether creation bodies may contain the caller's `id` (2.2-2.4); a policy has none (2.5). */
  readonly takesId: boolean
  /** The fields besides `name`, `identifier` and `description`, which all named kinds have. */
  readonly fields: readonly Field[]
  /** Derives other fields from the content. */
  complete?(content: Content): Content
  /** Checks rules between fields that a schema cannot express. */
  problems?(content: Content): readonly FieldProblem[]
  /** Members from other tables: SQL expressions by name, and the joins that they need. */
  readonly joined?: {
    readonly columns: Readonly<Record<string, string>>
    readonly joins: string
    /** The expression that `q` searches instead of the record's own `search_key`. */
    readonly searched: string
  }
}
