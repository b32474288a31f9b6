/**
 * The interface of an SQL engine's description: how texts are split and names compared, and its types,
 * functions and words. An engine has four parts: this description, its catalogue database, its warehouse and
 * its state store. No other file names an engine.
 */
import type { BinderDialect } from '../sql/binder/dialect.ts'
import type { SqlGrammar } from '../sql/grammar.ts'
import type { EngineHelp } from './engine-help.ts'
import type { FunctionEffect } from './function-effects.ts'
import type { PortableTypes } from './portable-types.ts'
import type { SqlToken } from './sql-token.ts'
import type { SqlType, TypeFamily } from './sql-type.ts'

export interface Engine {
  /** The kind; also the URL scheme of its warehouses. */
  readonly kind: string
  /** The display name. */
  readonly label: string
  /** How deeply SQL may be nested, with the engine's own setting. */
  readonly deepest: string
  readonly address: EngineAddress
  /**
   * Returns all tokens in order, with comments and template tags and without white space. Accepts any text.
   */
  tokens(text: string): SqlToken[]
  /**
   * Returns the form of a name for comparison: two names are the same if their folded forms are equal. It is
   * for names, not for texts.
   */
  fold(name: string): string
  sameName(a: string, b: string): boolean
  /** Always quotes a name. */
  quote(name: string): string
  /** Quotes a name only if it would mean something else without quotes. */
  quoteIfNeeded(name: string): string
  /** Returns a value as an SQL literal. */
  literal(value: string | number | bigint | boolean | null): string
  readonly words: EngineWords
  readonly storage: EngineStorage
  readonly types: EngineTypes
  readonly functions: EngineFunctions
  readonly help: EngineHelp
  /** Undefined if the engine has no extensions, or none that svc loads. */
  readonly extensions: EngineExtensions | undefined
  /** Undefined if the engine has nothing that a project could declare. */
  readonly declarations: EngineDeclarations | undefined
  /** The dialect for the SQL reader. */
  readonly grammar: SqlGrammar
  /** The dialect for the name binder. */
  readonly binding: BinderDialect
  /** Loads what `binding` needs for name patterns, if one of the texts has any. */
  loadPatterns(texts: Iterable<string>): Promise<void>
}

export interface EngineAddress {
  /** Schemes of its addresses beside the kind. */
  readonly otherSchemes: readonly string[]
  /** The source of a regular expression for a whole address. */
  readonly pattern: string
  /** The form of an address, for messages. */
  readonly form: string
  /** The address in a new project. */
  readonly example: string
  /** Returns the location of the data for files and messages, without user, password or options. */
  place(address: string): string
  /** Returns the path of the file that holds the data; absent for an engine that is a server. */
  file?(address: string): string
}

/** The words of an engine, all in lower case. */
export interface EngineWords {
  /** Words that need quotes as names, including those that continue a clause or an expression. */
  readonly reserved: ReadonlySet<string>
  /** Every keyword of the grammar. */
  readonly keywords: ReadonlySet<string>
  /** The parts of dates that EXTRACT and its like take, the most common ones first. */
  readonly dateParts: readonly string[]
}

/** What the engine has besides tables and views, and which statements may stand around a build. */
export interface EngineStorage {
  /** The methods of indexes, the usual one first. */
  readonly indexMethods: readonly string[]
  /** Those that hold one column. */
  readonly oneColumnMethods: readonly string[]
  /** Whether an index may hold some rows only. */
  readonly hasPartialIndexes: boolean
  /** Whether there are roles that can be granted rights. */
  readonly hasRoles: boolean
  /**
   * Tables may be unlogged or in a tablespace, and settings may hold for one transaction; those that svc itself sets are no
   * one else's. Undefined where there is nothing of it.
   */
  readonly tableOptions: { readonly ownSettings: RegExp } | undefined
  /** Whether transactions of readers hold views, so that a promotion waits for them. */
  readonly readersHoldViews: boolean
  /** The columns that every table has of itself: no other column may have one of these names. */
  readonly takenColumns: ReadonlySet<string>
  /** The schemas that nobody may make. */
  readonly systemSchemas: RegExp
  /** The names of the engine's own relations that are found without a schema, or in the one that they stand in. */
  readonly systemRelations: { readonly names: RegExp; readonly schema: string | undefined }
  /** The most columns of a table; absent where nobody reaches them. */
  readonly mostColumns?: number
  /**
   * Returns why a statement may not run in the transaction of a build, to follow "it"; `words` are its first words and
   * signs in lower case. Undefined if it may.
   */
  refusedInBuild(words: readonly string[]): string | undefined
}

