/**
 * Offers values and keys that the project knows: columns, assets, tags, owners, environment variables, terms,
 * types.
 */
import type { Column } from '../../../analysis.ts'
import { folderPatterns } from '../../../checks/defaults-unmatched.ts'
import { isPointInTime } from '../../../engines/sql-type.ts'
import type { OwnTest, Parameter } from '../../../own-tests/own-test.ts'
import type { Asset } from '../../../project/project.ts'
import type { Key, RecordShape } from '../../../schema/shape.ts'
import { promisedTables, splitPromisePath } from '../../../source/table-contract.ts'
import { forEachOf, sourceKindOf } from '../../../sources/index.ts'
import type { NodePath } from '../../../syntax/node.ts'
import { testKindNamed } from '../../../tests/index.ts'
import { cteNames, outputColumns, sourceColumns } from '../../known-columns.ts'
import { asMarkdown } from '../../markdown.ts'
import { projectWords } from '../../project-words.ts'
import { outlineAt, scalarText } from '../../yaml/outline-spot.ts'
import { sortKey } from '../completion.ts'
import { typeItems } from '../sql/sql-types.ts'
import { valueItem, type YamlAsk, type YamlItem } from './yaml-offer.ts'

// ---------------------------------------------------------------- values

/** Offers values for `key`; `path` leads to its value (or to an item of it). */
export function namedValues(ask: YamlAsk, path: NodePath, key: Key | undefined): readonly YamlItem[] {
  const steps = path.filter(step => typeof step === 'string')
  const name = steps.at(-1) ?? ''
  const [top] = steps
  if (ask.asset === undefined) return fileWideValues(ask, steps)
  if (mayBeVariable(key)) return environmentItems(ask)
  if (name === 'tags') return wordItems(ask, projectWords(ask.knowledge.project).tags)
  if (name === 'owner') return wordItems(ask, projectWords(ask.knowledge.project).owners)
  if (name === 'name' && steps.length === 1) return nameItems(ask)
  if (top === 'tests') return testValues(ask, ask.asset, steps)
  if (top === 'freshness' && name === 'column') return timeColumns(ask, ask.asset)
  if (top === 'contract') return contractValues(ask, ask.asset, steps)
  if (top === 'columns') return columnDocValues(ask, steps)
  if (top === 'ingest' && steps[1] === 'for_each') return forEachValues(ask, ask.asset, name)
  if (top === 'ingest' && ['primary_key', 'include', 'exclude', 'changed_by'].includes(name))
    return columnItems(ask, sourceColumns(ask.knowledge, ask.asset))
  return []
}

function fileWideValues(ask: YamlAsk, steps: readonly string[]): readonly YamlItem[] {
  const { project, glossary } = ask.knowledge
  const name = steps.at(-1)
  if (name === 'warehouse') return environmentItems(ask)
  if (name === 'owner') return wordItems(ask, projectWords(project).owners)
  if (name === 'tags') return wordItems(ask, projectWords(project).tags)
  if (name === 'asset' || name === 'source_assets') return assetItems(ask)
  if (steps[0] === 'policies' && name === 'pii_columns') return personalItems(ask)
  if (steps[0] === 'policies' && name === 'applies_to') return [...folderItems(ask), ...assetItems(ask)]
  if (steps[0] === 'links' && name === 'term')
    return glossary.terms.map((term, index) => valueItem(ask, term.id, term.name, sortKey('a', index)))
  if (steps[0] === 'links' && name === 'column') return linkColumns(ask)
  return []
}

/** Offers columns that are marked as personal somewhere, and the columns of contracts. */
function personalItems(ask: YamlAsk): readonly YamlItem[] {
  const names = new Map<string, string>()
  for (const { name, definition } of ask.knowledge.project.byName.values()) {
    const marked = [
      ...Object.entries(definition.columns),
      ...promisedTables(definition.contract).flatMap(({ columns }) => Object.entries(columns)),
    ]
    for (const [column, { pii }] of marked) {
      if (pii) names.set(column, names.has(column) ? 'several assets' : name)
    }
  }
  return Array.from(names, ([name, asset], index) =>
    valueItem(ask, name, `marked in ${asset}`, sortKey('a', index), 'column'),
  )
}

