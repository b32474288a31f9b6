/**
 * Runs the Markdown specs of this folder. `$0` in a file is the cursor; every `expect` block is a question about it:
 * `complete [kinds]`, `insert <label>`, `hover`, `signature`, `hints`, `tokens`. `UPDATE=1` writes the answers anew.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openCatalog, readFunctionBook } from '@svc/server/catalog'
import type { Catalog, FunctionBook } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerTo, type Question } from '../../support/editor-answers.ts'
import { engine } from '../../support/engine.ts'
import { knowledgeOf } from '../../support/knowledge.ts'
import { readSpecFile, rewriteBlocks, type Spec, type SpecBlock } from '../../support/spec.ts'
import { filesOf, projectOf, sourcesOf } from '../../support/spec-project.ts'

const update = process.env['UPDATE'] === '1'
let catalog: Catalog
let functions: FunctionBook
beforeAll(async () => {
  catalog = await openCatalog(engine)
  functions = await readFunctionBook(engine)
})
afterAll(() => catalog.close())

for (const name of readdirSync(import.meta.dirname).filter(name => name.endsWith('.md'))) {
  const file = readSpecFile(join(import.meta.dirname, name))
  const answers = new Map<SpecBlock, string>()
  describe(name.slice(0, -'.md'.length), () => {
    for (const spec of file.specs) it(spec.title, () => runSpec(spec, answers))
    if (update) afterAll(() => rewriteBlocks(file, answers))
  })
}

async function runSpec(spec: Spec, answers: Map<SpecBlock, string>): Promise<void> {
  const question = await questionOf(spec)
  const expected = spec.blocks.filter(block => block.kind === 'expect')
  expect(expected.length).toBeGreaterThan(0)
  for (const block of expected) {
    const answer = answerTo(question, block.argument)
    if (update) answers.set(block, answer)
    else expect(answer).toBe(block.text)
  }
}

async function questionOf(spec: Spec): Promise<Question> {
  const marked = [...filesOf(spec)]
  const [path = '', withCursor = ''] = marked.find(([, text]) => text.includes('$0')) ?? []
  const offset = withCursor.indexOf('$0')
  const files = new Map(marked.map(([name, text]) => [name, text.replace('$0', '')]))
  const variables = spec.blocks
    .find(block => block.kind === 'environment')
    ?.text.trim()
    .split('\n')
  const knowledge = await knowledgeOf(catalog, projectOf(files), sourcesOf(spec))
  const lastRuns = spec.blocks.find(block => block.kind === 'runs')?.text
  return {
    knowledge: {
      ...knowledge,
      functions,
      environmentVariables: variables ?? [],
      lastRuns: new Map(Object.entries(JSON.parse(lastRuns ?? '{}') as object)),
    },
    path,
    text: files.get(path) ?? '',
    offset,
  }
}