export interface TypeProblem {
  /** `unknown`: there is no type of this name. `malformed`: the text is no type. */
  readonly kind: 'unknown' | 'malformed'
  /** The name, or the reason why the text is no type, to follow "is no type". */
  readonly text: string
  /** The range in the text. */
  readonly range: { readonly start: number; readonly end: number }
}

export interface EngineTypes {
  /**
   * Parses a type and never throws: a text that cannot be parsed gives an `unknown` type. Equal texts give
   * the same object.
   */
  parse(text: string): SqlType
  /** Returns the text that the engine prints. */
  print(type: SqlType): string
  same(a: SqlType, b: SqlType): boolean
  /** Returns the narrowest type for the values of both, by the rules of loads. */
  widen(a: SqlType, b: SqlType): SqlType
  family(type: SqlType): TypeFamily
  elementOf(type: SqlType): SqlType | undefined
  /** Checks a type that a user wrote; returns undefined if the engine accepts it. */
  problem(text: string): TypeProblem | undefined
  /** The default type for each kind of value. */
  readonly usual: Readonly<Record<'text' | 'boolean' | 'integer' | 'float' | 'json', string>>
  /** Whether there are types of objects with named fields. */
  readonly hasStructs: boolean
  /** The words for types that all engines share. */
  readonly portable: PortableTypes
  /** Every lower-case name that is a type by itself. */
  readonly names: ReadonlySet<string>
  /** The most common lower-case names, to suggest for misspelt ones. */
  readonly commonNames: readonly string[]
  /** How types are written, for messages. */
  readonly examples: readonly string[]
}

/** The facts about an engine's functions, by their folded names. */
export interface EngineFunctions {
  /** Function calls that are written without brackets. */
  readonly valueWords: ReadonlySet<string>
  /**
   * Returns what a call does beside working out its value; undefined for a function that is not of the engine, or of an
   * extension that it knows. Without a number of arguments the answer is for all forms of the name that agree.
   */
  effectOf(name: string, count?: number): FunctionEffect | undefined
  /** The functions of the engine itself that are not pure, as they are listed: `age/1` for one form, `pragma_*` for a family. */
  readonly effects: ReadonlyMap<string, FunctionEffect>
  /**
   * Whether the result of a call differs between runs over the same data; without a number of arguments, in any of its forms.
   * The words in `valueWords` do.
   */
  isVolatile(name: string, count?: number): boolean
  /** A function that takes arguments of any number and type. */
  readonly ofAnything: string
  /** Functions that take a lambda as an argument. */
  readonly withLambda: ReadonlySet<string>
  readonly aggregates: ReadonlySet<string>
  /** Functions that require OVER. */
  readonly windows: ReadonlySet<string>
  /** Aggregates that give no single value away, if there are enough of them. */
  readonly summarizing: ReadonlySet<string>
  /** The aggregate that gives the value of some row, which each supported version of the engine has. */
  readonly ofAnyRow: string
  /**
   * Functions that return one type for any arguments, so that their type is known for unknown columns too.
   */
  readonly ofOneType: ReadonlySet<string>
  readonly options: ReadonlyMap<string, FunctionOption>
}

/** An argument that is an option rather than a value and is validated only at run time. */
export interface FunctionOption {
  /** The position of the argument, from 0. */
  readonly argument: number
  readonly kind: 'date part' | 'time zone' | 'regular expression'
  /** Returns a call with this option and with valid sample arguments, as SQL. */
  sample(name: string, option: string): string
  /** An option that every version accepts. */
  readonly good: string
}

/** A statement that says what the database of a project has. */
export interface Declaration {
  readonly sql: string
  readonly start: number
  readonly end: number
  /** Why it is none; undefined if it may be one. */
  readonly problem: string | undefined
}

/** How a project says which functions and types its database has beyond the engine's own. */
export interface EngineDeclarations {
  /** The folder of its files. */
  readonly folder: string
  /** The file that `svc doctor --write` writes; it is read before the others. */
  readonly asked: string
  read(text: string): readonly Declaration[]
}

/** Native code that adds functions and types when it is loaded; `extensions` in svc.yaml lists them. */
export interface EngineExtensions {
  readonly names: {
    /** The source of a regular expression for a whole name. */
    readonly pattern: string
    /** The rule for names in messages, to follow "an extension's name". */
    readonly rule: string
  }
  /** The ending of extension files, with its dot; undefined if none is loaded from a file. */
  readonly fileEnding: string | undefined
  /** A clause for messages about what happens to an extension that is listed without a file. */
  readonly namedAlone: string
  /** Returns whether it is one of the extensions that come with the engine. */
  knows(name: string): boolean
  /** Returns the extension that adds the function. */
  ofFunction(name: string): string | undefined
  ofType(name: string): string | undefined
}