/** Offers `<folder>.*` for each folder below the models folder. */
function folderItems(ask: YamlAsk): readonly YamlItem[] {
  const { assets, settings } = ask.knowledge.project
  const folders = new Set<string>()
  for (const path of assets.keys()) {
    const [folder, ...rest] = path.slice(settings.models.length).split('/')
    if (folder !== undefined && rest.length > 0) folders.add(folder)
  }
  return Array.from(folders, (folder, index) =>
    valueItem(ask, `${folder}.*`, `assets in ${settings.models}${folder}`, sortKey('a', index)),
  )
}

/** Offers the columns of the asset that the link names. */
function linkColumns(ask: YamlAsk): readonly YamlItem[] {
  const { spot, knowledge } = ask
  const named = scalarText(spot.probed, outlineAt(spot.root, [...spot.path.slice(0, 2), 'asset']))
  const asset = named === undefined ? undefined : knowledge.project.byName.get(named)
  return asset === undefined ? [] : columnItems(ask, outputColumns(knowledge, asset))
}

/** Returns whether the text may be `env:NAME`. */
function mayBeVariable(key: Key | undefined): boolean {
  return key !== undefined && key.shape.kind === 'text' && /env:NAME/.test(key.doc)
}

function environmentItems(ask: YamlAsk): readonly YamlItem[] {
  const { environmentVariables } = ask.knowledge
  const own = ask.asset === undefined ? [] : [`SOURCE__${ask.asset.name.toUpperCase()}__CREDENTIALS`]
  const secrets = environmentVariables.filter(name =>
    /TOKEN|KEY|SECRET|PASS|CREDENTIAL|URL|SOURCE__/i.test(name),
  )
  const names = new Set([
    ...own.filter(name => environmentVariables.includes(name)),
    ...secrets,
    ...environmentVariables,
  ])
  const detail = 'an environment variable that is set'
  return Array.from(names, (name, index) =>
    valueItem(ask, `env:${name}`, detail, sortKey('c', index), 'environment'),
  )
}

function wordItems(ask: YamlAsk, words: readonly (readonly [string, number])[]): readonly YamlItem[] {
  return words.map(([word, count], index) =>
    valueItem(ask, word, `${count} asset${count === 1 ? '' : 's'}`, sortKey('a', index)),
  )
}

/** Offers the name that the file name suggests. */
function nameItems(ask: YamlAsk): readonly YamlItem[] {
  const stem = ask.path.slice(ask.path.lastIndexOf('/') + 1).replace(/\.svc$/, '')
  const name = stem.replace(/\W+/g, '_')
  return name === '' ? [] : [valueItem(ask, name, 'as the file is called', sortKey('a'))]
}

/** Offers the assets whose rows may be gone through, and the columns of the one that is. */
function forEachValues(
  ask: YamlAsk,
  { name: own, definition: { ingest } }: Asset,
  key: string,
): readonly YamlItem[] {
  if (key === 'for_each' || key === 'asset') return assetItems(ask).filter(({ insert }) => insert !== own)
  const parent = forEachOf(ingest)?.asset
  const asset = parent === undefined ? undefined : ask.knowledge.project.byName.get(parent)
  if (asset === undefined || (key !== 'columns' && key !== 'carry')) return []
  return outputColumns(ask.knowledge, asset).map(({ name, type }, index) =>
    valueItem(ask, name, type ?? '', sortKey('a', index), 'column'),
  )
}

function assetItems(ask: YamlAsk): readonly YamlItem[] {
  return Array.from(ask.knowledge.project.byName.keys(), (name, index) => ({
    ...valueItem(ask, name, '', sortKey('a', index), 'asset'),
    about: { kind: 'asset', name },
    insert: name,
  }))
}

// ---------------------------------------------------------------- columns

function columnItems(ask: YamlAsk, columns: readonly Column[], group = 'a'): readonly YamlItem[] {
  return columns.map(({ name, type }, index) => ({
    ...valueItem(ask, name, type ?? '', sortKey(group, index), 'column'),
    ...(ask.asset !== undefined && { about: { kind: 'column', asset: ask.asset.name, column: name } }),
  }))
}

