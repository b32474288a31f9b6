/** What a database says that it has beyond its engine. */
export interface DeclaredThere {
  /** Statements that declare functions and types, in an order in which each finds what it needs. */
  readonly statements: readonly string[]
  /** The names of its extensions. */
  readonly extensions: readonly string[]
}
