import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { openCatalog, readSourceShapes } from '@svc/server/catalog'
import {
  type Catalog,
  type ColumnUse,
  checkAsset,
  createProject,
  type Diagnostic,
  type Project,
  type ProjectAnalysis,
  parseSettings,
  type RawColumn,
  type SourceShapes,
} from '@svc/server/language'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Binder, openBinder } from '../../server/catalog/binder.ts'
import { readMacros } from '../../server/workspace/read-macros.ts'
import { engine } from '../support/engine.ts'
import { sample, times } from '../support/long.ts'
import { type Mutation, misspelt, mutated, type Site, seeded, sitesOf } from '../support/mutations.ts'
import { sha256 } from '../support/sql-lab.ts'

const root = join(import.meta.dirname, '../../examples/flights')
const seed = Number(process.env['SEED'] ?? 20260101)

let catalog: Catalog
let binder: Binder
let project: Project
let sources: SourceShapes
const sites = new Map<string, readonly Site[]>()
const taken = new Set<string>()

beforeAll(async () => {
  binder = await openBinder(engine)
  catalog = await openCatalog(engine)
  const { macros } = readMacros(root, engine)
  const parts = { settings: parseSettings(read('svc.yaml')), hash: sha256, macros }
  project = createProject({ ...parts, files: files('models') })
  sources = (await readSourceShapes(project, { root, lockText: read('schemas.lock.json') })).shapes
  for (const name of (await binder.functionNames()).all) taken.add(name.toLowerCase())
  for (const asset of project.byName.values()) {
    const found = await sitesOf(asset, binder)
    sites.set(asset.name, found)
    taken.add(asset.name)
    for (const { name } of found) taken.add(name.toLowerCase())
  }
  sources = withAskedColumns(await catalog.analyze(project, sources))
  const analysis = await catalog.analyze(project, sources)
  for (const asset of project.byName.values()) {
    for (const column of analysis.of(asset.name)?.columns ?? []) taken.add(column.name.toLowerCase())
    expect(sqlErrors(checkAsset(project, asset.path, analysis))).toEqual([])
  }
})
afterAll(() => {
  catalog.close()
  binder.close()
})

/** A source that only a run could tell: it has the columns that the unbroken SQL asks for. */
function withAskedColumns(analysis: ProjectAnalysis): SourceShapes {
  const shapes = new Map(sources)
  for (const { name, definition } of project.byName.values()) {
    if (definition.ingest.type === 'none' || sources.get(name)?.[0]?.complete) continue
    const uses = (analysis.of(name)?.uses ?? []).filter(use => use.origin.source !== undefined)
    const children = [...new Set(uses.map(use => use.origin.source ?? ''))]
    shapes.set(
      name,
      children.map(child => ({ child: child || undefined, complete: true, columns: columnsOf(uses, child) })),
    )
  }
  return shapes
}

const types: Readonly<Record<string, string>> = {
  _svc_parent_id: 'VARCHAR',
  geometry__coordinates: 'DOUBLE[]',
  id: 'VARCHAR',
  kind: 'VARCHAR',
  properties__mag: 'DOUBLE',
  properties__net: 'VARCHAR',
  properties__place: 'VARCHAR',
  properties__type: 'VARCHAR',
}

