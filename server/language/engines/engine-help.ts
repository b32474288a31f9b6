/** What an editor offers and explains of an engine's functions and types, where the engine itself does not tell. */
export interface EngineHelp {
  /** The functions that are offered before anything is typed, the most common ones first. */
  readonly everydayFunctions: readonly string[]
  /** The same behind FROM. */
  readonly everydayTableFunctions: readonly string[]
  /**
   * The brackets of calls that are not a plain list of arguments, as they are inserted: what is to be replaced stands
   * in `‹›`.
   */
  readonly calls: ReadonlyMap<string, string>
  readonly functions: ReadonlyMap<string, FunctionWords>
  /** By lower-case name; those that are not here are offered last. */
  readonly types: ReadonlyMap<string, TypeWords>
}

export interface FunctionWords {
  /** By default the engine's. */
  readonly description?: string
  /** The overloads (`lag(value T, offset BIGINT) -> T`); by default the engine's. */
  readonly forms?: readonly string[]
  /** The names of parameters that have none. */
  readonly names?: readonly string[]
  readonly example?: string
  /** Whether OVER must follow a call; all that `EngineFunctions.windows` has need it too. */
  readonly needsOver?: true
  /** By default the engine's, or `scalar`. */
  readonly kind?: FunctionKind
}

export type FunctionKind = 'scalar' | 'aggregate' | 'table' | 'macro'

export interface TypeWords {
  readonly description: string
  /** What is inserted, if that is more than the name; what is to be replaced stands in `‹›`. */
  readonly written?: string
}

/** Types that engines have by the same name. */
export const usualTypes: readonly (readonly [string, TypeWords])[] = [
  ['bigint', { description: 'whole numbers of 64 bits' }],
  ['boolean', { description: 'true or false' }],
  ['date', { description: 'a day' }],
  ['integer', { description: 'whole numbers of 32 bits' }],
  ['interval', { description: 'a span of time' }],
  ['timestamp', { description: 'a day and a time' }],
  ['timestamptz', { description: 'a point in time, with a time zone' }],
  ['uuid', { description: 'an identifier of 128 bits' }],
]
