/** Finds the functions that may be meant by an unknown function name. */
import { nameIndexOf } from '../language/text/name-index.ts'
import { editDistance } from '../language/text/nearest-names.ts'

export interface FunctionNames {
  readonly all: readonly string[]
  /** The most commonly used functions. */
  readonly common: readonly string[]
}

/** Returns the nearest names; among equally near ones, the common functions come first. */
export function nearestFunctions(name: string, { all, common: usual }: FunctionNames): string[] {
  const [nearest] = nameIndexOf(all).nearest(name, 1)
  const [common] = nameIndexOf(usual).nearest(name, 1)
  const first = common && nearest && slips(name, common) <= slips(name, nearest) ? common : nearest
  return [...new Set([first ?? [], nameIndexOf(all).nearest(name)].flat())].slice(0, 3)
}

function slips(wrong: string, right: string): number {
  return editDistance(wrong, right, Math.max(wrong.length, right.length)) ?? Number.POSITIVE_INFINITY
}
