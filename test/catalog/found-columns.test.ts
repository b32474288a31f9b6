/** Columns that a run found: what is looked at again when others are found, and what a catalogue to come believes. */
import {
  type CatalogMemory,
  type FoundByAsset,
  groundOfFound,
  openCatalog,
  type ShadowCatalog,
} from '@svc/server/catalog'
import {
  type Column,
  createProject,
  type Project,
  type ProjectAnalysis,
  parseSettings,
  type SourceShapes,
} from '@svc/server/language'
import { afterEach, expect, test } from 'vitest'
import { engine } from '../support/engine.ts'
import { assetText, sha256, withRefs } from '../support/sql-lab.ts'

const open: ShadowCatalog[] = []
afterEach(() => {
  for (const catalog of open.splice(0)) catalog.close()
})

const noSources: SourceShapes = new Map()
const sqls = {
  orders: "select 'Ana' as customer, 'paid' as status, 1 as amount",
  by_status: 'pivot @orders on status using sum(amount)',
  reader: 'select paid, missing from @by_status',
  everything: 'select * from @by_status',
  behind: 'select customer from @everything',
  apart: 'select status from @orders',
}
const project = projectOf(sqls)

function projectOf(texts: Readonly<Record<string, string>>): Project {
  const files = Object.entries(texts).map(([name, sql]) => ({
    path: `models/${name}.svc`,
    text: assetText(name, withRefs(sql)),
  }))
  return createProject({ settings: parseSettings(undefined), files, hash: sha256 })
}

interface Begun {
  readonly catalog: ShadowCatalog
  /** Analyses once more, with these columns found of `by_status`. */
  look(columns?: readonly Column[], of?: Project): Promise<ProjectAnalysis>
}

async function begin(memory?: CatalogMemory): Promise<Begun> {
  let found: FoundByAsset = new Map()
  const catalog = await openCatalog(engine, { memory, found: () => found })
  open.push(catalog)
  return {
    catalog,
    look(columns, of = project) {
      found = columns === undefined ? new Map() : foundOf(columns)
      return catalog.analyze(of, noSources)
    },
  }
}

/** As a run writes it down that built the project. */
function foundOf(columns: readonly Column[]): FoundByAsset {
  const asset = project.byName.get('by_status')
  if (asset === undefined) throw new Error('there is no such asset')
  const ground = groundOfFound(asset, {
    settings: project.settings,
    columnsOf: () => [
      { name: 'customer', type: 'VARCHAR' },
      { name: 'status', type: 'VARCHAR' },
      { name: 'amount', type: 'INTEGER' },
    ],
    rawTables: () => undefined,
  })
  return new Map([['by_status', { ground, columns }]])
}

const column = (name: string, type: string): Column => ({ name, type })
const found = [column('customer', 'VARCHAR'), column('open', 'HUGEINT'), column('paid', 'HUGEINT')]

function types(analysis: ProjectAnalysis, name: string): string {
  return (analysis.of(name)?.columns ?? []).map(each => `${each.name} ${each.type ?? '?'}`).join(', ')
}

test('found columns have the types and places of the table, and the origins of all that makes them', async () => {
  const { look } = await begin()
  const before = await look()
  expect([types(before, 'by_status'), types(before, 'reader')]).toEqual([
    'customer VARCHAR',
    'paid ?, missing ?',
  ])
  const after = await look(found)
  expect(types(after, 'by_status')).toBe('customer VARCHAR, open HUGEINT, paid HUGEINT')
  expect(types(after, 'reader')).toBe('paid HUGEINT, missing ?')
  expect(types(after, 'everything')).toBe('customer VARCHAR, open HUGEINT, paid HUGEINT')
  expect(['by_status', 'everything'].map(name => after.of(name)?.complete)).toEqual([false, false])
  const origins = [
    { asset: 'orders', column: 'amount' },
    { asset: 'orders', column: 'status' },
  ]
  expect(after.of('by_status')?.lineage.slice(1)).toEqual([
    { column: 'open', from: origins, kind: 'derived' },
    { column: 'paid', from: origins, kind: 'derived' },
  ])
  expect(after.of('everything')?.lineage.slice(1)).toEqual([
    { column: 'open', from: [{ asset: 'by_status', column: 'open' }], kind: 'direct' },
    { column: 'paid', from: [{ asset: 'by_status', column: 'paid' }], kind: 'direct' },
  ])
  expect([...project.byName.keys()].flatMap(name => after.of(name)?.diagnostics ?? [])).toEqual([])
})

test('nothing is looked at again but the asset whose columns were found, and who reads them', async () => {
  const { catalog, look } = await begin()
  await look()
  const done = catalog.work().done
  await look(found)
  // All but `orders` and `apart`.
  expect(catalog.work().done - done).toBe(4)
  await look([...found])
  expect(catalog.work().done - done).toBe(4)
  await look([...found, column('lost', 'HUGEINT')])
  expect(catalog.work().done - done).toBe(8)
})

test('what the SQL tells of itself is said in its own words', async () => {
  const { look } = await begin()
  expect(types(await look([column('customer', 'BLOB'), column('CUSTOMER', 'BLOB')]), 'by_status')).toBe(
    'customer VARCHAR',
  )
  expect(types(await look([column('Customer', 'BLOB'), column('paid', 'HUGEINT')]), 'by_status')).toBe(
    'customer VARCHAR, paid HUGEINT',
  )
})

test('as many found columns as the SQL tells of are no duplicates of those', async () => {
  const { look } = await begin()
  const analysis = await look([column('lost', 'HUGEINT')])
  expect([types(analysis, 'by_status'), analysis.of('by_status')?.diagnostics]).toEqual(['lost HUGEINT', []])
})

test('other columns upstream, or another text, are not those in which anything was found', async () => {
  const { look } = await begin()
  await look(found)
  const others = [
    { ...sqls, orders: "select 'Ana' as customer, 'paid' as status, 1.5 as amount" },
    { ...sqls, by_status: sqls.by_status.replace('sum', 'max') },
  ]
  for (const texts of others) {
    expect(types(await look(found, projectOf(texts)), 'by_status')).toBe('customer VARCHAR')
    expect(types(await look(found), 'by_status')).toBe('customer VARCHAR, open HUGEINT, paid HUGEINT')
  }
  const same = { ...sqls, orders: "select 'Bo' as customer, 'open' as status, 2 as amount" }
  expect(types(await look(found, projectOf(same)), 'reader')).toBe('paid HUGEINT, missing ?')
})

test('a catalogue to come believes what was kept only while the same is found', async () => {
  const first = await begin()
  await first.look(found)
  const memory = first.catalog.remember(() => true)
  const again = await begin(memory)
  expect(types(await again.look(found), 'everything')).toBe('customer VARCHAR, open HUGEINT, paid HUGEINT')
  expect(again.catalog.work().done).toBe(0)
  const other = await begin(memory)
  const lost = [...found, column('lost', 'HUGEINT')]
  expect(types(await other.look(lost), 'everything')).toContain('lost HUGEINT')
  expect(other.catalog.isRemembered('apart')).toBe(true)
  expect(other.catalog.isRemembered('everything')).toBe(false)
  const none = await begin(memory)
  expect(types(await none.look(), 'everything')).toBe('customer VARCHAR')
})
