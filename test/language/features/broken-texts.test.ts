/** Somebody is typing: whatever a file looks like just now, every feature answers and none throws. */
import { openCatalog } from '@svc/server/catalog'
import type { Catalog } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeActions, fixAll } from '../../../server/language/features/actions/code-actions.ts'
import { incoming, outgoing, prepareHierarchy } from '../../../server/language/features/call-hierarchy.ts'
import { codeLenses } from '../../../server/language/features/code-lenses.ts'
import { definition } from '../../../server/language/features/definition.ts'
import { documentLinks } from '../../../server/language/features/document-links.ts'
import { documentSymbols } from '../../../server/language/features/document-symbols.ts'
import { foldings } from '../../../server/language/features/folding.ts'
import { highlights } from '../../../server/language/features/highlights.ts'
import type { Knowledge } from '../../../server/language/features/knowledge.ts'
import { references } from '../../../server/language/features/references.ts'
import { prepareRename, rename } from '../../../server/language/features/rename/rename.ts'
import { selectionRanges } from '../../../server/language/features/selection-ranges.ts'
import type { Range } from '../../../server/language/text/range.ts'
import { engine } from '../../support/engine.ts'
import { knowledgeOf, readProjectFolder } from '../../support/knowledge.ts'
import { seeded } from '../../support/mutations.ts'
import { applyEdits } from '../../support/spec-project.ts'

let catalog: Catalog
let knowledge: Knowledge
beforeAll(async () => {
  catalog = await openCatalog(engine)
  const { project, sources } = await readProjectFolder('examples/flights')
  knowledge = await knowledgeOf(catalog, project, sources)
})
afterAll(() => catalog.close())

const pieces = [
  '(',
  ')',
  '"',
  "'",
  '{{',
  '}}',
  ',',
  ' AS ',
  '*',
  '.',
  '\n',
  '  ',
  ': ',
  '- ',
  'FROM ',
  ' USING (',
  '[',
  '{',
  '\u{1f600}',
  '/*',
  '--',
  'WITH x AS (',
]

describe('while a file is broken', () => {
  it('every feature answers, with ranges inside the file', () => {
    const random = seeded(20)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const paths = [...knowledge.project.assets.keys()]
    for (let round = 0; round < 400; round++) {
      const path = pick(paths)
      let text = knowledge.project.assets.get(path)?.text ?? ''
      for (let edits = 0; edits < 1 + random() * 3; edits++) {
        const at = Math.floor(random() * text.length)
        const cut = random() < 0.5 ? 0 : Math.floor(random() * 30)
        text = text.slice(0, at) + (random() < 0.2 ? '' : pick(pieces)) + text.slice(at + cut)
      }
      // What is known is of the file as it was.
      const now = { ...knowledge, project: knowledge.project.with(path, text) }
      const offset = Math.floor(random() * (text.length + 1))
      const ranges = answers(now, path, offset)
      for (const { start, end } of ranges) {
        expect(start).toBeLessThanOrEqual(end)
        expect(end).toBeLessThanOrEqual(text.length)
      }
    }
  }, 240_000)
})

function answers(now: Knowledge, path: string, offset: number): readonly Range[] {
  const prepared = prepareRename(now, path, offset)
  const renamed = 'refusal' in prepared ? prepared : rename(now, path, offset, 'zz_new')
  const texts = new Map([...now.project.assets].map(([each, asset]) => [each, asset.text]))
  const item = prepareHierarchy(now, path, offset)
  if (item !== undefined) {
    outgoing(now, item)
    incoming(now, item)
  }
  codeLenses(now, path, { now: 0, isTrusted: true })
  foldings(now, path)
  const actions = codeActions(now, path, { start: offset, end: offset })
  for (const { edits } of [...actions, ...[fixAll(now, path) ?? []].flat()]) applyEdits(texts, edits)
  if (!('refusal' in renamed)) applyEdits(texts, renamed.edits)
  const here = (places: readonly { readonly path: string; readonly range: Range }[]) =>
    places.filter(place => place.path === path).map(place => place.range)
  return [
    ...here(definition(now, path, offset)?.targets ?? []),
    ...here(references(now, path, offset)),
    ...highlights(now, path, offset).map(({ range }) => range),
    ...documentSymbols(now, path).map(({ range }) => range),
    ...documentLinks(now, path).map(({ range }) => range),
    ...selectionRanges(now, path, offset),
    ...here(actions.flatMap(({ edits }) => edits)),
    ...('refusal' in prepared ? [] : [prepared.range]),
  ]
}
