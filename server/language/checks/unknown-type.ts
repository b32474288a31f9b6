import type { Engine, TypeProblem } from '../engines/engine.ts'
import { nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import { promisedTables, promisePath } from '../source/table-contract.ts'
import type { NodePath, ScalarNode } from '../syntax/node.ts'
import { scalarPositions } from '../syntax/scalar-positions.ts'
import { nearestNames } from '../text/nearest-names.ts'
import type { FileCheck, Finding } from './check.ts'
import { suggestName } from './suggestion.ts'

export const unknownType: FileCheck = {
  code: 'unknown-type',
  doc: 'A type in `contract.columns` or `columns` that the warehouse does not have.',
  *run(asset, engine) {
    const { contract, columns } = asset.definition
    const promised = promisedTables(contract).flatMap(({ child, columns: named }) =>
      Object.keys(named).map(name => promisePath(child, name)),
    )
    const described = Object.keys(columns).map(name => ['columns', name])
    for (const path of [...promised, ...described]) {
      const node = typeNode(asset, path)
      const problem = node && engine.types.problem(String(node.value))
      if (problem) yield findingOf(asset, node, problem, engine)
    }
  },
}

/** Returns the node in `id: bigint` or `id: {type: bigint}`. The schema reports a value that is no text. */
function typeNode(asset: Asset, path: NodePath): ScalarNode | undefined {
  const node = nodeAt(asset.tree, path)
  const written =
    node?.kind === 'map' ? nodeAt(asset.tree, [...path, 'type']) : path[0] === 'contract' ? node : undefined
  return written?.kind === 'scalar' && typeof written.value === 'string' ? written : undefined
}

function findingOf(
  asset: Asset,
  node: ScalarNode,
  { kind, text, range }: TypeProblem,
  engine: Engine,
): Finding {
  const { commonNames, names: allNames } = engine.types
  if (kind === 'malformed')
    return { range: node.bodyRange, message: `"${node.value}" is no type: ${text}`, hint: examplesOf(engine) }
  const place = scalarPositions(asset.text, node).rangeToOriginal(range)
  const names = nearestNames(text, commonNames, 1).length > 0 ? commonNames : [...allNames]
  const written = text === text.toUpperCase() ? names.map(name => name.toUpperCase()) : names
  return {
    range: place,
    message: `unknown type "${text}"`,
    hint: examplesOf(engine),
    ...suggestName(text, written, { path: asset.path, range: place }, ''),
  }
}

/** Returns `Types are written like "bigint", "text[]" or "jsonb".` */
function examplesOf({ types }: Engine): string {
  const quoted = types.examples.map(example => `"${example}"`)
  return `Types are written like ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}.`
}
