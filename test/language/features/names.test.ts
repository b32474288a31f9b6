import { openCatalog } from '@svc/server/catalog'
import { type Asset, type Catalog, type ColumnUse, createProject, parseSettings } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Knowledge } from '../../../server/language/features/knowledge.ts'
import { fileRange, isTransform } from '../../../server/language/features/names/mentions.ts'
import { type BoundBlock, boundBlocks } from '../../../server/language/features/sql/bound-sql.ts'
import { type Column, rootOf } from '../../../server/language/sql/binder/model.ts'
import { validQueries } from '../../catalog/valid-queries.ts'
import { engine } from '../../support/engine.ts'
import { knowledgeOf, readProjectFolder } from '../../support/knowledge.ts'
import { hash } from '../../support/spec-project.ts'
import { assetText, labFiles, withRefs } from '../../support/sql-lab.ts'

let catalog: Catalog
beforeAll(async () => {
  catalog = await openCatalog(engine)
})
afterAll(() => catalog.close())

describe.each(['examples/flights', 'test/fixtures/shop'])('the names of %s', folder => {
  let knowledge: Knowledge
  beforeAll(async () => {
    const { project, sources } = await readProjectFolder(folder)
    knowledge = await knowledgeOf(catalog, project, sources)
  })

  it('mean what the SQL engine says that they mean', () => {
    const wrong = [...knowledge.project.byName.values()].flatMap(asset => {
      const blocks = boundBlocks(knowledge, asset)
      const uses = knowledge.analysis.of(asset.name)?.uses ?? []
      expect(uses.length + (asset.sql === undefined ? 1 : 0)).toBeGreaterThan(0)
      return uses.filter(use => !isMentioned(blocks, use)).map(use => shown(asset, use))
    })
    expect(wrong).toEqual([])
  })

  it('make the columns that the SQL engine says that there are', () => {
    for (const asset of knowledge.project.byName.values()) {
      const transform = boundBlocks(knowledge, asset).find(isTransform)
      const columns = knowledge.analysis.of(asset.name)?.columns ?? []
      expect(transform?.bound.output.columns.map(column => column.name)).toEqual(
        columns.map(column => column.name),
      )
    }
  })
})

/** What the columns of these are only the SQL engine knows; a second column of a name is renamed by it. */
const beyond = /columns\(|like '%n'|unnest\(detail\)|pivot|detail\.\*|origin, [fb]\.origin/

describe('in queries of every form', () => {
  it('names mean what the SQL engine says that they mean', async () => {
    const files = validQueries.map((sql, index) => ({
      path: `models/query_${index}.svc`,
      text: assetText(`query_${index}`, withRefs(sql)),
    }))
    const project = createProject({
      settings: parseSettings(undefined),
      files: [...labFiles, ...files],
      hash,
    })
    const knowledge = await knowledgeOf(catalog, project)
    const wrong = validQueries.flatMap((sql, index) => {
      const asset = project.byName.get(`query_${index}`)
      const analysis = knowledge.analysis.of(`query_${index}`)
      if (asset === undefined || analysis === undefined) throw new Error(sql)
      const blocks = boundBlocks(knowledge, asset)
      const uses = /pivot/.test(sql) ? [] : analysis.uses
      const lost = uses.filter(use => !isMentioned(blocks, use)).map(use => shown(asset, use))
      const columns = analysis.columns.map(column => column.name)
      const output = blocks.find(isTransform)?.bound.output.columns.map(column => column.name) ?? []
      const isOpen = beyond.test(sql)
      const same =
        isOpen ||
        (output.length === columns.length && output.every((name, at) => name === '' || name === columns[at]))
      return [...lost, ...(same ? [] : [`${output} | ${columns}`])].map(each => `${sql} => ${each}`)
    })
    expect(wrong).toEqual([])
  })
})

function isMentioned(blocks: readonly BoundBlock[], use: ColumnUse): boolean {
  return blocks.some(named =>
    named.bound.mentions.some(mention => {
      const range = fileRange(named, mention.span)
      if (range.start !== use.range.start || range.end !== use.range.end) return false
      return mention.target.kind === 'column' && comesFrom(mention.target.column, use)
    }),
  )
}

function comesFrom(column: Column, { origin }: ColumnUse): boolean {
  const { maker } = rootOf(column)
  if (column.maker.kind === 'merged')
    return column.maker.members.some(member => comesFrom(member, { range: { start: 0, end: 0 }, origin }))
  if (maker.kind === 'union')
    return maker.sides.some(side => comesFrom(side, { range: { start: 0, end: 0 }, origin }))
  if (maker.kind === 'named' && maker.of !== undefined)
    return comesFrom(maker.of, { range: { start: 0, end: 0 }, origin })
  if (maker.kind !== 'input') return false
  const { asset, column: name, source } = maker.origin
  return (
    asset === origin.asset && source === origin.source && name.toLowerCase() === origin.column.toLowerCase()
  )
}

function shown(asset: Asset, { range, origin }: ColumnUse): string {
  return `${asset.path}:${range.start} ${asset.text.slice(range.start, range.end)} of ${origin.asset} ${origin.source ?? ''}`
}
