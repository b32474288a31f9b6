/**
 * Every quick fix is tried on every problem of the specs: the problem is gone afterwards, and nothing else is wrong that
 * was right before. What a fix cannot be judged by is named below.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openCatalog } from '@svc/server/catalog'
import type { Catalog, Diagnostic } from '@svc/server/language'
import { diagnosticCodes } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { quickFixes } from '../../../server/language/features/actions/code-actions.ts'
import type { Knowledge } from '../../../server/language/features/knowledge.ts'
import { knowledgeOf } from '../../support/knowledge.ts'
import { readSpecFile } from '../../support/spec.ts'
import { applyEdits, filesOf, projectOf, sourcesOf } from '../../support/spec-project.ts'

const folder = join(import.meta.dirname, '..', 'specs')

let catalog: Catalog
beforeAll(async () => {
  catalog = await openCatalog()
})
afterAll(() => catalog.close())

/** What is read for the first time when these are mended may have problems of its own. */
const hiders =
  /^(yaml-|unclosed-tag|unquoted-template|invalid-tag|sql-syntax|missing-key|unknown-key|duplicate-key|wrong-type|wrong-value|unknown-ref|sql-unknown-table|sql-unknown-column|not-built-yet|duplicate-name|invalid-name|sql-ambiguous-column|disabled-parent|hard-coded-credentials|contract-unknown-column|test-unknown-column|glossary-unknown-asset|glossary-unknown-term|sql-no-matching-function|unit-|sql-bad-literal|unknown-type|unknown-source-child)/

/** Nobody but the user knows what is meant. */
const withoutFix = new Set([
  'cycle',
  'exclude-inside-json',
  'file-too-large',
  'too-many-problems',
  'invalid-tag',
  'names-meet',
  'not-utf8',
  'python-syntax',
  'self-ref',
  'source-columns-unknown',
  'source-file-missing',
  'source-file-unreadable',
  'source-without-ingest',
  // Found when files are looked at; `specs/actions.md` and the test below have them.
  'source-format-unknown',
  'unknown-primary-key',
  'wrong-option',
  'sql-not-a-select',
  'sql-other',
  'sql-too-large',
  'sql-type',
  'sql-wrong-arity',
  'yaml-alias',
  'yaml-depth',
  'yaml-merge',
  'yaml-syntax',
])

const fixed = new Set<string>()

for (const name of readdirSync(folder).filter(each => each.endsWith('.md') && each !== 'selectors.md')) {
  const { specs } = readSpecFile(join(folder, name))
  describe(name.slice(0, -'.md'.length), () => {
    for (const spec of specs.filter(each =>
      each.blocks.some(block => block.kind === 'expect' && block.argument !== 'select'),
    )) {
      it(spec.title, async () => {
        const files = filesOf(spec)
        const look = (texts: ReadonlyMap<string, string>) =>
          knowledgeOf(catalog, projectOf(texts), sourcesOf(spec))
        const knowledge = await look(files)
        const before = problemsIn(knowledge, files)
        for (const diagnostic of before) {
          const { path } = diagnostic
          for (const action of quickFixes({ knowledge, path, text: files.get(path) ?? '', diagnostic })) {
            const what = `${spec.title}: ${action.title} (${diagnostic.code}: ${diagnostic.message})`
            expect(action.edits.length + action.creates.length, what).toBeGreaterThan(0)
            const after = applyEdits(files, action.edits)
            for (const { path: made, text } of action.creates) after.set(made, text)
            const left = problemsIn(await look(after), after)
            const isThere = left.some(each => isSame(each, diagnostic))
            const [was, is] = [countOf(before, diagnostic), countOf(left, diagnostic)]
            expect(isThere && is >= was, what).toBe(false)
            if (!hiders.test(diagnostic.code)) expect(added(before, left), what).toEqual([])
            fixed.add(diagnostic.code)
          }
        }
      }, 60_000)
    }
  })
}

describe('every problem', () => {
  it('that can be mended is', () => {
    const all = diagnosticCodes().map(({ code }) => code)
    const missing = all.filter(
      code => !fixed.has(code) && !withoutFix.has(code) && !/^(python|unit)-/.test(code),
    )
    expect(missing).toEqual([])
  })
})

describe('problems of sources', () => {
  const text = `name: a\ningest: {type: file, endpoint: ./data, resource: "x.dat", options: {delimeter: ";"}, primary_key: [idd]}\ntransform: SELECT id FROM {{ source }}\n`
  const cases = [
    [
      'source-format-unknown',
      '"x.dat"',
      ['format: csv', 'format: json', 'format: ndjson', 'format: parquet'],
    ],
    ['wrong-option', 'delimeter', ['resource: "x.dat", primary_key']],
    ['unknown-primary-key', 'idd', ['primary_key: [id]', 'options: {delimeter: ";"}}']],
  ] as const

  it.each(cases)('%s', async (code, at, expected) => {
    const files = new Map([['models/a.svc', text]])
    const column = { name: 'id', type: 'BIGINT', path: ['id'], system: false, pii: false, nullable: true }
    const sources = new Map([['a', [{ child: undefined, complete: true, columns: [column] }]]])
    const knowledge = await knowledgeOf(catalog, projectOf(files), sources)
    const start = text.indexOf(at)
    const range = { start, end: start + at.length }
    const diagnostic: Diagnostic = { code, severity: 'error', path: 'models/a.svc', range, message: '' }
    const results = quickFixes({ knowledge, path: 'models/a.svc', text, diagnostic }).map(
      action => applyEdits(files, action.edits).get('models/a.svc') ?? '',
    )
    expect(results).toEqual(expected.map(part => expect.stringContaining(part)))
  })
})

function problemsIn(knowledge: Knowledge, files: ReadonlyMap<string, string>): readonly Diagnostic[] {
  return [...files.keys()].flatMap(path => knowledge.diagnostics(path))
}

function sameKind(a: Diagnostic, b: Diagnostic): boolean {
  return a.code === b.code && a.path === b.path
}

function countOf(all: readonly Diagnostic[], diagnostic: Diagnostic): number {
  return all.filter(each => sameKind(each, diagnostic)).length
}

function isSame(a: Diagnostic, b: Diagnostic): boolean {
  return sameKind(a, b) && a.range.start === b.range.start && a.message === b.message
}

/** Problems of a kind that a file has more of than before. */
function added(before: readonly Diagnostic[], after: readonly Diagnostic[]): readonly string[] {
  return after
    .filter(each => countOf(after, each) > countOf(before, each))
    .map(({ code, message }) => `${code} ${message}`)
}
