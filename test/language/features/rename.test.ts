/**
 * After a rename the project validates as before, and columns, types and lineage are the same but for the name: for
 * every asset and every column of the example projects, asked at the place that makes them.
 */
import { openCatalog } from '@svc/server/catalog'
import type { AssetAnalysis, Catalog, ColumnOrigin, Project, SourceShapes } from '@svc/server/language'
import { createProject, parseGlossary, parseSettings } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definition } from '../../../server/language/features/definition.ts'
import type { Knowledge } from '../../../server/language/features/knowledge.ts'
import { renameAsset } from '../../../server/language/features/rename/asset-rename.ts'
import { renameColumn } from '../../../server/language/features/rename/column-rename.ts'
import type { Renaming } from '../../../server/language/features/rename/renaming.ts'
import { atOnce } from '../../../server/language/steps.ts'
import { validQueries } from '../../catalog/valid-queries.ts'
import { engine } from '../../support/engine.ts'
import { knowledgeOf, readProjectFolder } from '../../support/knowledge.ts'
import { sample, times } from '../../support/long.ts'
import { applyEdits, hash } from '../../support/spec-project.ts'
import { assetText, labFiles, withRefs } from '../../support/sql-lab.ts'

const newName = 'zz_renamed'

let catalog: Catalog
beforeAll(async () => {
  catalog = await openCatalog(engine)
})
afterAll(() => catalog.close())

describe.each(['examples/flights', 'test/fixtures/shop'])('%s', folder => {
  let knowledge: Knowledge
  beforeAll(async () => {
    const { project, sources } = await readProjectFolder(folder)
    knowledge = await knowledgeOf(catalog, project, sources)
  })

  it('stays the same when a column is called differently', async () => {
    const refused: string[] = []
    let renamed = 0
    for (const asset of knowledge.project.byName.values()) {
      for (const { name: column } of sample(knowledge.analysis.of(asset.name)?.columns ?? [], 3)) {
        const result = atOnce(renameColumn(knowledge, asset.path, { asset: asset.name, column }, newName))
        if ('refusal' in result) {
          refused.push(`${asset.name}.${column}: ${result.refusal}`)
          continue
        }
        renamed++
        const after = await knowledgeAfter(knowledge, result)
        const columns = after.analysis.of(asset.name)?.columns.map(each => each.name)
        expect(columns, `${asset.name}.${column}`).toContain(newName)
        expectSame(knowledge, after, column, `${asset.name}.${column}`)
      }
    }
    expect(refused).toEqual([])
    expect(renamed).toBeGreaterThan(times(6, 20))
  }, 240_000)

  it('stays the same when an asset is called differently', async () => {
    for (const asset of knowledge.project.byName.values()) {
      const result = atOnce(renameAsset(knowledge, asset.path, asset.name, newName))
      if ('refusal' in result) throw new Error(`${asset.name}: ${result.refusal}`)
      const after = await knowledgeAfter(knowledge, result, asset.name)
      expectSame(knowledge, after, asset.name, asset.name)
    }
  }, 240_000)

  it('leads from every column of every SELECT to a place that makes it', () => {
    for (const asset of knowledge.project.byName.values()) {
      for (const use of knowledge.analysis.of(asset.name)?.uses ?? []) {
        const found = definition(knowledge, asset.path, use.range.start)
        expect(found?.targets.length, `${asset.name} ${use.origin.column}`).toBeGreaterThan(0)
      }
    }
  })
})

describe('a column that a query of any form reads', () => {
  it('can be renamed, or the reason why not is told', async () => {
    const refused: string[] = []
    let renamed = 0
    for (const sql of sample(validQueries, 4)) {
      const read = ['flights', 'airports', 'carriers'].filter(name => sql.includes(`@${name}`))
      const files = [...labFiles, { path: 'models/case.svc', text: assetText('case', withRefs(sql)) }]
      const project = createProject({ settings: parseSettings(undefined), files, hash })
      const before = await knowledgeOf(catalog, project)
      if (before.analysis.of('case')?.columns.length === 0) continue
      for (const asset of read) {
        const path = `models/${asset}.svc`
        for (const [at, { name: column }] of (before.analysis.of(asset)?.columns ?? []).entries()) {
          if (at > 0 && !sql.includes(column)) continue
          const result = atOnce(renameColumn(before, path, { asset, column }, newName))
          if ('refusal' in result) {
            refused.push(`${column} in ${sql}`)
            continue
          }
          renamed++
          const after = await knowledgeAfter(before, result)
          expectSame(before, after, column, `${column} in ${sql}`)
        }
      }
    }
    expect(renamed).toBeGreaterThan(times(60, 300))
    expect(refused.filter(each => !beyond.test(each))).toEqual([])
  }, 240_000)
})

/** What these come to only the SQL engine knows. */
const beyond = /columns\(|pivot|unnest\(detail\)|detail\.\*|like '%n'/

async function knowledgeAfter(
  before: Knowledge,
  { edits, files }: Renaming,
  asset?: string,
): Promise<Knowledge> {
  const { project, sources } = before
  const texts = new Map([...project.assets].map(([path, each]) => [path, each.text]))
  texts.set('glossary.yaml', before.glossary.file?.text ?? '')
  texts.set('svc.yaml', project.settings.file?.text ?? '')
  const changed = applyEdits(texts, edits)
  let after: Project = project
  for (const [path, text] of changed)
    if (path.endsWith('.svc') && text !== texts.get(path)) after = after.with(path, text)
  for (const { from, to } of files) after = after.with(to, changed.get(from)).with(from, undefined)
  if (before.glossary.file !== undefined)
    after = after.withGlossary(parseGlossary(changed.get('glossary.yaml'), engine))
  after = after.withSettings(parseSettings(changed.get('svc.yaml')))
  return await knowledgeOf(catalog, after, asset === undefined ? sources : movedSource(sources, asset))
}

/** What is known of a source goes with its asset. */
function movedSource(sources: SourceShapes, asset: string): SourceShapes {
  return new Map([...sources].map(([name, tables]) => [name === asset ? newName : name, tables]))
}

function expectSame(before: Knowledge, after: Knowledge, old: string, what: string): void {
  const back = (name: string) => (name === newName ? old : name)
  for (const asset of before.project.byName.values()) {
    const name = after.project.byName.has(asset.name) ? asset.name : newName
    const [was, is] = [before.analysis.of(asset.name), after.analysis.of(name)]
    // Of some SQL nothing is known before its first run, and that is no promise.
    if (was?.columns.length === 0) continue
    expect(shape(is, back), `${what}: ${asset.name}`).toEqual(shape(was, back))
  }
  const problems = (knowledge: Knowledge) =>
    [...knowledge.project.assets.keys()]
      .flatMap(path => knowledge.diagnostics(path))
      .map(({ code, message }) => `${code} ${message.replaceAll(newName, old)}`)
      .sort()
  expect(problems(after), what).toEqual(problems(before))
}

function shape(analysis: AssetAnalysis | undefined, back: (name: string) => string) {
  const named = (name: string) => (/\(select /i.test(name) ? 'a query' : back(name).toLowerCase())
  const origin = ({ asset, column, source }: ColumnOrigin) =>
    `${back(asset)} ${back(column)} ${source ?? '-'}`
  return {
    columns: analysis?.columns.map(({ name, type }) => `${named(name)} ${type}`),
    lineage: analysis?.lineage.map(
      ({ column, from, kind }) => `${named(column)} ${kind} ${from.map(origin).sort().join(', ')}`,
    ),
  }
}
