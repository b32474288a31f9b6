/** Finds the functions that may be meant by an unknown function name. */
import { nearestNames } from '../language/text/nearest-names.ts'

export interface FunctionNames {
  readonly all: readonly string[]
  /** The most commonly used functions. */
  readonly common: readonly string[]
}

/** Returns the nearest names; among equally near ones, the common functions come first. */
export function nearestFunctions(name: string, { all, common: usual }: FunctionNames): string[] {
  const [nearest] = nearestNames(name, all, 1)
  const [common] = nearestNames(name, usual, 1)
  const first = common && nearest && slips(name, common) <= slips(name, nearest) ? common : nearest
  return [...new Set([first ?? [], nearestNames(name, all)].flat())].slice(0, 3)
}

/** Counts the letters that are added, missing, wrong or swapped with their neighbour. */
function slips(wrong: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= wrong.length; row++) {
    rows.push([row])
    for (let column = 1; column <= right.length; column++) {
      const isSame = wrong[row - 1] === right[column - 1]
      const isSwap = wrong[row - 1] === right[column - 2] && wrong[row - 2] === right[column - 1]
      const swapped = isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY
      const replaced = at(row - 1, column - 1) + (isSame ? 0 : 1)
      rows[row]?.push(Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, replaced, swapped))
    }
  }
  return at(wrong.length, right.length)
}
