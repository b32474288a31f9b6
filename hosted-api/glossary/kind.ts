/** What one kind of glossary record is made of. All routes, checks, SQL and documentation of a kind come from this. */
import type { TSchema } from '@sinclair/typebox'
import type { FieldProblem } from '../http/index.ts'
import type { Content } from './record.ts'

export interface Field {
  /** The member in JSON and the column in the table. */
  readonly name: string
  readonly schema: TSchema
  /** `json`: lists and objects, kept as text. */
  readonly store: 'text' | 'integer' | 'json'
  readonly required?: boolean
  /** Of a record that does not say it; null where this is left out. */
  readonly default?: unknown
  /** `q` looks in it. */
  readonly searched?: boolean
  /** Lists take it as a parameter (`owner=a@b.co`) and can be sorted by it. */
  readonly filter?: boolean
  /** It is said once, at creation. */
  readonly fixed?: boolean
  /** It holds the number of a record in this table, which must be live and in the same project. */
  readonly refersTo?: KindName | 'asset'
  readonly doc: string
}

export interface Kind {
  readonly name: KindName
  readonly plural: string
  /** Beginning of identifiers by convention: `term.` */
  readonly prefix: string
  /** Links have neither name nor identifier. */
  readonly named: boolean
  /** True: the caller's `id` is taken in creation bodies (2.2-2.4); a policy has none (2.5). */
  readonly takesId: boolean
  /** Besides `name`, `identifier` and `description`, which all named kinds have. */
  readonly fields: readonly Field[]
  /** What follows from the content for other fields of it. */
  complete?(content: Content): Content
  /** Rules between fields, which no schema can say; `pointer` is where the record stands in the body. */
  problems?(content: Content, pointer: string): readonly FieldProblem[]
  /** Members that come from other tables: SQL expression by name, and the joins that they need. */
  readonly joined?: {
    readonly columns: Readonly<Record<string, string>>
    readonly joins: string
    /** Where `q` looks, in place of the record's own `search_key`. */
    readonly searched: string
  }
}

export type KindName = 'term' | 'metric' | 'dimension' | 'policy' | 'link'
