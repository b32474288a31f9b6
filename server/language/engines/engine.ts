/**
 * What the language knows of an SQL engine without asking it: how its texts are split, how its names compare, its types,
 * functions and words. An engine is four rooms: this description, its binder, its warehouse and its store of state; no
 * other file knows its name.
 */
import type { BinderDialect } from '../sql/binder/dialect.ts'
import type { SqlGrammar } from '../sql/grammar.ts'
import type { SqlToken } from './sql-token.ts'
import type { SqlType, TypeFamily } from './sql-type.ts'

export interface Engine {
  /** Also the scheme of the address of its warehouses. */
  readonly kind: string
  /** As people write it. */
  readonly label: string
  readonly address: EngineAddress
  /** All tokens in order, comments and template tags included, white space left out. Reads any text. */
  tokens(text: string): SqlToken[]
  /** The form in which two names are equal if they name the same thing. Made for names, not for texts. */
  fold(name: string): string
  sameName(a: string, b: string): boolean
  /** In quotes, always. */
  quote(name: string): string
  /** As people write it: in quotes only where it would mean something else without them. */
  quoteIfNeeded(name: string): string
  /** A value in SQL. */
  literal(value: string | number | bigint | boolean | null): string
  readonly words: EngineWords
  readonly types: EngineTypes
  readonly functions: EngineFunctions
  /** Undefined: it has none, or none that svc loads. */
  readonly extensions: EngineExtensions | undefined
  /** What the reader of its SQL must know. */
  readonly grammar: SqlGrammar
  /** What the binder of names must know. */
  readonly binding: BinderDialect
  /** Makes ready what `binding` needs for patterns of names, where one of the texts has such. */
  loadPatterns(texts: Iterable<string>): Promise<void>
}

export interface EngineAddress {
  /** Source of a regular expression that an address matches as a whole. */
  readonly pattern: string
  /** How one is written, for people. */
  readonly form: string
  /** That of a new project. */
  readonly example: string
  /** Where the data are, for files and messages: never a user, a password or an option. */
  place(address: string): string
}

/** All in small letters. */
export interface EngineWords {
  /** Never a name without quotes; those that go on with a clause or an expression are among them. */
  readonly reserved: ReadonlySet<string>
  /** Every word that its grammar knows. */
  readonly keywords: ReadonlySet<string>
}

export interface TypeProblem {
  /** `unknown`: there is no type of this name. `malformed`: the text is none. */
  readonly kind: 'unknown' | 'malformed'
  /** The name, or why the text is no type, as the end of "is no type". */
  readonly text: string
  /** In the text. */
  readonly range: { readonly start: number; readonly end: number }
}

export interface EngineTypes {
  /** Never throws: what cannot be read is `unknown`. Equal texts give the same value. */
  parse(text: string): SqlType
  /** In the words that the engine itself prints. */
  print(type: SqlType): string
  same(a: SqlType, b: SqlType): boolean
  /** The narrowest type that holds the values of both, as loads go from one to the other. */
  widen(a: SqlType, b: SqlType): SqlType
  family(type: SqlType): TypeFamily
  fieldOf(type: SqlType, name: string): SqlType | undefined
  elementOf(type: SqlType): SqlType | undefined
  /** What is wrong with a type that somebody wrote; undefined: the engine takes it. */
  problem(text: string): TypeProblem | undefined
  /** Its name of a type where nothing but the kind of the values is known. */
  readonly usual: Readonly<Record<'text' | 'boolean' | 'integer' | 'float' | 'json', string>>
  /** Every name that stands for a type by itself, in small letters. */
  readonly names: ReadonlySet<string>
  /** What people mean when they misspell one, in small letters. */
  readonly commonNames: readonly string[]
}

/** Of functions by their folded names. */
export interface EngineFunctions {
  /** Words that are calls without brackets. */
  readonly valueWords: ReadonlySet<string>
  /** Calls whose result differs from run to run although the data are the same. `valueWords` are among them. */
  readonly volatile: ReadonlySet<string>
  /** Functions whose argument may be a lambda. */
  readonly withLambda: ReadonlySet<string>
  readonly aggregates: ReadonlySet<string>
  /** Nothing without OVER. */
  readonly windows: ReadonlySet<string>
  /** Functions whose result tells nothing that could be read of what they are given. */
  readonly concealing: ReadonlySet<string>
  /** Functions that give one type whatever their arguments: their result is known over unknown columns. */
  readonly ofOneType: ReadonlySet<string>
  readonly options: ReadonlyMap<string, FunctionOption>
}

/** An argument that is no value but an option, and that the engine looks at only when rows come. */
export interface FunctionOption {
  /** Its position, from 0. */
  readonly argument: number
  readonly kind: 'date part' | 'time zone' | 'regular expression'
  /** A call of the function with this option, as SQL, among arguments that fit any. */
  sample(name: string, option: string): string
  /** An option that every version takes. */
  readonly good: string
}

/** Native code that brings more functions and types once it is loaded: what `extensions` in svc.yaml names. */
export interface EngineExtensions {
  readonly names: {
    /** Source of a regular expression that a name matches as a whole. */
    readonly pattern: string
    /** The same for people, as the end of "an extension's name". */
    readonly rule: string
  }
  /** Of the name of a file that holds one, with its dot. */
  readonly fileEnding: string
  /** What becomes of one that is named without a file, for people: a clause. */
  readonly namedAlone: string
  /** Which extension has a function that the engine lacks without it. */
  ofFunction(name: string): string | undefined
  ofType(name: string): string | undefined
}
