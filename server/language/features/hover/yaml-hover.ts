/** Hover in YAML: keys, values, and the names of columns, assets, variables and terms. */
import type { Term } from '../../glossary/glossary.ts'
import { findTerm } from '../../glossary/terms.ts'
import { inheritedKeys, inheritedValue } from '../../project/folder-defaults.ts'
import { nodeAt } from '../../project/locate.ts'
import type { Asset } from '../../project/project.ts'
import type { TestDefinition } from '../../schema/definition.ts'
import { type Choice, isBuilt, type Key, type Shape } from '../../schema/shape.ts'
import { splitPromisePath } from '../../source/table-contract.ts'
import { changesToldOf } from '../../sources/index.ts'
import type { Node, NodePath, ScalarNode } from '../../syntax/node.ts'
import { testKindNamed, testKindOf } from '../../tests/index.ts'
import { isWithin } from '../../text/range.ts'
import { type FileText, fileText } from '../file-text.ts'
import type { Knowledge } from '../knowledge.ts'
import { outputColumns } from '../known-columns.ts'
import { asCode, asMarkdown, paragraphs, sqlBlock, withCode } from '../markdown.ts'
import { keyDocumentation } from '../schema-doc.ts'
import { shapeAt, shortOf, type TypeAt } from '../yaml/shape-at.ts'
import { assetCard, assetCardNamed, missingAssetCard } from './asset-card.ts'
import { columnCard } from './column-card.ts'
import { typeOfColumn } from './column-facts.ts'
import type { Hover } from './hover.ts'
import { lastResult } from './last-result.ts'
import { sourceCard, variableCard } from './source-card.ts'

export function yamlHover(knowledge: Knowledge, path: string, offset: number): Hover | undefined {
  const file = fileText(knowledge, path)
  const spot = file?.tree && spotIn(file.tree, offset, [])
  if (file === undefined || spot === undefined) return undefined
  const asset = knowledge.project.assets.get(path)
  const ask: Ask = { knowledge, file, asset, spot, offset, typeAt: at => typeIn(file.tree, at) }
  const markdown = spot.isKey ? keyMarkdown(ask) : valueMarkdown(ask)
  return markdown === undefined || markdown === '' ? undefined : { range: spot.node.range, markdown }
}

interface Ask {
  readonly knowledge: Knowledge
  readonly file: FileText
  readonly asset: Asset | undefined
  readonly spot: Spot
  readonly offset: number
  readonly typeAt: TypeAt
}

// ---------------------------------------------------------------- the place

interface Spot {
  /** For a key, the path to its value. */
  readonly path: NodePath
  readonly isKey: boolean
  readonly node: ScalarNode
}

function spotIn(node: Node, offset: number, path: NodePath): Spot | undefined {
  if (node.kind === 'scalar') return isWithin(node.range, offset) ? { path, isKey: false, node } : undefined
  if (node.kind === 'sequence')
    return firstOf(node.items, (item, index) => spotIn(item, offset, [...path, index]))
  return firstOf(node.entries, ({ key, value }) => {
    const inner = [...path, String(key.value)]
    if (isWithin(key.range, offset)) return { path: inner, isKey: true, node: key }
    return value && spotIn(value, offset, inner)
  })
}

function firstOf<T>(
  items: readonly T[],
  find: (item: T, index: number) => Spot | undefined,
): Spot | undefined {
  for (const [index, item] of items.entries()) {
    const spot = find(item, index)
    if (spot !== undefined) return spot
  }
  return undefined
}

function typeIn(tree: Node | undefined, path: NodePath): string | undefined {
  const node = nodeAt(tree, path)
  const type = node?.kind === 'map' ? nodeAt(node, ['type']) : node
  return type?.kind === 'scalar' ? String(type.value) : undefined
}

// ---------------------------------------------------------------- keys

function keyMarkdown(ask: Ask): string | undefined {
  const { file, spot, typeAt } = ask
  const described = shapeAt(file.shape, spot.path, typeAt)
  if (described?.key !== undefined) return documented(ask, described.key)
  return namedKey(ask)
}

function documented(ask: Ask, key: Key): string {
  const { spot } = ask
  const head = `**${asMarkdown(spot.path.filter(step => typeof step === 'string').join('.'))}**`
  const isTest = testKindNamed(key.name) !== undefined || isOwn(ask, key.name)
  const test = spot.path[0] === 'tests' && isTest ? testsAt(ask) : []
  return paragraphs([head, keyDocumentation(key), ...inheritedHere(ask), ...test, choicesText(key.shape)])
}

