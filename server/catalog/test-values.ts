/**
 * Finds values in tests that would make every run fail: a text that is no value of the column's type, a
 * pattern that is no regular expression. DuckDB decides, as it does for literals in SQL.
 */
import { columnType } from '../language/checks/columns.ts'
import type { Asset, Diagnostic, Engine, TestDefinition } from '../language/index.ts'
import { locate, nodeAt } from '../language/project/locate.ts'
import { testKindOf } from '../language/tests/index.ts'
import type { Range } from '../language/text/range.ts'
import type { BindError } from './bind-error.ts'
import type { Binder } from './binder.ts'
import { failuresOf } from './literals/judge.ts'
import { valueFinding } from './literals/literal-finding.ts'
import type { Check } from './literals/spots.ts'
import type { Shape } from './shape.ts'
import type { World } from './statement.ts'

/** A value that may not fit. */
interface Doubt {
  readonly asset: Asset
  readonly test: TestDefinition
  readonly value: string
  readonly check: Check
}

/**
 * Returns whether an asset has tests with such values. Values of another kind than the column are reported by
 * a check.
 */
export function hasTestValues({ definition }: Asset): boolean {
  return definition.tests.some(test => textsOf(test).length > 0)
}

/** Returns diagnostics by the name of the asset; none for correct ones. */
export async function badTestValues(
  binder: Binder,
  assets: readonly Asset[],
  { shapeOf, engine }: Pick<World, 'shapeOf' | 'engine'>,
): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  const doubts = assets.flatMap(asset => doubtsOf(asset, shapeOf(asset.name), engine))
  const failure = await failuresOf(
    binder,
    doubts.map(({ check }) => check),
  )
  const found = new Map<string, Diagnostic[]>()
  for (const doubt of doubts) {
    const error = failure(doubt.check)
    const { name } = doubt.asset
    if (error !== undefined) found.set(name, [...(found.get(name) ?? []), diagnosticOf(doubt, error)])
  }
  return found
}

function diagnosticOf({ asset, test, value, check }: Doubt, error: BindError): Diagnostic {
  const { path } = asset
  const found = valueFinding(value, check, error, rangeOf(asset, test, value))
  const { code, message, hint, range } = found
  const [nearest] = found.suggestions ?? []
  const fix = nearest !== undefined && {
    title: `Change to "${nearest}"`,
    edits: [{ path, range, newText: JSON.stringify(nearest) }],
  }
  return {
    code,
    severity: 'error',
    path,
    range,
    message,
    ...(hint !== undefined && { hint }),
    ...(fix && { fixes: [fix] }),
  }
}

function doubtsOf(asset: Asset, shape: Shape | undefined, engine: Engine): Doubt[] {
  return asset.definition.tests.flatMap(test =>
    textsOf(test).flatMap(value => {
      const check = checkOf(test, value, shape, engine)
      return check === undefined ? [] : [{ asset, test, value, check }]
    }),
  )
}

/** Returns the texts that a test compares its column with. */
function textsOf(test: TestDefinition): readonly string[] {
  const { pattern, comparedWith } = testKindOf(test)
  if (pattern !== undefined) return [pattern(test)]
  const values = comparedWith?.(test) ?? []
  return values.flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
}

function checkOf(
  test: TestDefinition,
  value: string,
  shape: Shape | undefined,
  engine: Engine,
): Check | undefined {
  if (testKindOf(test).pattern !== undefined)
    return {
      sql: `regexp_matches('', ${engine.literal(value)})`,
      as: 'regular expression',
      kind: 'regular expression',
    }
  const found = 'column' in test ? columnType(shape, test.column, engine) : undefined
  if (found === undefined || found.family === 'text') return undefined
  return { sql: `CAST(${engine.literal(value)} AS ${found.text})`, as: found.text, kind: 'type' }
}

/** Reads the tree only for a wrong value: assets restored from the cache have to be parsed for it. */
function rangeOf(asset: Asset, test: TestDefinition, value: string): Range {
  const at = ['tests', test.index, test.kind, ...('column' in test ? [test.column] : [])]
  const node = nodeAt(asset.tree, at)
  const inside =
    node?.kind === 'sequence'
      ? node.items
      : node?.kind === 'map'
        ? node.entries.map(entry => entry.value)
        : [node]
  const written = inside.find(each => each?.kind === 'scalar' && String(each.value) === value)
  return written?.range ?? locate(asset, at)
}
