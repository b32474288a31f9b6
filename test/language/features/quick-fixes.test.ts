/**
 * Every quick fix is tried on every problem of the specs: the problem is gone afterwards, and nothing else is wrong that
 * was right before. What a fix cannot be judged by is named below.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openCatalog } from '@svc/server/catalog'
import type { Catalog, Diagnostic, Facts, Project, SourceShapes } from '@svc/server/language'
import { diagnosticCodes } from '@svc/server/language'
import { afterAll, describe, expect, it } from 'vitest'
import { startProcess, startWorkersBy } from '../../../server/catalog/worker/worker-process.ts'
import { quickFixes } from '../../../server/language/features/actions/code-actions.ts'
import type { Knowledge } from '../../../server/language/features/knowledge.ts'
import { knowledgeOf } from '../../support/knowledge.ts'
import { readSpecFile } from '../../support/spec.ts'
import { applyEdits, filesOf, projectOf, sourcesOf } from '../../support/spec-project.ts'

startWorkersBy(startProcess)

const folder = join(import.meta.dirname, '..', 'specs')

const catalogs = new Map<string, Promise<Catalog>>()
afterAll(async () => {
  for (const catalog of catalogs.values()) (await catalog).close()
})

/** A fix may give the project another engine. */
function catalogOf({ engine }: Project): Promise<Catalog> {
  const catalog = catalogs.get(engine.kind) ?? openCatalog(engine)
  catalogs.set(engine.kind, catalog)
  return catalog
}

async function knowledgeIn(project: Project, sources?: SourceShapes): Promise<Knowledge> {
  return knowledgeOf(await catalogOf(project), project, sources)
}

/** A policy whose pattern is put right finds the breaches that it is there for. */
const foundByPolicy = /^(policy-breach|publish-personal) /

/** What is read for the first time when these are repaired may have problems of its own. */
const hiders =
  /^(yaml-|unclosed-tag|unquoted-template|invalid-tag|unknown-macro|sql-syntax|missing-key|unknown-key|duplicate-key|wrong-type|wrong-value|unknown-ref|sql-unknown-table|sql-unknown-column|not-built-yet|duplicate-name|invalid-name|sql-ambiguous-column|disabled-parent|hard-coded-credentials|contract-unknown-column|test-unknown-column|glossary-unknown-asset|glossary-unknown-term|sql-no-matching-function|unit-|sql-bad-literal|unknown-type|unknown-source-child)/

/** Problems that no edit of ours could repair, and why. */
const withoutFix: ReadonlyMap<string, string> = new Map([
  ['invalid-lock', 'which side of a conflict is right only the users know'],
  ['declaration-not-loaded', 'what the database has only its users know'],
  ['extension-not-loaded', 'what is missing is no text: a file, a network, a version'],
  ['publish-personal', 'whether personal data may leave only a person can say'],
  ['policy-breach', 'whether personal data may be shown only a person can say'],
  ['sql-too-expensive', 'which of the rows were too many only the user knows'],
  ['metric-without-time', 'whether the grain is wrong or a column lacks its type only the user knows'],
  ['selector-unmatched', 'it stands in svc.yaml, and what was to be selected only the user knows'],
  ['cycle', 'which of the assets reads the wrong one only the user knows'],
  ['file-too-large', 'rows belong into a data file that svc does not write'],
  ['not-utf8', 'which characters the bytes were to be nobody can say'],
  ['python-syntax', 'ruff names no edit for what it cannot parse'],
  ['cursor-conflict', 'what the source is to be asked for only the user knows'],
  ['for-each-placeholder', 'where the value of a row belongs only the user knows'],
  ['self-ref', 'what the asset was to read instead only the user knows'],
  ['source-file-missing', 'a fix reads no folder, and the file may be to come'],
  ['source-file-unreadable', 'it is the data that is broken, not the text'],
  ['source-without-ingest', 'where the data come from only the user knows'],
  ['macro-cycle', 'which of the calls is the wrong one only the user knows'],
  ['macro-duplicate', 'which of the two is to have another name only the user knows'],
  ['macro-reserved-name', 'what else to call it only the user knows'],
  ['macro-syntax', 'what was meant is not in the file'],
  ['macro-too-long', 'what deserves an asset of its own only the user knows'],
  ['macro-unused-parameter', 'where it was to be used only the user knows'],
  ['own-test-broken', 'it is repaired in the file of the test, where the problem itself is'],
  ['own-test-syntax', 'what was meant is not in the file'],
  ['sql-reaches-out', 'which asset, source or variable holds what was wanted only the user knows'],
  ['where-reaches-out', 'what the rows are to be compared with only the user knows'],
  ['file-passed-over', 'a fix renames no file'],
  ['link-outside', 'the file itself lies outside of the project'],
  ['sql-not-a-select', 'what rows were wanted instead is not in the text'],
  ['sql-other', 'an error of DuckDB whose cause is not known'],
  ['sql-shadowed-column', 'which of the two columns is meant only the user knows'],
  ['sql-too-large', 'where a query of thousands of lines can be parted only the user knows'],
  ['sql-type', 'which of the two types is the wrong one only the user knows'],
  ['sql-wrong-arity', 'which column is missing or too many only the user knows'],
  ['too-many-problems', 'it stands for problems that have fixes of their own'],
  ['yaml-alias', 'what the name was to stand for is nowhere in the file'],
  ['yaml-depth', 'nobody means it, so nothing is nearest'],
  ['yaml-merge', 'which of the merged keys count only the user knows; the key itself can be removed'],
])

