/** Reads a YAML file of the project by the shape of its root, and says what is wrong with it. */
import { refuse } from '../schema/read-scalar.ts'
import { type Reading, readValue, type Values } from '../schema/read-value.ts'
import type { SchemaProblem } from '../schema/schema-problem.ts'
import type { ObjectShape } from '../schema/shape.ts'
import type { Node } from '../syntax/node.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Range } from '../text/range.ts'

/** Returns undefined if the root is no mapping, which is reported with `mustBe` unless YAML itself has a problem. */
export function readMapping(
  reading: Reading,
  root: Node | undefined,
  shape: ObjectShape,
  mustBe: string,
): Values | undefined {
  if (root?.kind === 'map') return readValue(reading, shape, root, '') as Values
  if (root === undefined || reading.problems.length > 0) return undefined
  return refuse(reading, root, mustBe, undefined, 'wrong-type')
}

/** Returns the diagnostics of a file that was read, in the order of their places. */
export function diagnosticsOf({ problems, text }: Reading, path: string): readonly Diagnostic[] {
  return withoutKnockOn(problems, text)
    .map(problem => diagnosticOf(problem, path))
    .sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end)
}

/**
 * Removes consequential problems. In broken YAML a key may exist without being parsed, so it is not reported
 * as missing; neither is a value that YAML itself rejects.
 */
function withoutKnockOn(problems: readonly SchemaProblem[], text: string): readonly SchemaProblem[] {
  const broken = problems.filter(problem => problem.code === 'yaml-syntax')
  if (broken.length === 0) return problems
  return problems.filter(({ code, missing, range }) => {
    if (code === 'yaml-syntax') return true
    if (missing !== undefined) return !new RegExp(`\\b${missing}["']?[ \\t]*:`).test(text)
    return !broken.some(each => touches(each.range, range, text))
  })
}

/** Returns whether the ranges overlap, or `range` follows on the line where the broken one starts. */
function touches(broken: Range, range: Range, text: string): boolean {
  if (broken.start < range.end && range.start < broken.end) return true
  return broken.start <= range.start && !/[\r\n]/.test(text.slice(broken.start, range.start))
}

function diagnosticOf(problem: SchemaProblem, path: string): Diagnostic {
  const { replacement, missing: _missing, ...rest } = problem
  const base: Diagnostic = { ...rest, severity: 'error', path }
  if (replacement === undefined) return base
  const edits = [{ path, range: problem.range, newText: replacement }]
  return { ...base, fixes: [{ title: `Change to "${replacement}"`, edits }] }
}
