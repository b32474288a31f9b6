/** A catalogue that begins with what another one knew says what one that knew nothing says. */
import { type CatalogMemory, openCatalog, type ShadowCatalog } from '@svc/server/catalog'
import {
  type Asset,
  type AssetFacts,
  createProject,
  factsOf,
  type Project,
  type ProjectAnalysis,
  parseAsset,
  parseSettings,
  type RawTable,
  type SourceShapes,
  storedAsset,
} from '@svc/server/language'
import { afterEach, describe, expect, it } from 'vitest'
import { engine, reading } from '../support/engine.ts'
import { seeds } from '../support/long.ts'
import { seeded } from '../support/mutations.ts'
import { pathOf, pick, type Random, randomAsset, size } from '../support/random-assets.ts'
import { sha256 as hash } from '../support/sql-lab.ts'

const open: ShadowCatalog[] = []
afterEach(() => {
  for (const catalog of open.splice(0)) catalog.close()
})

/** As in another process: nothing but texts comes through. */
async function catalogue(memory?: CatalogMemory): Promise<ShadowCatalog> {
  const entries = new Map(JSON.parse(JSON.stringify([...(memory?.entries ?? [])])))
  const catalog = await openCatalog(
    engine,
    memory === undefined ? {} : { memory: { ...memory, entries } as CatalogMemory },
  )
  open.push(catalog)
  return catalog
}

interface Files {
  readonly texts: Readonly<Record<string, string>>
  readonly vars: string
}

function projectOf({ texts, vars }: Files): Project {
  const files = Object.entries(texts).map(([path, text]) => revived(parseAsset(path, text, reading, hash)))
  return createProject({ settings: parseSettings(`name: p\nvars: {${vars}}\n`), files, hash })
}

function revived(asset: Asset): Asset {
  const facts = JSON.parse(JSON.stringify(factsOf(asset, engine))) as AssetFacts
  const { path, text, textHash } = asset
  return storedAsset({ path, textHash, facts: () => facts, read: () => text, parse: () => asset })
}

function known(project: Project, analysis: ProjectAnalysis): unknown {
  return [...project.byName.keys()].map(name => {
    const found = analysis.of(name)
    if (found === undefined) throw new Error(`nothing is known of ${name}`)
    const { columns, complete, lineage, uses, diagnostics, volatile } = found
    return { name, columns, complete, lineage, uses, diagnostics, volatile }
  })
}

async function fresh(project: Project, sources: SourceShapes): Promise<unknown> {
  return known(project, await (await catalogue()).analyze(project, sources))
}

// ---------------------------------------------------------------- random projects

function edited(files: Files, random: Random): Files {
  const texts = { ...files.texts }
  for (let count = pick(random, 3); count >= 0; count--) {
    const path = pathOf(pick(random, size + 2))
    if (random() < 0.15) delete texts[path]
    else texts[path] = randomAsset(Number(/\d+/.exec(path)?.[0]), random)
  }
  return { texts, vars: random() < 0.1 ? `v: ${random() < 0.5 ? 1 : "'x'"}` : files.vars }
}

function randomSources(random: Random): SourceShapes {
  const type = random() < 0.5 ? 'DOUBLE' : 'VARCHAR'
  const columns = ['id', 'name', 'amount'].map(name => ({
    name,
    type: name === 'amount' ? type : 'BIGINT',
    path: [name],
    system: false,
    pii: false,
    nullable: true,
  }))
  const table: RawTable = { child: undefined, columns, complete: true }
  const names = Array.from({ length: size }, (_, index) => `m_${index}`)
  return new Map(names.filter(() => random() < 0.8).map(name => [name, [table]]))
}

describe('a catalogue with a memory', () => {
  it.each(seeds(1, 12))('knows what a fresh one knows, after any edits (seed %i)', async seed => {
    const random = seeded(seed)
    let sources = randomSources(random)
    let files: Files = { texts: {}, vars: 'v: 1' }
    for (let index = 0; index < size; index++)
      files = { ...files, texts: { ...files.texts, [pathOf(index)]: randomAsset(index, random) } }
    let memory: CatalogMemory | undefined
    for (let round = 0; round < 10; round++) {
      const project = projectOf(files)
      const catalog = await catalogue(memory)
      expect(known(project, await catalog.analyze(project, sources)), `round ${round}`).toEqual(
        await fresh(project, sources),
      )
      memory = catalog.remember(() => true) ?? memory
      catalog.close()
      if (random() < 0.8) files = edited(files, random)
      if (random() < 0.15) sources = randomSources(random)
    }
  })
})
