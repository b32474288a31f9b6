/** What mends problems that the checks find: names, tests, contracts, exposures, freshness, refs. */
import { outputPlaces } from '../../checks/output-places.ts'
import { locate, nodeAt } from '../../project/locate.ts'
import { settingsPath } from '../../project/parse-settings.ts'
import type { Asset } from '../../project/project.ts'
import { addBlock, addEntry, addItem, removeAt, type YamlText, yamlScalar } from '../../project/yaml-edits.ts'
import type { TestDefinition } from '../../schema/definition.ts'
import { testColumns, testKindOf } from '../../tests/index.ts'
import type { Node, NodePath } from '../../syntax/node.ts'
import { nearestNames } from '../../text/nearest-names.ts'
import { type Problem, type Remedy, remedy } from './code-action.ts'
import { addTerm } from './glossary-remedies.ts'
import { pathAt } from './path-at.ts'

type Remedies = (problem: Problem, asset: Asset) => readonly Remedy[]

const forAsset: Readonly<Record<string, Remedies>> = {
  'column-doc-unknown': (problem, asset) => removeHere(problem, asset, 'Remove what is said of it'),
  'contract-excluded-column': (problem, asset) =>
    removeHere(problem, asset, 'Take it out of required_columns'),
  'contract-unknown-column': (problem, asset) =>
    removeHere(problem, asset, 'Take it out of required_columns'),
  'contract-without-source': (problem, asset) => removeHere(problem, asset, 'Remove the contract'),
  'disabled-parent': enableParent,
  'duplicate-name': anotherName,
  'reserved-name': (problem, asset) => {
    const name = asset.name.replace(/^(svc_)+/i, '').replace(/__raw(?=__|$)/gi, '_raw')
    return isFree(problem, name) ? replaceName(problem, asset, name) : []
  },
  'name-too-long': (problem, asset) => {
    const name = asset.name.slice(0, 57).replace(/_+[^_]*$/, '')
    return isFree(problem, name) ? replaceName(problem, asset, name) : []
  },
  'ephemeral-without-reader': problem => here(problem, 'Make it a view', 'view'),
  'exposure-duplicate': exposure,
  'freshness-column': freshnessColumn,
  'freshness-order': swapFreshness,
  'source-without-ingest': () => [],
  'test-duplicate': (problem, asset) => removeHere(problem, asset, 'Remove this test'),
  'test-impossible': testImpossible,
  'test-name-duplicate': testName,
  'test-nullable-key': nullableKey,
  'test-unknown-column': (problem, asset) => removeHere(problem, asset, 'Take it out of the test'),
  'test-wrong-type': castColumn,
  'unknown-ref': createAsset,
  'unknown-term': problem => addTerm(problem),
  'unknown-var': defineVariable,
  'unknown-primary-key': primaryKey,
  'wrong-option': (problem, asset) => removeHere(problem, asset, 'Remove the option'),
  'unused-source': (problem, asset) => {
    const node = nodeAt(asset.tree, ['ingest'])
    if (node === undefined || asset.definition.contract !== undefined) return []
    return remedy('Write "ingest: none"', problem.path, { range: node.range, newText: 'none' })
  },
}

export const projectRemedies: Readonly<Record<string, (problem: Problem) => readonly Remedy[]>> =
  Object.fromEntries(
    Object.entries(forAsset).map(([code, remedies]) => [
      code,
      problem => {
        const asset = problem.knowledge.project.assets.get(problem.path)
        return asset === undefined ? [] : remedies(problem, asset)
      },
    ]),
  )

// ---------------------------------------------------------------- shared

function here(problem: Problem, title: string, newText: string): readonly Remedy[] {
  return remedy(title, problem.path, { range: problem.diagnostic.range, newText })
}

/** Removes the entry or item at the problem's place, with what would be left empty. */
function removeHere(problem: Problem, asset: YamlText, title: string): readonly Remedy[] {
  const path = shortened(asset.tree, pathAt(asset.tree, problem.diagnostic.range.start))
  return remedy(title, problem.path, removeAt(asset, path))
}

/** A test goes as a whole: `range: {x: …}` and what stands beside it. */
function shortened(tree: Node | undefined, path: NodePath): NodePath {
  if (path[0] !== 'tests' || path.length < 3) return path
  const body = nodeAt(tree, path.slice(0, 3))
  const isList = body?.kind === 'sequence' && body.items.length > 1 && path.length === 4
  return isList ? path : path.slice(0, 2)
}