/** Tells what the key has from `svc.yaml` besides what is written here. */
function inheritedHere({ knowledge, asset, spot }: Ask): readonly string[] {
  if (asset?.inherited === undefined) return []
  return inheritedKeys(asset, knowledge.project.settings)
    .filter(({ path }) => spot.path.every((step, index) => step === path[index]))
    .map(({ path, node, pattern }) => {
      const value = asCode(`${path.join('.')}: ${inheritedValue(node)}`)
      return `${value} is inherited from ${asCode(pattern)} in ${asCode('svc.yaml')}`
    })
}

function choicesText(shape: Shape): string {
  const short = shortOf(shape)
  return valuesOf(short)
    .filter(isBuilt)
    .map(({ value, doc }) => `- ${asCode(value)}: ${withCode(doc)}`)
    .join('\n')
}

/** Returns the values that mean something by themselves. */
function valuesOf(shape: Shape): readonly Choice[] {
  if (shape.kind === 'text') return shape.words ?? []
  return shape.kind === 'choice' ? shape.choices : []
}

/** Shows the tests at this place as SQL. */
function testsAt({ knowledge, asset, spot }: Ask): readonly string[] {
  if (asset === undefined) return []
  const tests = asset.definition.tests.filter(test => test.index === spot.path[1])
  return tests.slice(0, 4).flatMap(test => {
    const sql = testKindOf(test).shownSql?.(test, asset.name) ?? ownSql(asset, test)
    const rows = sql === undefined ? [] : [`${asCode(test.name)} fails for the rows of\n\n${sqlBlock(sql)}`]
    return [...rows, ...lastResult(knowledge, asset, test)]
  })
}

function isOwn({ knowledge }: Ask, name: string): boolean {
  return knowledge.project.settings.ownTests.byName.has(name)
}

/** The query of a test of one's own with the values that the asset gives. */
function ownSql(asset: Asset, test: TestDefinition): string | undefined {
  const template = asset.testSql.get(test.index)
  return template?.elsewhere === undefined
    ? undefined
    : template.text.trim().replaceAll(/\{\{\s*this\s*\}\}/g, asset.name)
}

/** Describes a key that the user named: a column, a variable, an environment. */
function namedKey(ask: Ask): string | undefined {
  const { knowledge, asset, spot } = ask
  const name = String(spot.path.at(-1))
  if (asset === undefined) {
    return spot.path.includes('vars') ? variableCard(knowledge, name) : undefined
  }
  const [top] = spot.path
  if (top === 'contract') return promisedName(ask, asset, name)
  if (top === 'columns') return ownColumn(knowledge, asset, name)
  if (top !== 'tests') return undefined
  if (spot.path[2] === 'unit') return unitKey(ask, name)
  return spot.path.length === 4 ? ownColumn(knowledge, asset, name) : undefined
}

/** Describes an input of a unit test, or a column of its rows. */
function unitKey({ knowledge, asset, spot }: Ask, name: string): string | undefined {
  const [, , , part, input] = spot.path
  if (part === 'given' && spot.path.length === 5) {
    const inputAsset = knowledge.project.byName.get(name)
    return inputAsset && assetCard(knowledge, inputAsset)
  }
  const of = part === 'expect' ? asset : knowledge.project.byName.get(String(input))
  return of && ownColumn(knowledge, of, name)
}

function ownColumn(knowledge: Knowledge, asset: Asset, name: string): string {
  const columns = outputColumns(knowledge, asset)
  const known = columns.find(column => knowledge.project.engine.sameName(column.name, name))
  const complete = knowledge.analysis.of(asset.name)?.complete === true
  if (known === undefined && complete && columns.length > 0)
    return `${asCode(asset.name)} has no column ${asCode(name)}.`
  return columnCard(knowledge, {
    name,
    type: known?.type,
    origin: { asset: asset.name, column: name },
    role: '',
  })
}

/** Describes a child table that the contract names, or a column. */
function promisedName({ knowledge, spot }: Ask, asset: Asset, name: string): string {
  if (spot.path.length === 3 && spot.path[1] === 'tables') return sourceCard(knowledge, asset, name)
  return sourceColumn(knowledge, asset, name, splitPromisePath(spot.path).child)
}

function sourceColumn(knowledge: Knowledge, asset: Asset, column: string, child = ''): string {
  const origin = { asset: asset.name, column, source: child }
  return columnCard(knowledge, { name: column, type: typeOfColumn(knowledge, origin), origin, role: '' })
}

// ---------------------------------------------------------------- values

function valueMarkdown(ask: Ask): string | undefined {
  const { file, spot, typeAt, knowledge, asset } = ask
  const value = String(spot.node.value)
  const described = shapeAt(file.shape, spot.path, typeAt)
  if (value.startsWith('env:')) return variableOfEnvironment(knowledge, value.slice(4))
  const named = asset === undefined ? glossaryValue(ask, value) : assetValue(ask, asset, value)
  if (named !== undefined) return named
  return described === undefined ? undefined : choiceMarkdown(described.shape, value)
}

