/**
 * The types of `schemas.lock.json` for projects whose environments have several engines (decisions 9, "The engine is the
 * environment's"). A column's type stands in the words of one engine, that of the file. Where these do not tell what
 * another engine loaded, its own word stands beside, so that runs by turns leave the file as it is.
 */
import type { Engine } from '../engines/engine.ts'
import { typeNameOfSource } from '../engines/portable-types.ts'

export interface LockedType {
  /** In the words of the file's engine; undefined if only NULLs were seen. */
  readonly type: string | undefined
  /** The names of engines for it that the file's words do not lead to, by the kind of engine. */
  readonly types: Readonly<Record<string, string>>
}

/** Returns the type for `engine` of an entry that is written in the words of `words`. */
export function typeFor(engine: Engine, { type, types }: LockedType, words: Engine): string | undefined {
  const own = types[engine.kind]
  return own ?? (type === undefined ? undefined : translated(type, words, engine))
}

/**
 * Returns the entry in the words of `words` for a type of `engine`. The engine of the file decides what stands there, and
 * what others called an earlier type counts no more; another engine only adds its own word to what stands.
 */
export function lockedType(
  type: string | undefined,
  engine: Engine,
  words: Engine,
  before: LockedType | undefined,
): LockedType {
  if (before !== undefined && typeFor(engine, before, words) === type) return before
  if (type === undefined || engine === words) return { type, types: {} }
  const written = before?.type ?? translated(type, engine, words)
  const { [engine.kind]: _last, ...others } = before?.types ?? {}
  const isTold = translated(written, words, engine) === type
  return { type: written, types: isTold ? others : { ...others, [engine.kind]: type } }
}

/** A word that the engine does not have stays as it is: somebody has edited the file. */
function translated(type: string, from: Engine, to: Engine): string {
  const isKnown = from !== to && from.types.problem(type) === undefined
  return isKnown ? typeNameOfSource(type, from, to) : type
}
