/** A materialization says what the query of an asset becomes. Each kind is one file, and `index.ts` lists them. */
export interface Materialization {
  readonly kind: string
  /** Shown where the key is written. */
  readonly doc: string
  /** The relation that a build of it is, in the green schema. */
  readonly relation: 'table' | 'view'
  /** Production shows its live build in a view. */
  readonly isPublished: boolean
  /** A query that becomes a table or a view reads it by the name of its build, or takes its query in brackets. */
  readonly readIn: { readonly table: 'name' | 'query'; readonly view: 'name' | 'query' }
}
