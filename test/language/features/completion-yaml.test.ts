/**
 * Wherever the cursor stands in the YAML of a project: no word is offered twice, no key that the mapping has already, and a
 * whole file only in an empty one.
 */
import { openCatalog } from '@svc/server/catalog'
import type { Catalog } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isMap, isScalar, parseDocument, visit } from 'yaml'
import { completionsAt } from '../../../server/language/features/completion/complete-at.ts'
import type { CompletionItem } from '../../../server/language/features/completion/completion.ts'
import type { Knowledge } from '../../../server/language/features/knowledge.ts'
import { engine } from '../../support/engine.ts'
import { knowledgeOf, readProjectFolder } from '../../support/knowledge.ts'

let catalog: Catalog
let knowledge: Knowledge
beforeAll(async () => {
  catalog = await openCatalog(engine)
  const { project, sources } = await readProjectFolder('test/fixtures/shop')
  knowledge = await knowledgeOf(catalog, project, sources)
})
afterAll(() => catalog.close())

const path = 'models/full.svc'

/** Every block of an asset, each with a key or two of those that it may have. */
const full = `name: full
description: All of it.
owner: data@example.com
tags: [a, b]
ingest:
  type: rest_api
  endpoint: https://api.example.com
  resource: orders
  auth: {type: bearer}
  pagination:
    type: cursor
    param: after
  params:
    limit: 10
contract:
  evolution: evolve
  columns:
    id: bigint
    name: {type: varchar, nullable: false}
transform: SELECT id, name FROM {{ source }}
columns:
  id: {description: Number}
  name:
    pii: true
tests:
  - unique: id
    severity: warn
  - accepted_values: {name: [x]}
  - unit:
      given:
        source:
          - {id: 1, name: x}
      expect:
        - {id: 1}
    name: one
freshness:
  warn_after: 12h
deploy:
  materialize: table
exposures:
  - name: Board
    type: dashboard
`

interface Place {
  readonly text: string
  readonly offset: number
}

describe('anywhere in YAML', () => {
  it('each word is offered once', () => {
    const answers = [...placesIn(full)].map(place => ({ place, items: itemsAt(place) }))
    const twice = answers.flatMap(({ place, items }) => {
      const labels = items.map(({ label }) => label)
      const again = labels.filter((label, index) => labels.indexOf(label) !== index)
      return again.length === 0 ? [] : [`${shown(place)}: ${again.join(', ')}`]
    })
    expect(twice).toEqual([])
    expect(answers.filter(({ items }) => items.length > 0).length).toBeGreaterThan(100)
  })

  it('no key is offered that is there already', () => {
    let count = 0
    const again: string[] = []
    for (const place of placesIn(full)) {
      const present = keysBeside(place)
      if (present === undefined) continue
      count++
      const offered = itemsAt(place).filter(({ label }) => present.has(label))
      if (offered.length > 0) again.push(`${shown(place)}: ${offered.map(({ label }) => label).join(', ')}`)
    }
    expect(again).toEqual([])
    expect(count).toBeGreaterThan(60)
  })

  it('a whole file is offered in an empty one alone', () => {
    const wholeFiles = (place: Place) =>
      itemsAt(place).filter(({ insert }) => /^name: /.test(insert) && /\n/.test(insert))
    expect(wholeFiles({ text: '', offset: 0 }).length).toBeGreaterThan(2)
    expect(wholeFiles({ text: '# mine\nas', offset: 9 }).length).toBeGreaterThan(2)
    expect([...placesIn(full)].flatMap(wholeFiles)).toEqual([])
  })
})

function itemsAt({ text, offset }: Place): readonly CompletionItem[] {
  return completionsAt({ ...knowledge, project: knowledge.project.with(path, text) }, path, offset).items
}

/** An empty line, a dash and a letter at each depth above each line, and the end of each line. */
function* placesIn(text: string): Generator<Place> {
  let start = 0
  for (const line of text.split('\n')) {
    const depth = /^[ -]*/.exec(line)?.[0].length ?? 0
    for (const indent of new Set([0, 2, 4, depth])) {
      for (const begun of ['', '- ', 'e']) {
        const typed = `${' '.repeat(indent)}${begun}`
        yield { text: `${text.slice(0, start)}${typed}\n${text.slice(start)}`, offset: start + typed.length }
      }
    }
    start += line.length + 1
    if (!line.startsWith('transform')) yield { text, offset: start - 1 }
  }
}

/** The keys of the mapping that a key at this place would belong to; undefined where none can stand there. */
function keysBeside({ text, offset }: Place): ReadonlySet<string> | undefined {
  const document = parseDocument(
    `${text.slice(0, offset)}: here${text.slice(offset)}`.replace(/( |^|- ): here$/m, '$1here_: here'),
  )
  if (document.errors.length > 0) return undefined
  let found: ReadonlySet<string> | undefined
  visit(document, {
    Map(_, map) {
      const keys = map.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''))
      const at = map.items.findIndex(({ value }) => isScalar(value) && value.value === 'here')
      if (isMap(map) && at >= 0) found = new Set(keys.filter((_key, index) => index !== at))
    },
  })
  return found
}

function shown({ text, offset }: Place): string {
  return `${text.slice(Math.max(0, offset - 60), offset)}|`
}
