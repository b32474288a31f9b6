import type { PositionMap, Range } from '../text/range.ts'

/**
 * How many times `limits.sql.length` the SQL of an asset may have in which the views and ephemeral assets that it reads are written
 * out: views that read views twice double it at every level.
 */
export const timesWrittenOut = 4

/** A template tag of decisions 1; its ranges are offsets in the template's `text`. */
export type Tag =
  | { readonly kind: 'source'; readonly range: Range; readonly child?: string; readonly nameRange?: Range }
  | { readonly kind: 'ref'; readonly range: Range; readonly name: string; readonly nameRange: Range }
  | { readonly kind: 'this'; readonly range: Range }
  | { readonly kind: 'var'; readonly range: Range; readonly name: string; readonly nameRange: Range }
  | { readonly kind: 'window'; readonly range: Range; readonly edge: 'start' | 'end' }
  | MacroTag
  /** An invalid tag; `problem` describes the mistake. It is reported and never resolved. */
  | { readonly kind: 'invalid'; readonly range: Range; readonly problem: string }

/** A call of a macro: `{{ cents(amount, digits := 2) }}`. No compiled SQL has one: it is expanded before. */
export interface MacroTag {
  readonly kind: 'macro'
  readonly range: Range
  readonly name: string
  readonly nameRange: Range
  readonly arguments: readonly MacroArgument[]
}

export interface MacroArgument {
  /** The range of the SQL, without the white space around it. */
  readonly range: Range
  /** The parameter in `parameter := value`. */
  readonly name?: string
  readonly nameRange?: Range
  /** The tags within. */
  readonly tags: readonly Tag[]
}

/** Returns the tags and those within the arguments of calls. */
export function withNested(tags: readonly Tag[]): readonly Tag[] {
  if (!tags.some(({ kind }) => kind === 'macro')) return tags
  return tags.flatMap(tag =>
    tag.kind === 'macro' ? [tag, ...withNested(tag.arguments.flatMap(each => each.tags))] : [tag],
  )
}

/** SQL with template tags. Tags inside SQL comments are not tags (a commented-out ref is no dependency). */
export interface SqlTemplate {
  readonly text: string
  readonly tags: readonly Tag[]
  /**
   * Maps offsets in `text` to offsets in the file (through block-scalar indentation, folding and escapes).
   */
  readonly toFile: PositionMap
  /** Present if the text is not written in the file, which then maps to its use. */
  readonly elsewhere?: Elsewhere
  /** Where macros were expanded, in text order; absent if there were none. */
  readonly expanded?: readonly Expanded[]
}

/** The file that has the text of a template. */
export interface Elsewhere {
  /** The name of the test of one's own. */
  readonly test: string
  readonly path: string
  readonly text: string
  /** The key in the file that stands for it. */
  readonly use: Range
  /** Maps offsets of the template to offsets in `text`. */
  readonly toOrigin: PositionMap
}

/** A part of a template that a macro wrote. It maps to the call in the file. */
export interface Expanded extends Range {
  readonly macro: string
  /** The place in the file of the macro. */
  readonly path: string
  /** The text of that file. */
  readonly text: string
  readonly place: Range
}

/** A template with every tag resolved. */
export interface CompiledSql {
  readonly sql: string
  /** Maps offsets in `sql` to offsets in the file. */
  readonly toFile: PositionMap
}