/** Offers dates and timestamps first; columns of unknown type may be meant too. */
function timeColumns(ask: YamlAsk, asset: Asset): readonly YamlItem[] {
  const columns = outputColumns(ask.knowledge, asset)
  const { types } = ask.knowledge.project.engine
  const times = columns.filter(
    ({ type }) => type !== undefined && isPointInTime(types.family(types.parse(type))),
  )
  const open = columns.filter(({ type }) => type === undefined)
  return [...columnItems(ask, times, 'a'), ...columnItems(ask, open, 'b')]
}

function testValues(ask: YamlAsk, asset: Asset, steps: readonly string[]): readonly YamlItem[] {
  const [, kind = '', inner] = steps
  const own = ask.knowledge.project.settings.ownTests.byName.get(kind)
  if (own !== undefined) return parameterValues(ask, asset, own, inner)
  switch (testKindNamed(kind)?.names?.(inner)) {
    case 'column':
      return columnItems(ask, outputColumns(ask.knowledge, asset))
    case 'point in time':
      return timeColumns(ask, asset)
    case 'column of an asset':
      return relationItems(ask, inner ?? '')
    case 'CTE':
      return cteNames(ask.knowledge, asset).map((name, index) =>
        valueItem(ask, name, 'CTE', sortKey('a', index)),
      )
    default:
      return []
  }
}

/** Offers values for a parameter of a test of one's own; without its name, for the one that must be given. */
function parameterValues(ask: YamlAsk, asset: Asset, own: OwnTest, name: string | undefined) {
  const isMeant = (parameter: Parameter) =>
    name === undefined ? parameter.fallback === undefined : parameter.name === name
  const type = own.parameters.find(isMeant)?.type
  if (type?.isColumn === true) return columnItems(ask, outputColumns(ask.knowledge, asset))
  return type?.isAsset === true ? assetItems(ask) : []
}

/** Offers `asset.column`; the columns of an asset once its name and a dot are typed. */
function relationItems(ask: YamlAsk, column: string): readonly YamlItem[] {
  const { spot, knowledge } = ask
  const typed = spot.text.slice(spot.word.start, spot.word.end)
  const [named = '', ...behind] = typed.split('.')
  const asset = behind.length === 0 ? undefined : knowledge.project.byName.get(named)
  if (asset !== undefined) {
    return outputColumns(knowledge, asset).map(({ name, type }, index) =>
      valueItem(ask, `${asset.name}.${name}`, type ?? '', sortKey('a', index), 'column'),
    )
  }
  const likely = likelyTargets(ask, column)
  const others = Array.from(knowledge.project.byName.keys(), (name, index): YamlItem => {
    return {
      ...valueItem(ask, `${name}.`, '', sortKey('c', index), 'asset'),
      about: { kind: 'asset', name },
      next: 'completion',
    }
  })
  return [...likely, ...others.filter(item => item.insert !== `${ask.asset?.name}.`)]
}

/**
 * Offers likely targets: for `customer_id` the column `customers.id`, and columns of the same name in the
 * asset's inputs.
 */
function likelyTargets(ask: YamlAsk, column: string): readonly YamlItem[] {
  const { project } = ask.knowledge
  const stem = column.toLowerCase().replace(/_(id|code|key|no)$/, '')
  const names = [stem, `${stem}s`, stem.replace(/y$/, 'ies')].filter(name => name !== ask.asset?.name)
  const parents = ask.asset === undefined ? [] : project.parents(ask.asset.name)
  const targets = [...new Set([...names, ...parents])].flatMap(name => {
    const asset = project.byName.get(name)
    const columns = asset === undefined ? [] : outputColumns(ask.knowledge, asset)
    const wanted = names.includes(name) ? ['id', 'code', 'key', column.toLowerCase()] : [column.toLowerCase()]
    return columns
      .filter(each => wanted.includes(each.name.toLowerCase()))
      .map(each => `${name}.${each.name}`)
  })
  return targets.map((value, index) => valueItem(ask, value, 'likely', sortKey('a', index), 'column'))
}

function contractValues(ask: YamlAsk, asset: Asset, steps: readonly string[]): readonly YamlItem[] {
  const { child, rest } = splitPromisePath(steps)
  const columns = sourceColumns(ask.knowledge, asset, child)
  if (rest[0] === 'required_columns') return columnItems(ask, columns)
  const isType = rest[0] === 'columns' && (rest.length === 2 || rest[2] === 'type')
  if (!isType) return []
  return typeValues(ask, columns.find(each => each.name === rest[1])?.type)
}

