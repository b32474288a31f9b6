/**
 * Code actions that add facts about an asset and its columns: tests, descriptions, columns that the contract
 * requires.
 */

import { nodeAt } from '../../project/locate.ts'
import { pathAt } from '../../project/path-at.ts'
import type { Asset } from '../../project/project.ts'
import { addBlock, addEntry, addItem, isFlow, type YamlEdit, yamlScalar } from '../../project/yaml-edits.ts'
import { promisedOf } from '../../source/table-contract.ts'
import { testColumns, testsToAdd } from '../../tests/index.ts'
import { sameLetters } from '../../text/same-letters.ts'
import type { Knowledge } from '../knowledge.ts'
import { occurrenceAt } from '../names/occurrences.ts'
import { type CodeAction, plainAction } from './code-action.ts'

export function columnActions(knowledge: Knowledge, asset: Asset, offset: number): readonly CodeAction[] {
  if (asset.tree?.kind !== 'map' || isFlow(asset, asset.tree)) return []
  return [
    ...testActions(knowledge, asset, offset),
    ...describeAsset(asset, offset),
    ...describeColumns(knowledge, asset, offset),
    ...requireColumn(knowledge, asset, offset),
  ]
}

function action(title: string, asset: Asset, edit: YamlEdit | undefined): readonly CodeAction[] {
  return edit === undefined ? [] : [plainAction(title, 'refactor.rewrite', [{ path: asset.path, ...edit }])]
}

/** The blocks in their usual order. */
const blocks = ['name', 'description', 'owner', 'tags', 'ingest', 'contract', 'transform', 'columns', 'tests']

// ---------------------------------------------------------------- tests

/** Offers tests that the column under the cursor does not have yet. */
function testActions(knowledge: Knowledge, asset: Asset, offset: number): readonly CodeAction[] {
  const column = ownColumn(knowledge, asset, offset)
  if (column === undefined) return []
  const tested = (kind: string): boolean =>
    asset.definition.tests.some(
      test =>
        test.kind === kind &&
        testColumns(test).length === 1 &&
        sameLetters(testColumns(test)[0] ?? '', column),
    )
  return testsToAdd
    .map(({ key }) => key.name)
    .filter(kind => !tested(kind))
    .flatMap(kind => {
      const test = `${kind}: ${yamlScalar(column)}`
      const edit = addItem(asset, ['tests'], test) ?? addMissingBlock(asset, 'tests', [`  - ${test}`])
      return action(`Add the test ${test}`, asset, edit)
    })
}

/** Adds a block that is missing. A key without a value is left to the user. */
function addMissingBlock(asset: Asset, key: string, lines: readonly string[]): YamlEdit | undefined {
  const isThere = asset.tree?.kind === 'map' && asset.tree.entries.some(entry => entry.key.value === key)
  return isThere ? undefined : addBlock(asset, [`${key}:`, ...lines], blocks.slice(0, blocks.indexOf(key)))
}

/** Returns the output column under the cursor. */
function ownColumn(knowledge: Knowledge, asset: Asset, offset: number): string | undefined {
  const subject = occurrenceAt(knowledge, asset.path, offset)?.subject
  const columns = knowledge.analysis.of(asset.name)?.columns ?? []
  if (subject?.kind === 'column' && subject.asset === asset.name) return nameIn(columns, subject.column)
  // A column of another asset or of the source that is passed on under its name counts too.
  return subject?.kind === 'column' || subject?.kind === 'raw' ? nameIn(columns, subject.column) : undefined
}

function nameIn(columns: readonly { readonly name: string }[], wanted: string): string | undefined {
  return columns.find(column => sameLetters(column.name, wanted))?.name
}

// ---------------------------------------------------------------- descriptions

function describeAsset(asset: Asset, offset: number): readonly CodeAction[] {
  const [block] = pathAt(asset.tree, offset)
  if (asset.definition.description !== undefined || (block !== 'name' && offset > 0)) return []
  if (nodeAt(asset.tree, ['description']) !== undefined) return []
  const line = `description: One sentence about what a row of ${asset.name} is.`
  return action('Add a description', asset, addBlock(asset, [line], ['name']))
}

/**
 * Adds descriptions of columns: the upstream description of a column that is passed on, otherwise a
 * placeholder.
 */
function describeColumns(knowledge: Knowledge, asset: Asset, offset: number): readonly CodeAction[] {
  const [block] = pathAt(asset.tree, offset)
  if (block !== 'columns' && block !== 'transform') return []
  const analysis = knowledge.analysis.of(asset.name)
  const documented = new Set(Object.keys(asset.definition.columns).map(name => name.toLowerCase()))
  const missing = (analysis?.columns ?? []).filter(({ name }) => !documented.has(name.toLowerCase()))
  if (missing.length === 0 || missing.some(({ name }) => yamlScalar(name) !== name)) return []
  const node = nodeAt(asset.tree, ['columns'])
  if (node !== undefined && (node.kind !== 'map' || isFlow(asset, node))) return []
  const first = node?.kind === 'map' ? node.entries[0]?.key.range.start : undefined
  const indent = first === undefined ? '  ' : ' '.repeat(first - asset.text.lastIndexOf('\n', first - 1) - 1)
  const described = describer(knowledge, asset)
  const lines = missing.map(({ name }) => `${indent}${name}: {description: ${yamlScalar(described(name))}}`)
  const [line = '', ...more] = lines
  const inside =
    node === undefined
      ? undefined
      : addEntry(asset, ['columns'], line.trim().replace(/:.*$/s, ''), line.replace(/^[^:]*: /, ''))
  const edit =
    inside === undefined
      ? addMissingBlock(asset, 'columns', lines)
      : { ...inside, newText: inside.newText.replace(/\n$/, `\n${more.map(each => `${each}\n`).join('')}`) }
  const title =
    missing.length === 1 ? `Document the column ${missing[0]?.name}` : `Document ${missing.length} columns`
  return action(title, asset, edit)
}

/** Returns a function that describes a column like the one that it passes on. */
function describer(knowledge: Knowledge, asset: Asset): (column: string) => string {
  const lineage = knowledge.analysis.of(asset.name)?.lineage ?? []
  const byColumn = new Map(lineage.map(line => [line.column.toLowerCase(), line]))
  return column => {
    const line = byColumn.get(column.toLowerCase())
    const [origin] = line?.kind === 'direct' ? line.from : []
    const parent = origin && knowledge.project.byName.get(origin.asset)?.definition
    const columns =
      origin?.source === undefined ? parent?.columns : promisedOf(parent?.contract, origin.source).columns
    const documented = Object.entries(columns ?? {}).find(
      ([name]) => origin !== undefined && sameLetters(name, origin.column),
    )
    return documented?.[1].description ?? `What ${column} is`
  }
}

// ---------------------------------------------------------------- contract

/** Adds the source column under the cursor to the contract's required columns. */
function requireColumn(knowledge: Knowledge, asset: Asset, offset: number): readonly CodeAction[] {
  const subject = occurrenceAt(knowledge, asset.path, offset)?.subject
  if (subject?.kind !== 'raw' || subject.child !== '' || subject.asset !== asset.name) return []
  const { contract } = asset.definition
  if (contract?.requiredColumns.some(each => sameLetters(each, subject.column)) === true) return []
  const column = yamlScalar(subject.column)
  const edit =
    addItem(asset, ['contract', 'required_columns'], column) ??
    addEntry(asset, ['contract'], 'required_columns', `[${column}]`) ??
    addMissingBlock(asset, 'contract', [`  required_columns: [${column}]`])
  return action(`Require the column ${subject.column} in the contract`, asset, edit)
}
