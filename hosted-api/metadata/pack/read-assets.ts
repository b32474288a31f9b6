/** Reads the assets of a pack with their columns and tests, from all members that describe them. */
import type { ContextPack, NodeKind } from '../../../server/contract/pack.ts'
import { grouped } from '../../storage/grouped.ts'
import type { LeftOut, PackAsset, PackColumn, PackTest } from './pack.ts'
import { type AssetBody, type ColumnBody, detailMembers } from './pack-schema.ts'
import type { ReadContext } from './read-pack.ts'

export function readAssets(
  body: ContextPack,
  context: ReadContext,
): { readonly assets: readonly PackAsset[]; readonly leftOut: ReadonlyMap<PackAsset, LeftOut> } {
  const leftOut = new Map<PackAsset, LeftOut>()
  const seen = new Map<string, number>()
  const names = new Map<string, number>()
  const tests = grouped(body.tests ?? [], test => test.asset)
  const assets = body.assets.flatMap((asset, index) => {
    const place = `${context.root}/assets/${index}`
    const identifier = asset.id ?? asset.name
    if (identifier === undefined) {
      context.problem(`${place}/id`, 'required', 'An asset needs an "id".')
      return []
    }
    const name = asset.name ?? identifier
    refuseTwice(seen, identifier, index, `${place}/id`, 'identifier', context)
    refuseTwice(names, name, index, `${place}/name`, 'name', context)
    const known = columnsOf(asset, body, name, identifier)
    if (known.columns !== null) refuseColumnTwice(known.columns, place, context)
    const listed = testsOf(asset, tests.get(name) ?? tests.get(identifier))
    const read = packAsset(asset, identifier, name, known, listed)
    leftOut.set(read, leftOutOf(asset, body, known))
    return [read]
  })
  return { assets, leftOut }
}

/** A block says its part, and so does a member; the list of tests says which assets have none. */
function leftOutOf(asset: AssetBody, body: ContextPack, { columns }: KnownColumns): LeftOut {
  const leftOut = new Set<Parameters<LeftOut['has']>[0]>()
  if (columns === null) leftOut.add('columns')
  if (asset.path === undefined) leftOut.add('path')
  if (asset.blocks !== undefined) return leftOut
  leftOut.add('blocks')
  for (const key of ['kind', 'description', 'owner', 'tags'] as const) {
    if (asset[key] === undefined) leftOut.add(key)
  }
  const isListed = body.tests !== undefined || asset.tests?.some(test => test.status === undefined) === true
  if (!isListed) leftOut.add('tests')
  return leftOut
}

function packAsset(
  asset: AssetBody,
  identifier: string,
  name: string,
  { columns, isComplete }: KnownColumns,
  tests: readonly PackTest[],
): PackAsset {
  const blocks = asset.blocks ?? blocksOfCatalog(asset)
  return {
    identifier,
    name,
    path: asset.path ?? '',
    kind: asset.kind ?? kindOf(blocks),
    description: asset.description ?? textOf(blocks['description']),
    owner: asset.owner ?? textOf(blocks['owner']),
    tags: asset.tags ?? textsOf(blocks['tags']),
    definitionHash: asset.definition_hash ?? null,
    blocks,
    columns,
    tests,
    details: {
      ...Object.fromEntries(
        detailMembers.flatMap(member => (asset[member] === undefined ? [] : [[member, asset[member]]])),
      ),
      ...(!isComplete && { columns_complete: false }),
    },
  }
}

/** A catalogue contains the SQL, empty where there is none, and no blocks. */
function blocksOfCatalog({ raw_sql, compiled_sql }: AssetBody): Readonly<Record<string, unknown>> {
  return {
    ...(raw_sql && { transform: raw_sql }),
    ...(compiled_sql && { compiled: compiled_sql }),
  }
}