function columnDocValues(ask: YamlAsk, steps: readonly string[]): readonly YamlItem[] {
  const name = steps[2]
  if (name === 'term') {
    return ask.knowledge.glossary.terms.map((term, index): YamlItem => {
      const documentation = asMarkdown(term.description)
      return { ...valueItem(ask, term.id, term.name, sortKey('a', index), 'term'), documentation }
    })
  }
  const column = outputColumns(ask.knowledge, ask.asset as Asset).find(each => each.name === steps[1])
  return name === 'type' ? typeValues(ask, column?.type) : []
}

/** Offers the column's present type first. */
function typeValues(ask: YamlAsk, known: string | undefined): readonly YamlItem[] {
  const first = known === undefined ? [] : [valueItem(ask, known, 'as it is', sortKey('a'), 'type')]
  const others = typeItems(ask.knowledge.project.engine).filter(item => item.label !== known)
  return [
    ...first,
    ...others.map(item => ({
      ...item,
      insert: item.isSnippet === true ? item.insert : item.insert.toLowerCase(),
      sort: `b${item.sort}`,
    })),
  ]
}

// ---------------------------------------------------------------- keys of mappings whose keys are names

interface RecordName {
  readonly name: string
  readonly detail: string
  /** A value that is known already. */
  readonly value?: string
}

export function recordNames(ask: YamlAsk, path: NodePath, shape: RecordShape): readonly RecordName[] {
  const { asset, knowledge } = ask
  const [top] = path
  if (asset === undefined) return settingsNames(ask, shape.keyName)
  if (shape.keyName === 'child table') {
    const tables = knowledge.sources.get(asset.name) ?? []
    return tables.flatMap(({ child }) =>
      child === undefined ? [] : [{ name: child, detail: 'child table' }],
    )
  }
  if (shape.keyName === 'column' && (top === 'contract' || top === 'ingest')) {
    const child = top === 'contract' ? splitPromisePath(path).child : undefined
    return sourceColumns(knowledge, asset, child).map(({ name, type }) => ({
      name,
      detail: type ?? '',
      ...(type !== undefined && top === 'contract' && { value: type.toLowerCase() }),
    }))
  }
  if (shape.keyName === 'column') {
    return outputColumns(knowledge, asset).map(({ name, type }) => ({ name, detail: type ?? '' }))
  }
  if (shape.keyName === 'input') return inputNames(ask, asset)
  if (shape.keyName === 'variable') return settingsNames(ask, 'variable')
  if (shape.keyName === 'option') return optionNames(asset)
  if (shape.keyName === 'status') return statuses
  if (shape.keyName === 'header')
    return ['Accept', 'User-Agent', 'X-Api-Version'].map(name => ({ name, detail: '' }))
  return []
}

const statuses: readonly RecordName[] = [
  { name: '404', detail: 'not found' },
  { name: '409', detail: 'conflict' },
  { name: '422', detail: 'cannot be processed' },
  { name: '429', detail: 'too many requests' },
  { name: '500', detail: 'server error' },
  { name: '503', detail: 'not available' },
]

function settingsNames({ knowledge }: YamlAsk, keyName: string): readonly RecordName[] {
  const { settings, assets } = knowledge.project
  if (keyName === 'pattern')
    return folderPatterns(assets.keys()).map(name => ({ name, detail: 'assets in this folder' }))
  if (keyName === 'environment') return ['dev', 'prod'].map(name => ({ name, detail: 'environment' }))
  if (keyName !== 'variable') return []
  return Object.entries(settings.vars).map(([name, value]) => ({ name, detail: String(value) }))
}

/** Returns the inputs for which a unit test may give rows. */
function inputNames({ knowledge }: YamlAsk, asset: Asset): readonly RecordName[] {
  const source = asset.definition.ingest.type === 'none' ? [] : [{ name: 'source', detail: 'the source' }]
  return [...source, ...knowledge.project.parents(asset.name).map(name => ({ name, detail: 'asset' }))]
}

function optionNames(asset: Asset): readonly RecordName[] {
  const { ingest } = asset.definition
  const options = ingest.type === 'none' ? [] : (sourceKindOf(ingest).options?.(ingest) ?? [])
  return options.map(({ name, must }) => ({ name, detail: must }))
}
