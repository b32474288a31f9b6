export interface Comparison {
  readonly table: string
  readonly rows: number
  readonly columns: number
  readonly problems: readonly string[]
}
/** A DuckDB file, or the address of a PostgreSQL. */
export type Warehouse = { readonly schema: string } & (
  | { readonly database: string }
  | { readonly server: string }
)
export declare function compareExample(
  warehouse: Warehouse & { readonly only?: readonly string[] },
): Promise<readonly Comparison[]>
export declare function fingerprints(warehouse: Warehouse): Promise<readonly string[]>