/**
 * Found when files are looked at, which no spec does; those with a fix are tried below, that of child tables in
 * `child-contracts.test.ts`.
 */
const ofSources: ReadonlySet<string> = new Set([
  'child-not-a-list',
  'exclude-inside-json',
  'history-of-lists',
  'mask-without-column',
  'names-meet',
  'source-columns-unknown',
  'source-format-unknown',
  'unknown-primary-key',
  'unmatched-column',
  'wrong-option',
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
        const look = (texts: ReadonlyMap<string, string>) => knowledgeIn(projectOf(texts), sourcesOf(spec))
        const knowledge = await look(files)
        const before = problemsIn(knowledge, files)
        for (const diagnostic of before.filter(({ code }) => !ofSources.has(code))) {
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
            const isPolicy = diagnostic.code === 'policy-without-asset'
            const more = added(before, left).filter(each => !(isPolicy && foundByPolicy.test(each)))
            if (!hiders.test(diagnostic.code)) expect(more, what).toEqual([])
            fixed.add(diagnostic.code)
          }
        }
      }, 240_000)
    }
  })
}

describe('every problem', () => {
  it('that can be repaired is', () => {
    const all = diagnosticCodes().map(({ code }) => code)
    const missing = all.filter(
      code =>
        !fixed.has(code) && !withoutFix.has(code) && !ofSources.has(code) && !/^(python|unit)-/.test(code),
    )
    expect(missing).toEqual([])
  })

  it('is a problem that there is, and is not repaired, where that is said', () => {
    const all = new Set(diagnosticCodes().map(({ code }) => code))
    expect([...withoutFix.keys(), ...ofSources].filter(code => !all.has(code))).toEqual([])
    expect([...withoutFix.keys()].filter(code => fixed.has(code))).toEqual([])
  })
})

describe('problems of sources', () => {
  const text = `name: a
ingest: {type: file, endpoint: ./data, resource: "x.dat", options: {delimeter: ";"}, primary_key: [idd], exclude: [id, js.x], mask: {jss: redact, a: hash}}
transform: SELECT id, upper("Name") AS name, l.sku FROM {{ source }} JOIN {{ source('lines') }} AS l ON l._svc_parent_id = id
`
  const cases: readonly (readonly [code: string, at: string, parts: readonly string[]])[] = [
    [
      'source-format-unknown',
      '"x.dat"',
      ['format: csv', 'format: json', 'format: ndjson', 'format: parquet'],
    ],
    ['wrong-option', 'delimeter', ['resource: "x.dat", primary_key']],
    ['unknown-primary-key', 'idd', ['primary_key: [id]', 'options: {delimeter: ";"}, exclude']],
    ['exclude-inside-json', 'js.x', ['exclude: [id], mask']],
    ['history-of-lists', 'ingest', ['nested: json}']],
    ['names-meet', 'ingest', ['naming: source}']],
    ['unmatched-column', 'js.x', ['exclude: [id], mask']],
  ]
  const column = { name: 'id', type: 'BIGINT', path: ['id'], system: false, pii: false, nullable: true }
  const known: SourceShapes = new Map([['a', [{ child: undefined, complete: true, columns: [column] }]]])

  async function resultsOf(
    code: string,
    at: string,
    sources: SourceShapes,
    facts: Facts = {},
  ): Promise<readonly string[]> {
    const files = new Map([['models/a.svc', text]])
    const knowledge = await knowledgeIn(projectOf(files), sources)
    const start = text.indexOf(at)
    const range = { start, end: start + at.length }
    const diagnostic: Diagnostic = {
      code,
      severity: 'error',
      path: 'models/a.svc',
      range,
      message: '',
      facts,
    }
    return quickFixes({ knowledge, path: 'models/a.svc', text, diagnostic }).map(
      action => applyEdits(files, action.edits).get('models/a.svc') ?? '',
    )
  }

  it.each(cases)('%s', async (code, at, expected) => {
    expect(await resultsOf(code, at, known)).toEqual(expected.map(part => expect.stringContaining(part)))
  })

  it('mask-without-column', async () => {
    expect(await resultsOf('mask-without-column', 'jss', known, { nearest: 'js' })).toEqual([
      expect.stringContaining('mask: {js: redact, a'),
      expect.stringContaining('mask: {a: hash}'),
    ])
  })

  it('source-columns-unknown: what the file reads of the source itself is named in the contract', async () => {
    const [result = ''] = await resultsOf('source-columns-unknown', 'ingest', new Map())
    expect(result).toContain('\ncontract:\n  columns:\n    idd: {}\n    id: {}\n    Name: {}\ntransform: ')
    const project = projectOf(new Map([['models/a.svc', result]]))
    expect(project.assets.get('models/a.svc')?.diagnostics).toEqual([])
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
