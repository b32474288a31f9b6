/** The key `contract.constraints` of a `.svc` file as typed data: keys of the table that a run builds. */
export interface Constraints {
  /** The columns of the primary key; none if it has none. */
  readonly primaryKey: readonly string[]
  /** Each a list of columns whose values come once. */
  readonly unique: readonly (readonly string[])[]
  readonly foreignKeys: readonly ForeignKey[]
}

export interface ForeignKey {
  readonly columns: readonly string[]
  /** The asset whose rows they name. */
  readonly references: string
  /** Its columns, in the order of `columns`; none for its primary key. */
  readonly to: readonly string[]
}