function isFree({ knowledge }: Problem, name: string): boolean {
  const taken = [...knowledge.project.assets.values()].some(
    each => each.name.toLowerCase() === name.toLowerCase(),
  )
  return /^[A-Za-z_]\w*$/.test(name) && !taken
}

function replaceName(problem: Problem, asset: Asset, name: string): readonly Remedy[] {
  const node = nodeAt(asset.tree, ['name'])
  if (node?.kind !== 'scalar') return []
  return remedy(`Call it "${name}"`, problem.path, { range: node.bodyRange, newText: name })
}

// ---------------------------------------------------------------- assets

/** The stem of the file, or the name with a number. */
function anotherName(problem: Problem, asset: Asset): readonly Remedy[] {
  const stem = asset.path.slice(asset.path.lastIndexOf('/') + 1).replace(/\.svc$/, '')
  const numbered = [2, 3, 4, 5, 6, 7, 8, 9].map(number => `${asset.name}_${number}`)
  const name = [stem, ...numbered].find(each => isFree(problem, each))
  return name === undefined ? [] : replaceName(problem, asset, name)
}

function enableParent({ knowledge, text, diagnostic: { range } }: Problem): readonly Remedy[] {
  const name = text.slice(range.start, range.end)
  const parent = [...knowledge.project.assets.values()].find(
    each => each.name === name && !each.definition.deploy.enabled,
  )
  if (parent === undefined) return []
  const place = locate(parent, ['deploy', 'enabled'])
  return remedy(`Enable "${name}"`, parent.path, { range: place, newText: 'true' })
}

/** Beside the file that asks for it. */
function createAsset({ knowledge, path, text, diagnostic: { range } }: Problem): readonly Remedy[] {
  const name = text.slice(range.start, range.end)
  const file = `${path.slice(0, path.lastIndexOf('/') + 1)}${name}.svc`
  if (!/^[A-Za-z_]\w*$/.test(name) || knowledge.project.assets.has(file)) return []
  const created = `name: ${name}\ndescription: One sentence about what a row of ${name} is.\ningest: none\ntransform: |\n  SELECT 1 AS id\n`
  return [{ title: `Create the asset "${name}"`, edits: [], creates: [{ path: file, text: created }] }]
}

/** The value that the first description of the exposure has; or none, where it is the same asset's. */
function exposure(problem: Problem, asset: Asset): readonly Remedy[] {
  const { message } = problem.diagnostic
  const [, key] = /has another (\w+) in/.exec(message) ?? []
  const path = pathAt(asset.tree, problem.diagnostic.range.start)
  if (key === undefined)
    return remedy('Remove the second one', problem.path, removeAt(asset, path.slice(0, 2)))
  const name = asset.definition.exposures[Number(path[1])]?.name
  const first = [...problem.knowledge.project.assets.values()]
    .flatMap(each => each.definition.exposures)
    .find(each => each.name === name)
  const value = first?.[key as 'type' | 'url' | 'owner']
  const range = locate(asset, [...path.slice(0, 2), key])
  return value === undefined
    ? []
    : remedy(`Write the same ${key} here`, problem.path, { range, newText: yamlScalar(value) })
}

/** The nearest of the columns that the source has. */
function primaryKey(problem: Problem, asset: Asset): readonly Remedy[] {
  const { range } = problem.diagnostic
  const columns = problem.knowledge.sources.get(asset.name)?.find(table => table.child === undefined)?.columns
  const names = (columns ?? []).filter(column => !column.system).map(column => column.name)
  const near = nearestNames(problem.text.slice(range.start, range.end), names)
  return [
    ...near.flatMap(name => here(problem, `Change to "${name}"`, yamlScalar(name))),
    ...removeHere(problem, asset, 'Remove it from the key'),
  ]
}

// ---------------------------------------------------------------- freshness and tests

function freshnessColumn(problem: Problem, asset: Asset): readonly Remedy[] {
  if ((problem.diagnostic.fixes ?? []).length > 0) return []
  const columns = problem.knowledge.analysis.of(asset.name)?.columns ?? []
  return columns
    .filter(column => /^(date$|timestamp)/i.test(column.type ?? ''))
    .slice(0, 3)
    .flatMap(column => here(problem, `Use "${column.name}"`, yamlScalar(column.name)))
}

