/**
 * What the editor asks for at any place of any text: files of the example project, broken at random again and again.
 * Nothing throws, nothing is slow, and every range lies where it must.
 */
import { openCatalog, readFunctionBook } from '@svc/server/catalog'
import type { Catalog, FunctionBook, Knowledge } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completionsAt } from '../../../server/language/features/completion/complete-at.ts'
import { documentationOf } from '../../../server/language/features/completion/documentation.ts'
import { hoverAt } from '../../../server/language/features/hover/hover-at.ts'
import { inlayHintsIn } from '../../../server/language/features/inlay-hints.ts'
import { semanticTokensIn } from '../../../server/language/features/semantic-tokens.ts'
import { signatureHelpAt } from '../../../server/language/features/signature-help.ts'
import { engine } from '../../support/engine.ts'
import { knowledgeOf, readProjectFolder } from '../../support/knowledge.ts'
import { type Random, seededRandom } from '../../support/random.ts'

const rounds = 1500

let catalog: Catalog
let functions: FunctionBook
beforeAll(async () => {
  catalog = await openCatalog(engine)
  functions = await readFunctionBook(engine)
})
afterAll(() => catalog.close())

/** What people type, and what is left when they delete. */
const pieces = [
  "'",
  '"',
  '(',
  ')',
  '[',
  '{',
  '}',
  '{{ ref(',
  '}}',
  ',',
  '.',
  ':',
  ': ',
  '- ',
  '#',
  '|',
  '\n',
  '\n  ',
  '\r\n',
  '\t',
  ' ',
  'SELECT ',
  ' FROM ',
  'WITH x AS (',
  ' JOIN ',
  ' ON ',
  ' USING (',
  'x',
  '*',
  '::',
  '--',
  '/*',
  '$$',
  ';',
  '\u{1F600}',
  'é',
  '\0',
] as const

function edited(text: string, random: Random): string {
  const start = random.below(text.length + 1)
  const length = random.next() < 0.5 ? 0 : random.below(random.next() < 0.1 ? 400 : 12)
  const inserted = random.next() < 0.7 ? random.pick(pieces) : ''
  return text.slice(0, start) + inserted + text.slice(start + length)
}

describe('at any place of any text', () => {
  let knowledge: Knowledge
  beforeAll(async () => {
    const { project, sources } = await readProjectFolder('examples/flights')
    knowledge = { ...(await knowledgeOf(catalog, project, sources)), functions }
  })

  it(`the editor gets an answer (${rounds} texts)`, () => {
    const random = seededRandom(20)
    const originals = [...knowledge.project.assets.values()]
    let { path, text } = random.pick(originals)
    for (let round = 0; round < rounds; round++) {
      if (random.next() < 0.1) ({ path, text } = random.pick(originals))
      text = edited(text, random)
      const typing = { ...knowledge, project: knowledge.project.with(path, text) }
      const offset = random.below(text.length + 1)
      const problem = problemAt(typing, path, text, offset)
      expect(problem, `round ${round}, offset ${offset} of:\n${text}`).toBeUndefined()
    }
  })
})

/** Undefined: everything is as it must be. */
function problemAt(knowledge: Knowledge, path: string, text: string, offset: number): string | undefined {
  for (const item of completionsAt(knowledge, path, offset).items) {
    const { start, end } = item.range
    if (start > offset || end < offset) return `the range of "${item.label}" is not around the cursor`
    if (/[\r\n]/.test(text.slice(start, end))) return `the range of "${item.label}" is on two lines`
    if (item.label === '' || item.insert === '') return 'an item without a text'
  }
  const [about] = completionsAt(knowledge, path, offset).items.flatMap(item => item.about ?? [])
  if (about !== undefined) documentationOf(knowledge, about)
  const hover = hoverAt(knowledge, path, offset)
  if (hover !== undefined && (hover.range.start > offset || hover.range.end < offset))
    return `hover is about another place: ${JSON.stringify(hover.range)}`
  const help = signatureHelpAt(knowledge, path, offset)
  for (const { label, parameters } of help?.signatures ?? []) {
    if (parameters.some(({ start, end }) => label.slice(start, end).trim() === ''))
      return `an argument of ${label} has no text`
  }
  for (const hint of inlayHintsIn(knowledge, path, { start: 0, end: text.length })) {
    if (hint.offset < 0 || hint.offset > text.length) return 'a hint outside the text'
  }
  let last = 0
  for (const { range } of semanticTokensIn(knowledge, path)) {
    if (range.start < last || range.end > text.length) return `tokens lie over each other at ${range.start}`
    if (/[\r\n]/.test(text.slice(range.start, range.end))) return `a token over two lines at ${range.start}`
    last = range.end
  }
  return undefined
}
