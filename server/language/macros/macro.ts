/** SQL macros: the definitions of `macros/*.sql`, which `{{ name(arguments) }}` expands. */
import type { Engine } from '../engines/engine.ts'
import { engines } from '../engines/index.ts'
import { type MacroTag, type Tag, withNested } from '../syntax/template.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Range } from '../text/range.ts'

/** The folder of the macros, relative to the project's root. */
export const macrosFolder = 'macros/'

export interface Macro {
  readonly name: string
  readonly path: string
  readonly nameRange: Range
  readonly parameters: readonly Parameter[]
  /** An expression stands for a value; a table for a query in FROM. */
  readonly kind: 'expression' | 'table'
  /** The text of the file; all ranges are offsets in it. */
  readonly text: string
  /** From CREATE to the end of the body. */
  readonly range: Range
  readonly body: MacroSql
  /** The comment above the definition. */
  readonly description: string
}

export interface Parameter {
  readonly name: string
  readonly nameRange: Range
  /** Absent if the parameter must be given. */
  readonly fallback?: MacroSql
}

/** A piece of SQL in the file of a macro. */
export interface MacroSql {
  readonly range: Range
  readonly tags: readonly Tag[]
  /** Where parameters stand, in text order, also within the arguments of tags. */
  readonly places: readonly ParameterPlace[]
}

export interface ParameterPlace extends Range {
  /** The index of the parameter. */
  readonly parameter: number
}

export interface MacroFile {
  readonly path: string
  readonly text: string
  /** The engine that `<file>.<engine>.sql` is for; absent for a file that is for all. */
  readonly engine?: Engine
  readonly macros: readonly Macro[]
  /** Problems of the file alone. */
  readonly diagnostics: readonly Diagnostic[]
}

/** All macros of a project. */
export interface Macros {
  /** By path, in path order; those for other engines too, whose macros are never called. */
  readonly files: ReadonlyMap<string, MacroFile>
  /**
   * By name in lower case. A macro for the project's engine leads over one for all; of several otherwise alike the first in
   * path order counts.
   */
  readonly byName: ReadonlyMap<string, Macro>
  /** The problems of each file, those between files too. */
  readonly problems: ReadonlyMap<string, readonly Diagnostic[]>
  /** The macros that are part of a cycle, each with the cycle from itself to itself. */
  readonly cycles: ReadonlyMap<string, readonly string[]>
}

/** Returns the engine that a file of macros is for by its name; undefined for one that is for all. */
export function engineOfMacros(path: string): Engine | undefined {
  const kind = /\.([^./]+)\.sql$/.exec(path)?.[1]
  return engines.find(engine => engine.kind === kind)
}

/** The calls among tags, also those in arguments of calls. */
export function callsIn(tags: readonly Tag[]): readonly MacroTag[] {
  return withNested(tags).filter(tag => tag.kind === 'macro')
}

export function macroKey(name: string): string {
  return name.toLowerCase()
}

/** Returns the calls that a macro makes itself. */
export function callsOf({ body, parameters }: Macro) {
  return callsIn([...body.tags, ...parameters.flatMap(({ fallback }) => fallback?.tags ?? [])])
}

/** The definition's head: `cents(amount, digits := 2)`. */
export function signatureOf(macro: Macro): string {
  return `${macro.name}(${macro.parameters.map(parameter => parameterText(macro, parameter)).join(', ')})`
}

export function parameterText({ text }: Macro, { name, fallback }: Parameter): string {
  return fallback === undefined ? name : `${name} := ${text.slice(fallback.range.start, fallback.range.end)}`
}
