/** What is written differently means the same: for every CTE and star of the example project. */
import { openCatalog } from '@svc/server/catalog'
import type { Catalog, Project } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CodeAction } from '../../../server/language/features/actions/code-action.ts'
import { codeActions } from '../../../server/language/features/actions/code-actions.ts'
import type { Knowledge } from '../../../server/language/features/knowledge.ts'
import { fileRange, transformOf } from '../../../server/language/features/names/mentions.ts'
import { boundBlocks } from '../../../server/language/features/sql/bound-sql.ts'
import { engine } from '../../support/engine.ts'
import { knowledgeOf, readProjectFolder } from '../../support/knowledge.ts'
import { applyEdits } from '../../support/spec-project.ts'

let catalog: Catalog
beforeAll(async () => {
  catalog = await openCatalog(engine)
})
afterAll(() => catalog.close())

describe('the example', () => {
  let knowledge: Knowledge
  beforeAll(async () => {
    const { project, sources } = await readProjectFolder('examples/flights')
    knowledge = await knowledgeOf(catalog, project, sources)
  })

  it('means the same with a CTE made an asset, and with a star written out', async () => {
    let done = 0
    for (const asset of knowledge.project.byName.values()) {
      for (const offset of placesIn(knowledge, asset.name)) {
        const actions = codeActions(knowledge, asset.path, { start: offset, end: offset }).filter(
          ({ kind, title }) => kind === 'refactor.extract' || title.startsWith('Write out'),
        )
        for (const action of actions) {
          done++
          const what = `${asset.name}: ${action.title}`
          const after = await knowledgeOf(catalog, projectAfter(knowledge.project, action), knowledge.sources)
          const shape = (of: Knowledge) => of.analysis.of(asset.name)?.columns
          expect(shape(after), what).toEqual(shape(knowledge))
          expect(problems(after), what).toEqual(problems(knowledge))
        }
      }
    }
    expect(done).toBeGreaterThan(8)
  })
})

/** Of CTEs and stars. */
function placesIn(knowledge: Knowledge, name: string): readonly number[] {
  const asset = knowledge.project.byName.get(name)
  if (asset === undefined) return []
  const ctes = transformOf(knowledge, asset)
  const stars = boundBlocks(knowledge, asset).flatMap(named =>
    named.bound.selects.flatMap(select =>
      select.items.flatMap(({ item }) =>
        item.expression.kind === 'star' ? [fileRange(named, item).start] : [],
      ),
    ),
  )
  return [...(ctes?.bound.ctes.map(({ cte }) => fileRange(ctes, cte.name).start) ?? []), ...stars]
}

function projectAfter(project: Project, { edits, creates }: CodeAction): Project {
  const texts = new Map([...project.assets].map(([path, asset]) => [path, asset.text]))
  let after = project
  for (const [path, text] of applyEdits(texts, edits)) after = after.with(path, text)
  for (const { path, text } of creates) after = after.with(path, text)
  return after
}

function problems(knowledge: Knowledge): readonly string[] {
  return [...knowledge.project.assets.keys()].flatMap(path =>
    knowledge.diagnostics(path).map(({ code, message }) => `${path} ${code} ${message}`),
  )
}