function swapFreshness(problem: Problem, asset: Asset): readonly Remedy[] {
  const [warn, error] = [
    locate(asset, ['freshness', 'warn_after']),
    locate(asset, ['freshness', 'error_after']),
  ]
  return swapped(problem, asset, warn, error)
}

function swapped(
  problem: Problem,
  asset: Asset,
  a: { start: number; end: number },
  b: { start: number; end: number },
): readonly Remedy[] {
  const { path } = problem
  const edits = [
    { path, range: a, newText: asset.text.slice(b.start, b.end) },
    { path, range: b, newText: asset.text.slice(a.start, a.end) },
  ]
  return [{ title: 'Swap them', edits }]
}

function testAt(problem: Problem, asset: Asset): TestDefinition | undefined {
  const path = pathAt(asset.tree, problem.diagnostic.range.start)
  return asset.definition.tests.find(test => path[0] === 'tests' && test.index === path[1])
}

function testImpossible(problem: Problem, asset: Asset): readonly Remedy[] {
  const test = testAt(problem, asset)
  const bounds = test && testKindOf(test).boundsAt?.(test)
  if (test === undefined || bounds === undefined) return removeHere(problem, asset, 'Remove this test')
  const at = ['tests', test.index, test.kind, ...bounds]
  return swapped(problem, asset, locate(asset, [...at, 'min']), locate(asset, [...at, 'max']))
}

/** The name under which it is shown anyway. */
function testName(problem: Problem, asset: Asset): readonly Remedy[] {
  const test = testAt(problem, asset)
  const names = asset.definition.tests.map(each => each.name)
  const written = problem.text.slice(problem.diagnostic.range.start, problem.diagnostic.range.end)
  const name = test?.name
  if (name === undefined || name === written || names.filter(each => each === name).length > 1) return []
  return here(problem, `Call it "${name}"`, name)
}

function nullableKey(problem: Problem, asset: Asset): readonly Remedy[] {
  const { range, message } = problem.diagnostic
  const column = /allows "(.+)" to be NULL/.exec(message)?.[1] ?? problem.text.slice(range.start, range.end)
  const added = remedy(
    `Add the test not_null: ${column}`,
    problem.path,
    addItem(asset, ['tests'], `not_null: ${yamlScalar(column)}`),
  )
  return added
}

/** The column gets the type that the test needs, where the SELECT delivers it. */
function castColumn(problem: Problem, asset: Asset): readonly Remedy[] {
  const test = testAt(problem, asset)
  const quoted = /^Write it in quotes: '(.*)'\.$/.exec(problem.diagnostic.hint ?? '')?.[1]
  if (quoted !== undefined) return here(problem, 'Put it in quotes', JSON.stringify(quoted))
  const type = test && testKindOf(test).castTo
  const column = test && testColumns(test)[0]
  if (type === undefined || column === undefined) return []
  const { project, analysis, sources } = problem.knowledge
  const place = outputPlaces(asset, { project, others: analysis, rawTables: sources.get(asset.name) })(column)
  const cast = place.within?.('CAST')
  // That a text is a time only the user knows; anything is a text.
  if (cast === undefined || (type !== 'VARCHAR' && !place.isColumn)) return []
  const newText = cast.replace(/\)( AS \S+|)$/, ` AS ${type})$1`)
  return remedy(`Cast "${column}" to ${type}`, problem.path, { range: place.range, newText })
}

// ---------------------------------------------------------------- other files

function defineVariable({ knowledge, text, diagnostic: { range, severity } }: Problem): readonly Remedy[] {
  const name = text.slice(range.start, range.end)
  const { file } = knowledge.project.settings
  if (!/^[\w-]+$/.test(name)) return []
  const title = severity === 'error' ? `Define "${name}" in svc.yaml` : `Give "${name}" a value everywhere`
  if (file === undefined)
    return [{ title, edits: [], creates: [{ path: settingsPath, text: `vars:\n  ${name}: null\n` }] }]
  const edit =
    addEntry(file, ['vars'], name, 'null') ??
    addBlock(
      file,
      ['vars:', `  ${name}: null`],
      ['name', 'warehouse', 'default_schema', 'models', 'environments'],
    )
  return remedy(title, settingsPath, edit)
}
