import { openCatalog } from '@svc/server/catalog'
import type { Asset, Catalog, ColumnUse } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Knowledge } from '../../../server/language/features/knowledge.ts'
import {
  fileRange,
  isTransform,
  type NamedBlock,
  namedBlocks,
} from '../../../server/language/features/names/asset-names.ts'
import { rootOf, type Slot } from '../../../server/language/features/names/slots.ts'
import { knowledgeOf, readProjectFolder } from '../../support/knowledge.ts'

let catalog: Catalog
beforeAll(async () => {
  catalog = await openCatalog()
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
      const blocks = namedBlocks(knowledge, asset)
      const uses = knowledge.analysis.of(asset.name)?.uses ?? []
      expect(uses.length + (asset.sql === undefined ? 1 : 0)).toBeGreaterThan(0)
      return uses.filter(use => !isMentioned(blocks, use)).map(use => shown(asset, use))
    })
    expect(wrong).toEqual([])
  })

  it('make the columns that the SQL engine says that there are', () => {
    for (const asset of knowledge.project.byName.values()) {
      const transform = namedBlocks(knowledge, asset).find(isTransform)
      const columns = knowledge.analysis.of(asset.name)?.columns ?? []
      expect(transform?.bound.output.map(slot => slot.name)).toEqual(columns.map(column => column.name))
    }
  })
})

function isMentioned(blocks: readonly NamedBlock[], use: ColumnUse): boolean {
  return blocks.some(named =>
    named.bound.mentions.some(mention => {
      const range = fileRange(named, mention.range)
      if (range.start !== use.range.start || range.end !== use.range.end) return false
      return mention.target.kind === 'column' && comesFrom(mention.target.slot, use)
    }),
  )
}

function comesFrom(slot: Slot, { origin }: ColumnUse): boolean {
  const { maker } = rootOf(slot)
  if (slot.maker.kind === 'merged')
    return slot.maker.members.some(member => comesFrom(member, { range: { start: 0, end: 0 }, origin }))
  if (maker.kind === 'union')
    return maker.sides.some(side => comesFrom(side, { range: { start: 0, end: 0 }, origin }))
  if (maker.kind === 'named' && maker.of !== undefined)
    return comesFrom(maker.of, { range: { start: 0, end: 0 }, origin })
  if (maker.kind !== 'input') return false
  const { asset, column, source } = maker.origin
  return (
    asset === origin.asset && source === origin.source && column.toLowerCase() === origin.column.toLowerCase()
  )
}

function shown(asset: Asset, { range, origin }: ColumnUse): string {
  return `${asset.path}:${range.start} ${asset.text.slice(range.start, range.end)} of ${origin.asset} ${origin.source ?? ''}`
}
