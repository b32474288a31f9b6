/** The query of a test of one's own as an asset uses it. */

import type { AssetSettings } from '../project/folder-defaults.ts'
import { locate, nodeAt } from '../project/locate.ts'
import type { TestOptions } from '../schema/definition.ts'
import type { Reading } from '../schema/read-value.ts'
import type { Node } from '../syntax/node.ts'
import { scanTemplate } from '../syntax/scan-template.ts'
import type { SqlTemplate } from '../syntax/template.ts'
import type { Own } from '../tests/own.ts'
import type { Range } from '../text/range.ts'
import { expandedText } from './expand.ts'
import type { Parameter } from './own-test.ts'

interface Use {
  readonly reading: Reading
  readonly tree: Node | undefined
  readonly test: Own & TestOptions
  readonly settings: AssetSettings
}

/** Returns undefined if the file of the test has errors, which is then reported. */
export function ownTemplate({ reading, tree, test, settings }: Use): SqlTemplate | undefined {
  const { engine, ownTests } = settings
  const own = ownTests.byName.get(test.test)
  if (own === undefined) return undefined
  const path = ['tests', test.index, own.name]
  const use = locate({ text: reading.text, tree }, path, 'key')
  const problem = own.diagnostics.find(({ severity }) => severity === 'error')
  if (problem !== undefined) {
    const message = `the test "${own.name}" cannot run: ${problem.message}`
    reading.problems.push({ code: 'own-test-broken', range: use, message, hint: `Correct ${own.path}.` })
    return undefined
  }
  const value = nodeAt(tree, path)
  const short =
    value?.kind === 'map' ? undefined : own.parameters.find(({ fallback }) => fallback === undefined)
  const placeOf = (parameter: Parameter) =>
    placeIn(value?.kind === 'map' ? nodeAt(value, [parameter.name]) : parameter === short ? value : undefined)
  const given = ({ name }: Parameter) => test.parameters[name] ?? null
  const expanded = expandedText(own, given, engine, use, placeOf)
  const { tags } = scanTemplate(expanded.text, engine)
  const { toOrigin } = expanded
  const elsewhere = { test: own.name, path: own.path, text: own.text, use, toOrigin }
  return { text: expanded.text, tags, toFile: expanded.toUse, elsewhere }
}

function placeIn(node: Node | undefined): Range | undefined {
  return node?.kind === 'scalar' ? node.bodyRange : node?.range
}