function variableOfEnvironment({ environmentVariables }: Knowledge, name: string): string {
  const state = environmentVariables.includes(name) ? 'is set' : 'is not set here'
  return `The environment variable ${asCode(name)} ${state}. Its value is never shown.`
}

function choiceMarkdown(shape: Shape, value: string): string | undefined {
  const short = shortOf(shape.kind === 'list' && shape.orOne === true ? shape.of : shape)
  const choice = valuesOf(short).find(each => each.value === value)
  return choice && `${asCode(choice.value)}: ${withCode(choice.doc)}`
}

function assetValue(ask: Ask, asset: Asset, value: string): string | undefined {
  const { knowledge, spot } = ask
  const steps = spot.path.filter(step => typeof step === 'string')
  const [top, second, third] = steps
  if (steps.length === 1 && top === 'name') return assetCard(knowledge, asset)
  if (top === 'freshness' && second === 'column') return ownColumn(knowledge, asset, value)
  if (top === 'contract') {
    const { child, rest } = splitPromisePath(steps)
    return rest[0] === 'required_columns' ? sourceColumn(knowledge, asset, value, child) : undefined
  }
  if (top === 'ingest' && namesSourceColumn(asset, second)) return sourceColumn(knowledge, asset, value)
  if (top === 'columns' && third === 'term') return termMarkdown(knowledge, value)
  if (top !== 'tests') return undefined
  switch (testKindNamed(second ?? '')?.names?.(third)) {
    case 'column':
    case 'point in time':
      return ownColumn(knowledge, asset, value)
    case 'column of an asset':
      return relationMarkdown(ask, value)
    default:
      return undefined
  }
}

/** Returns whether the value of a key of the source is the name of one of its columns. */
function namesSourceColumn({ definition: { ingest } }: Asset, key: string | undefined): boolean {
  return key === 'primary_key' || (key === 'changed_by' && changesToldOf(ingest)?.by === 'column')
}

/** Describes the asset before the dot, or the column after it. */
function relationMarkdown({ knowledge, spot, offset }: Ask, value: string): string {
  const [name = '', column = ''] = value.split('.')
  const asset = knowledge.project.byName.get(name)
  if (asset === undefined) return missingAssetCard(knowledge, name)
  const isInName = offset - spot.node.bodyRange.start <= name.length
  return isInName ? assetCard(knowledge, asset) : ownColumn(knowledge, asset, column)
}

function termMarkdown(knowledge: Knowledge, value: string): string {
  const term = findTerm(knowledge.glossary, value)
  if (term === undefined) return `There is no term ${asCode(value)} in ${asCode('glossary.yaml')}.`
  const synonyms =
    term.synonyms.length === 0 ? '' : `\n\nAlso called ${term.synonyms.map(asMarkdown).join(', ')}`
  const head = `Term **${asMarkdown(term.name)}** ${asCode(term.id)}\n\n${asMarkdown(term.description)}${synonyms}`
  return paragraphs([head, meantBy(knowledge, term)])
}

const mostColumns = 10

/** Lists the columns and assets that say that they mean a term. */
function meantBy({ project, glossary }: Knowledge, term: Term): string {
  const inAssets = [...project.assets.values()].flatMap(({ name, definition }) =>
    Object.entries(definition.columns).flatMap(([column, doc]) =>
      doc.term !== undefined && findTerm(glossary, doc.term) === term ? [`${name}.${column}`] : [],
    ),
  )
  const linked = glossary.links.flatMap(({ term: written, asset, column }) =>
    findTerm(glossary, written) === term ? [column === undefined ? asset : `${asset}.${column}`] : [],
  )
  const all = [...new Set([...inAssets, ...linked])].sort()
  const more = all.length > mostColumns ? ` and ${all.length - mostColumns} more` : ''
  return all.length === 0 ? '' : `Meant by ${all.slice(0, mostColumns).map(asCode).join(', ')}${more}`
}

function glossaryValue({ knowledge, spot }: Ask, value: string): string | undefined {
  const key = spot.path.findLast(step => typeof step === 'string')
  if (spot.path[0] === 'terms')
    return key === 'name' || key === 'id' || key === 'synonyms' ? termMarkdown(knowledge, value) : undefined
  if (spot.path[0] !== 'links' && key !== 'source_assets') return undefined
  if (key === 'term') return termMarkdown(knowledge, value)
  if (key !== 'asset' && key !== 'source_assets') return undefined
  return assetCardNamed(knowledge, value)
}
