/**
 * The description of a materialization: what the query of an asset becomes. Each kind is one file, and
 * `index.ts` lists them.
 */
export interface Materialization {
  readonly kind: string
  /** The documentation for the key. */
  readonly doc: string
  /** The kind of relation in the green schema. */
  readonly relation: 'table' | 'view'
  /** Whether production exposes its live build in a view. */
  readonly isPublished: boolean
  /**
   * The way in which a query that becomes a table or a view reads it: by the name of its build, or as a
   * subquery.
   */
  readonly readIn: { readonly table: 'name' | 'query'; readonly view: 'name' | 'query' }
}
