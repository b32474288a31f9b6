/**
 * At every column that the SQL of the example projects names, completion offers it: with the name as it is, cut to its
 * first letter, gone, with everything behind the cursor deleted, with a quote or a bracket left open further on, and with
 * something broken anywhere else in the query. Hover tells its type.
 */
import { openCatalog, readFunctionBook } from '@svc/server/catalog'
import type { Catalog, FunctionBook, Knowledge } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completionsAt } from '../../../server/language/features/completion/complete-at.ts'
import { hoverAt } from '../../../server/language/features/hover/hover-at.ts'
import { engine } from '../../support/engine.ts'
import { knowledgeOf, readProjectFolder } from '../../support/knowledge.ts'
import { type Random, seededRandom } from '../../support/random.ts'

let catalog: Catalog
let functions: FunctionBook
beforeAll(async () => {
  catalog = await openCatalog(engine)
  functions = await readFunctionBook(engine)
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

/** How many of its columns a project must still be offered with something broken elsewhere: one of few weighs more. */
const folders = [
  ['examples/flights', 0.96],
  ['test/fixtures/shop', 0.9],
] as const

describe.each(folders)('columns of %s', (folder, share) => {
  let knowledge: Knowledge
  let places: readonly Place[]
  beforeAll(async () => {
    const { project, sources } = await readProjectFolder(folder)
    knowledge = { ...(await knowledgeOf(catalog, project, sources)), functions }
    places = [...project.byName.values()].flatMap(asset =>
      (knowledge.analysis.of(asset.name)?.uses ?? []).flatMap(({ range: { start, end } }) => {
        const written = asset.text.slice(start, end)
        const name = written.slice(written.lastIndexOf('.') + 1)
        // Within the argument of a macro the names of columns are not offered yet.
        return name === '*' || isInTag(asset.text, start)
          ? []
          : [{ path: asset.path, text: asset.text, start: end - name.length, end, name }]
      }),
    )
  })

  it('are named at many places', () => expect(places.length).toBeGreaterThan(20))

  it('are offered with something broken elsewhere in the query', () => {
    const random = seededRandom(1)
    const found = strays.map(stray => {
      const broken = places.flatMap(place => brokenElsewhere(knowledge, place, stray, random) ?? [])
      const offered = broken.filter(each => isOffered(knowledge, each.place, each)).length
      return { stray, offered, of: broken.length }
    })
    // A second FROM, or a tag cut in two, leaves nothing to know the table by.
    const sum = (of: (each: (typeof found)[number]) => number) =>
      found.reduce((all, each) => all + of(each), 0)
    expect(sum(each => each.offered) / sum(each => each.of), JSON.stringify(found)).toBeGreaterThan(share)
  })

  it('are explained: their type is known', () => {
    const silent = places.filter(({ path, end, name }) => {
      const markdown = hoverAt(knowledge, path, end)?.markdown ?? ''
      return (
        !markdown.toLowerCase().startsWith(`\`\`\`sql\n${name.toLowerCase()} `) || /not known/.test(markdown)
      )
    })
    expect(silent.map(shown)).toEqual([])
  })

  it.each(Object.keys(cuts))('are offered: the name is %s', kind => {
    const cut = cuts[kind] as Cut
    const missed = places.filter(place => !isOffered(knowledge, place, cut(place))).map(shown)
    expect(missed).toEqual([])
  })
})

function isInTag(text: string, offset: number): boolean {
  return text.lastIndexOf('{{', offset) > text.lastIndexOf('}}', offset)
}

/** Words that begin a clause are none of them: behind `FROM` a name is a table. */
const strays = [',', '(', ')', "'", '"', 'SELECT ', 'x ', '.', ' AS ', '[', '{{ ', '}} ', '*']

/** The text with something typed at another place of its transform; undefined where there is no such place. */
function brokenElsewhere(
  knowledge: Knowledge,
  place: Place,
  stray: string,
  random: Random,
): { readonly place: Place; readonly text: string; readonly offset: number } | undefined {
  const sql = knowledge.project.assets.get(place.path)?.sql
  if (sql === undefined) return undefined
  const [from, to] = [sql.toFile.toOriginal(0), sql.toFile.toOriginal(sql.text.length)]
  const at = from + random.below(to - from)
  // On the same line it may make the name mean something else.
  const between = place.text.slice(Math.min(at, place.start), Math.max(at, place.end))
  const isNear = !between.includes('\n')
  if (place.start > to || isNear || !/\s/.test(place.text[at] ?? 'x')) return undefined
  const text = `${place.text.slice(0, at)} ${stray}${place.text.slice(at)}`
  return { place, text, offset: place.end + (at < place.end ? stray.length + 1 : 0) }
}

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