/** An asset that ingests data from outside is a source, as in the catalogue (decisions 4). */
function kindOf(blocks: Readonly<Record<string, unknown>>): NodeKind {
  const { ingest } = blocks
  const type = typeof ingest === 'object' && ingest !== null && 'type' in ingest ? ingest.type : ingest
  return type === undefined || type === null || type === 'none' ? 'model' : 'source'
}

interface KnownColumns {
  /** Null if the pack says nothing of them. */
  readonly columns: readonly PackColumn[] | null
  /** False if there may be others. */
  readonly isComplete: boolean
}

function columnsOf(asset: AssetBody, body: ContextPack, name: string, identifier: string): KnownColumns {
  const { columns, columns_complete: complete, schema } = asset
  const sayings = [schema, { columns, complete }, own(body.schemas, name), own(body.schemas, identifier)]
  const said = sayings.find(each => each?.columns !== undefined)
  return { columns: said?.columns?.map(packColumn) ?? null, isComplete: said?.complete !== false }
}

function own<T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined
}

function packColumn({ name, type, nullable, description, pii, masked }: ColumnBody): PackColumn {
  return {
    name,
    type: type ?? null,
    ...(nullable !== undefined && { nullable }),
    ...(description !== undefined && { description }),
    ...(pii !== undefined && { pii }),
    ...(masked === true && { masked }),
  }
}

/** Returns the tests that the asset itself lists, if the pack's list of tests has none for it. */
function testsOf(
  { tests = [], blocks }: AssetBody,
  listed: readonly TestBody[] | undefined,
): readonly PackTest[] {
  if (listed !== undefined) return listed.map(packTest)
  const definitions = tests.filter(test => test.status === undefined).map(packTest)
  return definitions.length > 0 ? definitions : testsOfBlocks(blocks?.['tests'])
}

/** Reads `tests` as in a `.svc` file: the kind is a key (`- unique: id`), options are beside it. */
function testsOfBlocks(blocks: unknown): readonly PackTest[] {
  if (!Array.isArray(blocks)) return []
  return blocks.flatMap((entry: unknown): readonly PackTest[] => {
    if (typeof entry !== 'object' || entry === null) return []
    const test = entry as Readonly<Record<string, unknown>>
    const type = Object.keys(test).find(key => !testOptions.has(key))
    if (type === undefined) return []
    const severity = test['severity'] === 'warn' ? 'warn' : 'error'
    return columnsOfTest(test[type]).map(column => ({
      name: textOf(test['name']) ?? (column === null ? type : `${type}_${column}`),
      type,
      column,
      severity,
      definition: test,
    }))
  })
}

const testOptions = new Set(['name', 'severity', 'where', 'warn_if', 'error_if', 'tags', 'description'])

/** A list of columns means one test for each of them (decisions 3). */
function columnsOfTest(value: unknown): readonly (string | null)[] {
  if (typeof value === 'string') return [value]
  const isList = Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string')
  return isList ? (value as readonly string[]) : [null]
}

type TestBody = NonNullable<AssetBody['tests']>[number]

function packTest({ name, kind, type, column, severity, definition }: TestBody): PackTest {
  return {
    name,
    type: type ?? kind ?? 'unknown',
    column: column ?? null,
    severity: severity ?? 'error',
    definition: definition ?? {},
  }
}

function refuseTwice(
  seen: Map<string, number>,
  value: string,
  index: number,
  pointer: string,
  what: string,
  context: ReadContext,
): void {
  const first = seen.get(value)
  if (first === undefined) seen.set(value, index)
  else {
    context.problem(pointer, 'not_unique', `Assets ${first} and ${index} have the ${what} "${value}".`)
  }
}

function refuseColumnTwice(columns: readonly PackColumn[], place: string, context: ReadContext): void {
  const seen = new Set<string>()
  for (const { name } of columns) {
    if (seen.has(name.toLowerCase())) {
      context.problem(`${place}/schema`, 'not_unique', `The column "${name}" is there twice.`)
    }
    seen.add(name.toLowerCase())
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}
