/**
 * Values in tests that a run could only fail with: a text that is none of the column's type, a pattern that is no regular
 * expression. DuckDB is the judge, as it is of literals in SQL.
 */

import { columnType, isText } from '../language/checks/columns.ts'
import type { Asset, Diagnostic, NodePath, TestDefinition } from '../language/index.ts'
import { nodeAt } from '../language/project/locate.ts'
import type { ScalarNode } from '../language/syntax/node.ts'
import type { BindError } from './bind-error.ts'
import type { Binder } from './binder.ts'
import { failuresOf } from './literals/judge.ts'
import { valueFinding } from './literals/literal-finding.ts'
import type { Check } from './literals/spots.ts'
import { quoteLiteral } from './quoting.ts'
import type { Shape } from './shape.ts'
import { mostTests } from './too-large.ts'

/** A value that is not sure to fit. */
interface Doubt {
  readonly asset: Asset
  readonly node: ScalarNode
  readonly check: Check
}

/** Whether an asset has tests with such values; of those of the wrong kind altogether a check speaks. */
export function hasTestValues({ definition }: Asset): boolean {
  return definition.tests.some(test => test.kind in valuePaths)
}

/** By name of the asset; none where all is well. `shapeOf`: what is known of the columns of an asset. */
export async function badTestValues(
  binder: Binder,
  assets: readonly Asset[],
  shapeOf: (asset: string) => Shape | undefined,
): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  const doubts = assets.flatMap(asset => doubtsOf(asset, shapeOf(asset.name)))
  const failure = await failuresOf(
    binder,
    doubts.map(({ check }) => check),
  )
  const found = new Map<string, Diagnostic[]>()
  for (const { asset, node, check } of doubts) {
    const error = failure(check)
    if (error === undefined) continue
    found.set(asset.name, [...(found.get(asset.name) ?? []), diagnosticOf({ asset, node, check }, error)])
  }
  return found
}

function diagnosticOf({ asset: { path }, node, check }: Doubt, error: BindError): Diagnostic {
  const found = valueFinding(String(node.value), check, error, node.range)
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

function doubtsOf(asset: Asset, shape: Shape | undefined): Doubt[] {
  return asset.definition.tests.slice(0, mostTests).flatMap(test =>
    valuesOf(asset, test).flatMap(node => {
      const check = checkOf(test, String(node.value), shape)
      return check === undefined ? [] : [{ asset, node, check }]
    }),
  )
}

const valuePaths: Readonly<Record<string, (column: string) => readonly NodePath[]>> = {
  matches: column => [[column]],
  accepted_values: column => [[column]],
  range: column => [
    [column, 'min'],
    [column, 'max'],
  ],
}

/** The texts that a test compares a column with, where they stand. */
function valuesOf(asset: Asset, test: TestDefinition): readonly ScalarNode[] {
  if (!('column' in test)) return []
  return (valuePaths[test.kind]?.(test.column) ?? []).flatMap(path => {
    const node = nodeAt(asset.tree, ['tests', test.index, test.kind, ...path])
    const items = node?.kind === 'sequence' ? node.items : [node]
    return items.filter(
      (item): item is ScalarNode => item?.kind === 'scalar' && typeof item.value === 'string',
    )
  })
}

function checkOf(test: TestDefinition, value: string, shape: Shape | undefined): Check | undefined {
  if (test.kind === 'matches')
    return {
      sql: `regexp_matches('', ${quoteLiteral(value)})`,
      as: 'regular expression',
      kind: 'regular expression',
    }
  const type = 'column' in test ? columnType(shape, test.column) : undefined
  if (type === undefined || isText(type)) return undefined
  // Values of several kinds are compared as texts.
  if (test.kind === 'accepted_values' && test.values.some(each => each !== null && typeof each !== 'string'))
    return undefined
  return { sql: `CAST(${quoteLiteral(value)} AS ${type})`, as: type, kind: 'type' }
}
