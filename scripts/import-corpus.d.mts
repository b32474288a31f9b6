import type { DuckDBConnection } from '@duckdb/node-api'

export interface CorpusProject {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly items: readonly { readonly name: string; readonly noted: boolean }[]
}
export interface BuiltRelation {
  readonly columns: readonly (readonly [name: string, type: string])[]
  readonly rows: readonly (readonly (string | null)[])[]
}
export interface BuiltItem {
  readonly relations: Readonly<Record<string, BuiltRelation>>
  /** By the relation that they are of: the verdicts, as `pass` or `fail`. */
  readonly tests: Readonly<Record<string, readonly string[]>>
}
/** Returns the tables and the verdicts that dbt made, by the name of the item. */
export declare function expectedItems(): Readonly<Record<string, BuiltItem>>
/** `every`: only each so manieth item. */
export declare function corpusProjects(every?: number): readonly CorpusProject[]
export declare function ownerOf(items: readonly string[], name: string): string | undefined
export declare function relationOf(connection: DuckDBConnection, table: string): Promise<BuiltRelation>
