export interface Comparison {
  readonly table: string
  readonly rows: number
  readonly columns: number
  readonly problems: readonly string[]
}
export declare function compareExample(warehouse: {
  readonly database: string
  readonly schema: string
  readonly only?: readonly string[]
}): Promise<readonly Comparison[]>
export declare function fingerprints(warehouse: {
  readonly database: string
  readonly schema: string
}): Promise<readonly string[]>
