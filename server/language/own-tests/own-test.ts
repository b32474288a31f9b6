/** Tests of a project's own: a file `tests/<name>.sql` is a query for failing rows, with parameters. */
import type { Value } from '../schema/inherited-values.ts'
import type { Key, Shape } from '../schema/shape.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Range } from '../text/range.ts'
import type { ParameterType } from './parameter-types.ts'

/** The folder of the files, relative to the project's root. */
export const ownTestsFolder = 'tests/'

export interface OwnTest {
  readonly name: string
  readonly path: string
  readonly text: string
  /** The hash of the text. */
  readonly hash: string
  /** The comment at the head of the file. */
  readonly description: string
  readonly parameters: readonly Parameter[]
  /** The query, in `text`. */
  readonly body: Range
  /** Where parameters stand in the query, in text order. */
  readonly places: readonly Place[]
  /** The assets, variables and macros that the query names. */
  readonly names: readonly Named[]
  /** What an asset writes for it. */
  readonly key: Key
  readonly diagnostics: readonly Diagnostic[]
}

export interface Parameter {
  readonly name: string
  readonly nameRange: Range
  readonly type: ParameterType
  /** Undefined if an asset has to give it. */
  readonly fallback: Value | undefined
  readonly shape: Shape
}

export interface Place {
  readonly range: Range
  readonly parameter: Parameter
}

export interface Named {
  readonly kind: 'ref' | 'var' | 'macro'
  readonly name: string
  readonly range: Range
}

/** All tests of a project's own. */
export interface OwnTests {
  /** By path, in path order. */
  readonly files: ReadonlyMap<string, OwnTest>
  /** Those that can be used, by name. */
  readonly byName: ReadonlyMap<string, OwnTest>
}

export const noOwnTests: OwnTests = { files: new Map(), byName: new Map() }
