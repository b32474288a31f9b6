/**
 * At every column that the SQL of the example projects names, completion offers it: with the name as it is, cut to its
 * first letter, gone, with everything behind the cursor deleted, and with a quote or a bracket left open further on.
 */
import { openCatalog, readFunctionBook } from '@svc/server/catalog'
import type { Catalog, FunctionBook, Knowledge } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completionsAt } from '../../../server/language/features/completion/complete-at.ts'
import { knowledgeOf, readProjectFolder } from '../../support/knowledge.ts'

let catalog: Catalog
let functions: FunctionBook
beforeAll(async () => {
  catalog = await openCatalog()
  functions = await readFunctionBook()
})
afterAll(() => catalog.close())

interface Place {
  readonly path: string
  readonly text: string
  readonly start: number
  readonly end: number
  /** As written, without its table. */
  readonly name: string
}

type Cut = (place: Place) => { readonly text: string; readonly offset: number }

const cuts: Readonly<Record<string, Cut>> = {
  'as it is': ({ text, end }) => ({ text, offset: end }),
  'cut to its first letter': ({ text, start, end }) => ({
    text: text.slice(0, start + 1) + text.slice(end),
    offset: start + 1,
  }),
  'not there yet': ({ text, start, end }) => ({
    text: text.slice(0, start) + text.slice(end),
    offset: start,
  }),
  'at the end of the file': ({ text, start }) => ({ text: text.slice(0, start), offset: start }),
  'before an open quote': ({ text, start, end }) => ({
    text: `${text.slice(0, start)} '${text.slice(end)}`,
    offset: start,
  }),
  'before an open bracket': ({ text, start, end }) => ({
    text: `${text.slice(0, start)} (${text.slice(end)}`,
    offset: start,
  }),
}

describe.each(['examples/flights', 'test/fixtures/shop'])('columns of %s', folder => {
  let knowledge: Knowledge
  let places: readonly Place[]
  beforeAll(async () => {
    const { project, sources } = await readProjectFolder(folder)
    knowledge = { ...(await knowledgeOf(catalog, project, sources)), functions }
    places = [...project.byName.values()].flatMap(asset =>
      (knowledge.analysis.of(asset.name)?.uses ?? []).flatMap(({ range: { start, end } }) => {
        const written = asset.text.slice(start, end)
        const name = written.slice(written.lastIndexOf('.') + 1)
        return name === '*'
          ? []
          : [{ path: asset.path, text: asset.text, start: end - name.length, end, name }]
      }),
    )
  })

  it('are named at many places', () => expect(places.length).toBeGreaterThan(20))

  it.each(Object.keys(cuts))('are offered: the name is %s', kind => {
    const cut = cuts[kind] as Cut
    const missed = places.filter(place => !isOffered(knowledge, place, cut(place))).map(shown)
    expect(missed).toEqual([])
  })
})

function isOffered(
  knowledge: Knowledge,
  { path, name }: Place,
  { text, offset }: { readonly text: string; readonly offset: number },
): boolean {
  // The analysis is the last one known, as it is while somebody types.
  const typing = { ...knowledge, project: knowledge.project.with(path, text) }
  const { items } = completionsAt(typing, path, offset)
  return items.some(
    item =>
      (item.kind === 'column' || item.kind === 'alias') &&
      item.insert.slice(item.insert.lastIndexOf('.') + 1).toLowerCase() === name.toLowerCase(),
  )
}

function shown({ path, text, start, end }: Place): string {
  return `${path}: ${text.slice(Math.max(0, start - 40), start)}[${text.slice(start, end)}]${text.slice(end, end + 20)}`
}
