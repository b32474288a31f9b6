/**
 * Runs every Markdown spec of the folder `specs`: `$0` is the cursor, the word behind `expect` the feature that is asked.
 * `UPDATE=1` writes the answers anew: read the difference before you keep it.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openCatalog } from '@svc/server/catalog'
import type { Catalog } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engine } from '../../support/engine.ts'
import { answerTo } from '../../support/feature-answers.ts'
import { knowledgeOf } from '../../support/knowledge.ts'
import { readSpecFile, rewriteBlocks, type Spec, type SpecBlock } from '../../support/spec.ts'
import { filesOf, projectOf, sourcesOf } from '../../support/spec-project.ts'

const update = process.env['UPDATE'] === '1'
const folder = join(import.meta.dirname, 'specs')

let catalog: Catalog
beforeAll(async () => {
  catalog = await openCatalog(engine)
})
afterAll(() => catalog.close())

for (const name of readdirSync(folder).filter(name => name.endsWith('.md'))) {
  const file = readSpecFile(join(folder, name))
  const answers = new Map<SpecBlock, string>()
  describe(name.slice(0, -'.md'.length), () => {
    for (const spec of file.specs) it(spec.title, () => runSpec(spec, answers))
    if (update) afterAll(() => rewriteBlocks(file, answers))
  })
}

const cursorMark = '$0'

async function runSpec(spec: Spec, answers: Map<SpecBlock, string>): Promise<void> {
  const marked = filesOf(spec)
  const [path, text] = [...marked].find(([, each]) => each.includes(cursorMark)) ?? [...marked][0] ?? ['', '']
  const offset = Math.max(0, text.indexOf(cursorMark))
  const files = new Map(marked).set(path, text.replace(cursorMark, ''))
  const knowledge = await knowledgeOf(catalog, projectOf(files), sourcesOf(spec))
  const expected = spec.blocks.filter(block => block.kind === 'expect')
  expect(expected.length).toBeGreaterThan(0)
  for (const block of expected) {
    const answer = await answerTo(block.argument, { knowledge, files, path, offset, catalog })
    if (update) answers.set(block, answer)
    else expect(answer).toBe(block.text)
  }
}