function columnsOf(uses: readonly ColumnUse[], child: string): RawColumn[] {
  const names = new Set(uses.filter(use => use.origin.source === child).map(use => use.origin.column))
  return [...names].map(name => ({
    name,
    type: types[name] ?? 'BIGINT',
    path: [],
    system: false,
    pii: false,
    nullable: true,
  }))
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

function files(folder: string): { path: string; text: string }[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.svc'))
    .map(entry => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .map(path => ({ path, text: read(path) }))
}

/** A unit test that fails because the SQL is broken is right to say so, but it is not what is tried out here. */
function sqlErrors(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(each => each.severity === 'error' && !each.code.startsWith('unit-test'))
}

interface Outcome {
  readonly found: boolean
  readonly named: boolean
  /** Errors at other places. */
  readonly extra: readonly Diagnostic[]
  readonly elsewhere: number
}

async function tryOut(path: string, name: string, mutations: readonly Mutation[]): Promise<Outcome[]> {
  const { text, places } = mutated(project.assets.get(path)?.text ?? '', mutations)
  const broken = project.with(path, text)
  const analysis = await catalog.analyze(broken, sources)
  const errors = sqlErrors(checkAsset(broken, path, analysis))
  const hits = places.map(place =>
    errors.find(each => each.range.start === place.start && each.range.end === place.end),
  )
  const extra = errors.filter(each => !hits.includes(each))
  let elsewhere = 0
  for (const other of broken.byName.values()) {
    if (other.name !== name) elsewhere += sqlErrors(analysis.of(other.name)?.diagnostics ?? []).length
  }
  return mutations.map(({ site }, index) => {
    const hit = hits[index]
    // Several functions can be one slip away (`rtim`: trim or rtrim): the right one must be among those offered.
    const offered = site.kind === 'function' ? hit?.suggestions : hit?.suggestions?.slice(0, 1)
    const named = offered?.some(each => each.toLowerCase() === site.name.toLowerCase()) ?? false
    return { found: hit !== undefined, named, extra, elsewhere }
  })
}

test('every name broken in turn is found at its place with the right name offered', async () => {
  const random = seeded(seed)
  const counts: Record<string, number> = {}
  const missed: string[] = []
  for (const asset of project.byName.values()) {
    for (const site of sample(sites.get(asset.name) ?? [], 7)) {
      const mutation = { site, wrong: misspelt(site.name, random, taken) }
      const [outcome] = await tryOut(asset.path, asset.name, [mutation])
      counts[site.kind] = (counts[site.kind] ?? 0) + 1
      const label = `${asset.name}: ${site.kind} ${site.name} -> ${mutation.wrong}`
      if (!outcome?.found) missed.push(`${label}: not found`)
      else if (!outcome.named) missed.push(`${label}: wrong name offered`)
      if (outcome && outcome.extra.length > 0)
        missed.push(`${label}: also ${outcome.extra.map(each => each.message).join('; ')}`)
      if (outcome && outcome.elsewhere > 0)
        missed.push(`${label}: ${outcome.elsewhere} errors in other files`)
    }
  }
  console.log(`seed ${seed}: ${JSON.stringify(counts)}, ${missed.length} missed`)
  expect(missed).toEqual([])
}, 300_000)

test('three names broken at once are all found', async () => {
  const random = seeded(seed + 1)
  const missed: string[] = []
  let tried = 0
  for (const asset of project.byName.values()) {
    const all = sites.get(asset.name) ?? []
    if (all.length < 3) continue
    for (let round = 0; round < times(1, 8); round++) {
      const chosen = [...all]
        .map(site => ({ site, key: random() }))
        .sort((a, b) => a.key - b.key)
        .slice(0, 3)
      const mutations = chosen.map(({ site }) => ({ site, wrong: misspelt(site.name, random, taken) }))
      const outcomes = await tryOut(asset.path, asset.name, mutations)
      for (const [index, outcome] of outcomes.entries()) {
        tried++
        const { site, wrong } = mutations[index] as Mutation
        const others = mutations.map(each => `${each.site.name}->${each.wrong}`).join(', ')
        if (!outcome.found)
          missed.push(`${asset.name}: ${site.kind} ${site.name} -> ${wrong} not found among ${others}`)
        else if (!outcome.named)
          missed.push(`${asset.name}: ${site.kind} ${site.name} -> ${wrong}: wrong name among ${others}`)
      }
    }
  }
  console.log(`seed ${seed + 1}: ${tried} of three at a time, ${missed.length} missed`)
  expect(missed).toEqual([])
}, 300_000)
