import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AssetAnalysis, ProjectAnalysis } from '@svc/server/language'
import { checkAsset, checkProject, diagnosticCodes, diagnosticsPage } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { checks } from '../../server/language/checks/index.ts'
import { readSpecFile } from '../support/spec.ts'
import { projectOf } from '../support/spec-project.ts'

const server = fileURLToPath(new URL('../../server', import.meta.url))
const workspace = fileURLToPath(new URL('../../cli/engine/workspace', import.meta.url))
const specs = fileURLToPath(new URL('specs', import.meta.url))

const model = (name: string, sql: string, rest = '') =>
  `name: ${name}\ningest: none\ntransform: ${sql}\n${rest}`

describe('the list of checks', () => {
  it('has one file a check, named after its code, and each has a spec that shows it', () => {
    const known = new Set(readdirSync(join(server, 'language/checks')))
    for (const { code, doc } of checks) {
      expect(known).toContain(`${code}.ts`)
      expect(doc).toMatch(/^[A-Z`].*\.$/)
      const answers = readSpecFile(join(specs, `${code}.md`)).specs.flatMap(spec => spec.blocks)
      expect(
        answers
          .filter(block => block.kind === 'expect')
          .map(block => block.text)
          .join(''),
      ).toContain(` ${code} `)
    }
  })

  it('explains every code that the source can emit, once, and no other', () => {
    const explained = diagnosticCodes().map(({ code }) => code)
    expect(new Set(explained).size).toBe(explained.length)
    const source = sourceTexts()
    expect(emittedCodes(source).filter(code => !explained.includes(code))).toEqual([])
    expect(explained.filter(code => !source.includes(`'${code}'`))).toEqual([])
    const page = diagnosticsPage()
    for (const { code, doc } of diagnosticCodes()) expect(page).toMatch(entryOf(code, doc))
  })
})

function entryOf(code: string, doc: string): RegExp {
  return new RegExp(
    `^- \\[\`${code}\`\\]\\(diagnostics/${code}\\.md\\)( \\(\\w+\\))?: ${doc.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`,
    'm',
  )
}

/** The language, the catalogue and who reads the files in one text, without the list of codes itself. */
function sourceTexts(): string {
  return [server, workspace].flatMap(textsIn).join('\n')
}

function textsIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    name => name.endsWith('.ts') && !name.includes('node_modules') && !name.endsWith('diagnostic-codes.ts'),
  )
  return files.map(name => readFileSync(join(folder, name), 'utf8'))
}

function emittedCodes(source: string): readonly string[] {
  const found = Array.from(source.matchAll(/\bcode: '([a-z]+(?:-[a-z]+)*)'/g), match => match[1] ?? '')
  return [...new Set(found)].sort()
}

describe('a file with too many problems', () => {
  const lines = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n')
  const problemsOf = (text: string) =>
    checkProject(projectOf(new Map([['models/a.svc', text]])), undefined).get('models/a.svc') ?? []

  it.each([
    [
      'unknown keys',
      (count: number) =>
        model(
          'a',
          'SELECT 1 AS id',
          lines(count, index => `key${index}: 1`),
        ),
    ],
    ['tags', (count: number) => model('a', `|\n${lines(count, () => '  {{ x')}`)],
    [
      'the same test',
      (count: number) => model('a', 'SELECT 1', `tests:\n${lines(count, () => '  - not_null: x')}`),
    ],
    [
      'secrets',
      (count: number) =>
        model(
          'a',
          'SELECT 1',
          `description: |\n${lines(count, index => `  postgres://u:secret${index}@h/d`)}`,
        ),
    ],
  ])('lists a thousand, and says that there are more: %s', (_name, textOf) => {
    expect(problemsOf(textOf(900)).length).toBeLessThan(1000)
    const found = problemsOf(textOf(30_000))
    expect(found).toHaveLength(1000)
    expect(found.at(-1)?.code).toBe('too-many-problems')
    expect(found.at(-1)?.severity).toBe(found[0]?.severity)
    expect(JSON.stringify(found)).not.toMatch(/secret\d/)
  })
})

describe('checkProject', () => {
  const files = new Map([
    ['models/a.svc', model('a', "SELECT * FROM {{ ref('nope') }}")],
    ['models/b.svc', model('b', 'SELECT 1 AS id')],
  ])

  it('answers for every file and for svc.yaml, an empty list where all is well', () => {
    const found = checkProject(projectOf(files), undefined)
    expect([...found.keys()].sort()).toEqual(['models/a.svc', 'models/b.svc', 'svc.yaml'])
    expect(found.get('models/a.svc')?.map(diagnostic => diagnostic.code)).toEqual(['unknown-ref'])
    expect(found.get('models/b.svc')).toEqual([])
  })

  it('shows what is wrong with svc.yaml under its own path', () => {
    const found = checkProject(projectOf(new Map([['svc.yaml', 'warehose: duckdb:x.duckdb\n']])), undefined)
    expect(found.get('svc.yaml')).toMatchObject([{ path: 'svc.yaml', code: 'unknown-key' }])
  })

  it('remembers the results of a snapshot and forgets them with another analysis', () => {
    const project = projectOf(files)
    const once = checkAsset(project, 'models/a.svc', undefined)
    expect(checkAsset(project, 'models/a.svc', undefined)).toBe(once)
    const analysis = analysisOf({ a: problem(3) })
    expect(checkAsset(project, 'models/a.svc', analysis)).toHaveLength(2)
    expect(checkAsset(project, 'models/c.svc', undefined)).toEqual([])
  })

  it('a new snapshot sees what another file changed', () => {
    const before = projectOf(files)
    expect(checkAsset(before, 'models/a.svc', undefined)).toHaveLength(1)
    const after = before.with('models/nope.svc', model('nope', 'SELECT 1 AS id'))
    expect(checkAsset(after, 'models/a.svc', undefined)).toEqual([])
    expect(checkAsset(before, 'models/a.svc', undefined)).toHaveLength(1)
  })

  it('puts SQL problems in their place among the others, each once', () => {
    const analysis = analysisOf({ a: [...problem(70), ...problem(3), ...problem(3)] })
    const found = checkAsset(projectOf(files), 'models/a.svc', analysis)
    expect(found.map(({ range, code }) => [range.start, code])).toEqual([
      [3, 'sql-other'],
      [54, 'unknown-ref'],
      [70, 'sql-other'],
    ])
  })

  it('gives the SQL problems of a name to the first file of that name only', () => {
    const twice = new Map([...files, ['models/c.svc', model('b', 'SELECT 2 AS id')]])
    const found = checkProject(projectOf(twice), analysisOf({ b: problem(3) }))
    expect(found.get('models/b.svc')?.map(it => it.code)).toEqual(['sql-other'])
    expect(found.get('models/c.svc')?.map(it => it.code)).toEqual(['duplicate-name'])
  })
})

function problem(start: number) {
  return [
    {
      code: 'sql-other',
      severity: 'error' as const,
      message: 'no',
      path: 'models/a.svc',
      range: { start, end: start + 1 },
    },
  ]
}

function analysisOf(problems: Readonly<Record<string, AssetAnalysis['diagnostics']>>): ProjectAnalysis {
  return {
    of: name => ({
      name,
      columns: [],
      complete: false,
      lineage: [],
      rowUses: [],
      uses: [],
      volatile: false,
      diagnostics: problems[name] ?? [],
    }),
  }
}
