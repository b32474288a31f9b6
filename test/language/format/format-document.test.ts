import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type CST, Parser } from 'yaml'
import { formatDocument, formatEdits, formatRangeEdits } from '../../../server/language/format/index.ts'
import { applyEdits } from '../../../server/language/format/line-edits.ts'
import {
  canonicalDefinition,
  definitionHash,
  type PythonTools,
  parseAsset,
  parseYaml,
  testHash,
} from '../../../server/language/index.ts'
import { openPython } from '../../../server/python/index.ts'
import { engine, reading } from '../../support/engine.ts'
import { times } from '../../support/long.ts'
import { seededRandom } from '../../support/random.ts'
import { randomAsset } from '../../support/random-assets.ts'
import { retyped } from './retype.ts'
import { damaged, reserialized, withOddSpaces } from './shuffle-layout.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const files = ['examples', 'test/fixtures'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.svc') || /(^|[\\/])(svc|glossary)\.yaml$/.test(path))
    .map(path => [join(folder, path), readFileSync(join(root, folder, path), 'utf8')] as const),
)
let python: PythonTools

beforeAll(async () => {
  python = await openPython()
})

function format(text: string, kind: 'asset' | 'yaml' = 'asset') {
  const formatted = formatDocument(text, { kind, engine, python })
  if (formatted.kind === 'broken') throw new Error(`not YAML: ${JSON.stringify(formatted.problems)}\n${text}`)
  return formatted
}

describe('a file', () => {
  it.each([
    [
      'indentation and lists',
      'tests:\n- unique:   id\n-   not_null: [ a,b ]\n',
      'tests:\n  - unique: id\n  - not_null: [a, b]\n',
    ],
    ['empty lines', '\n\na: 1\n\n\n\nb:\n\n  c: 2\n\n', 'a: 1\n\nb:\n  c: 2\n'],
    [
      'comments stay where they are',
      '# top\na: 1   # beside\n# above\nb:\n    # in\n    c: 2\n    # last\n# end\n',
      '# top\na: 1 # beside\n# above\nb:\n  # in\n  c: 2\n  # last\n# end\n',
    ],
    ['quotes stay', `a: "x"\nb: 'y'\nc: "1"\n`, `a: "x"\nb: 'y'\nc: "1"\n`],
    ['anchors and aliases', 'a:   &x\n    b: 1\nc:   *x\n', 'a: &x\n  b: 1\nc: *x\n'],
    [
      'a text block',
      'description: |\n      one\n        two  \n\n      three\nname: x\n',
      'description: |\n  one\n    two  \n\n  three\nname: x\n',
    ],
    [
      'a text block that begins with spaces',
      'description: |3\n      one\n   two\n',
      'description: |2\n     one\n  two\n',
    ],
    [
      'a folded text',
      'description: >-\n    one\n    two\n\n    three\n',
      'description: >-\n  one\n  two\n\n  three\n',
    ],
    [
      'a plain text of several lines',
      'description: one\n      two\n\n      three\n',
      'description: one\n  two\n\n  three\n',
    ],
    [
      'a list in brackets over several lines',
      'a: [1,\n  2]\nb: [\n  1, 2\n]\n',
      'a: [1, 2]\nb: [\n  1,\n  2\n]\n',
    ],
    [
      'comments in brackets',
      'a: {x: 1, # one\n  # two\n  y: 2}\n',
      'a: {\n  x: 1, # one\n  # two\n  y: 2\n}\n',
    ],
    ['no line break at the end', 'a: 1', 'a: 1\n'],
    ['nothing', '', ''],
    ['only a comment', '  # x  ', '# x\n'],
    ['a document mark', '---\na:   1\n', '---\na: 1\n'],
    ['line breaks of Windows', 'a:   1\r\n\r\n\r\nb: |\r\n   x\r\n', 'a: 1\r\n\r\nb: |\r\n  x\r\n'],
    ['a byte order mark', '\uFEFFa:   1\n', '\uFEFFa: 1\n'],
    ['SQL in a block', 'transform: |\n     select 1\n     from  a\n', 'transform: |\n  SELECT 1\n  FROM a\n'],
    [
      'SQL that is folded',
      'transform: >\n  select 1\n  from a -- c\n',
      'transform: |\n  SELECT 1\n  FROM a -- c\n',
    ],
    ['SQL on one line', 'transform: select 1 from  a\n', 'transform: SELECT 1 FROM a\n'],
    [
      'SQL in quotes',
      `transform: "select 'a: b' from  \\"x\\""\n`,
      `transform: "SELECT 'a: b' FROM \\"x\\""\n`,
    ],
    [
      'SQL that is too long for its line',
      `transform: select ${'aaaaaaaaa, '.repeat(12)}b from c\n`,
      `transform: |\n  SELECT\n${'    aaaaaaaaa,\n'.repeat(12)}    b\n  FROM c\n`,
    ],
    [
      'SQL of a test',
      'tests:\n  -  sql: |\n       select 1\n     where: a and b\n',
      'tests:\n  - sql: |\n      SELECT 1\n    where: a AND b\n',
    ],
    [
      'Python',
      'transform:\n  python: |\n      def transform( svc ):\n        return {"a":1,  \'b\':2}\n',
      'transform:\n  python: |\n    def transform(svc):\n        return {"a": 1, "b": 2}\n',
    ],
  ])('%s', (_, before, after) => {
    expect(format(before).text).toBe(after)
    expect(format(after).text).toBe(after)
  })

  it('that is not YAML is not touched, and says why', () => {
    const formatted = formatDocument('a: [1\nb: }\n', { kind: 'asset', engine })
    expect(formatted).toMatchObject({ kind: 'broken', problems: [{ code: 'yaml-syntax' }, {}] })
  })

  it('keeps a block that cannot be laid out, and names it', () => {
    const text = 'name:   a\ntransform: |\n   select (1\n'
    const { text: after, left } = format(text)
    expect(after).toBe('name: a\ntransform: |\n  select (1\n')
    expect(left).toMatchObject([{ what: 'sql', message: 'the SQL of transform stays as it is' }])
    expect(text.slice(left[0]?.range.start, left[0]?.range.end)).toBe('|\n   select (1')
  })

  it('lays out the statements around a build, in lists and alone, and no query for another database', () => {
    const text = [
      'name: a',
      "ingest: {type: sql, query: 'select * from t'}",
      'deploy:',
      '  before:',
      '    - create table t as select 1',
      '    - |',
      '      select 1,',
      '        2',
      '  after: [\'analyze\', "select 1"]',
      '',
    ].join('\n')
    const { text: after, left } = format(text)
    expect(left).toEqual([])
    expect(after).toBe(
      [
        'name: a',
        "ingest: {type: sql, query: 'select * from t'}",
        'deploy:',
        '  before:',
        '    - CREATE TABLE t AS SELECT 1',
        '    - |',
        '      SELECT 1, 2',
        '  after: [\'ANALYZE\', "SELECT 1"]',
        '',
      ].join('\n'),
    )
    expect(format(after).text).toBe(after)
  })

  it('keeps Python that has a syntax error, and all of it without its tools', () => {
    const broken = 'transform:\n  python: |\n    def f(:\n'
    expect(format(broken)).toMatchObject({ text: broken, left: [{ what: 'python' }] })
    const odd = 'transform:\n  python: |\n    a  =  1\n'
    expect(formatDocument(odd, { kind: 'asset', engine })).toMatchObject({ kind: 'formatted', text: odd })
  })

  it('of settings has no SQL', () => {
    expect(format('transform:   select  1\n', 'yaml').text).toBe('transform: select  1\n')
  })
})

describe('edits', () => {
  it('change only lines that change', () => {
    const text = 'a: 1\nb:   2\nc: 3\nd:   4\n'
    const edits = formatEdits(text, { kind: 'yaml', engine })
    expect(edits.map(({ range }) => text.slice(range.start, range.end))).toEqual(['b:   2\n', 'd:   4\n'])
    expect(applyEdits(text, edits)).toBe('a: 1\nb: 2\nc: 3\nd: 4\n')
  })

  it('of a selection change what it touches', () => {
    const text = 'a:   1\nb:   2\nc: 3\nd:   4\n'
    const range = { start: 8, end: 9 }
    expect(applyEdits(text, formatRangeEdits(text, range, { kind: 'yaml', engine }))).toBe(
      'a: 1\nb: 2\nc: 3\nd:   4\n',
    )
  })

  it('of half a block change it as a whole', () => {
    const text = 'a:\n    b: 1\n    c: 2\nd: 3\ne:\n    f: 1\n'
    const range = { start: 4, end: 5 }
    const after = applyEdits(text, formatRangeEdits(text, range, { kind: 'yaml', engine }))
    expect(parseYaml(after)).toMatchObject({ problems: [] })
    expect(after).toContain('a:\n  b: 1\n  c: 2\n')
  })

  it('are none in a text that is not YAML', () => {
    expect(formatEdits('a: [', { kind: 'yaml', engine })).toEqual([])
  })
})

describe('formatting', () => {
  it('leaves what this repository shows as it is', () => {
    const changed = files.filter(([path, text]) => format(text, kindOf(path)).text !== text)
    expect(changed.map(([path]) => path)).toEqual([])
    expect(files.length).toBeGreaterThan(25)
  })

  it('changes no meaning, loses no comment and is done after once, however a file is laid out', () => {
    const random = seededRandom(11)
    const assets = [
      ...files.filter(([path]) => path.endsWith('.svc')).map(([, text]) => text),
      ...Array.from({ length: times(15, 60) }, (_, index) => randomAsset(index % 14, random.next)),
    ]
    let changes = 0
    for (const text of assets) {
      for (let round = 0; round < times(1, 4); round++) {
        const other = withOddSpaces(reserialized(retypedBlocks(text, random), random), random)
        if (parseYaml(other).problems.length > 0) continue
        if (expectSafe(other)) changes++
      }
    }
    expect(changes).toBeGreaterThan(assets.length * times(0.5, 2))
  })

  it('of a text that somebody has damaged never fails, and is done after once', () => {
    const assets = files.filter(([path]) => path.endsWith('.svc')).map(([, text]) => text)
    let formatted = 0
    for (let seed = 0; seed < times(100, 400); seed++) {
      const random = seededRandom(seed)
      const text = damaged(random.pick(assets), random)
      const once = formatDocument(text, { kind: 'asset', engine })
      if (once.kind === 'broken') continue
      formatted++
      const again = formatDocument(once.text, { kind: 'asset', engine })
      expect(again.kind === 'formatted' ? again.text : again.problems, `seed ${seed}`).toEqual(once.text)
      // Only an explicit key is beyond us.
      if (!text.includes('? ')) expect(once.left.filter(({ what }) => what === 'yaml')).toEqual([])
    }
    expect(formatted).toBeGreaterThan(times(25, 100))
  })

  it('gives edits that lead to its text', () => {
    const random = seededRandom(12)
    for (const [path, text] of files) {
      const other = path.endsWith('.svc')
        ? reserialized(retypedBlocks(text, random), random)
        : reserialized(text, random)
      const options = { kind: kindOf(path), engine, python }
      expect(applyEdits(other, formatEdits(other, options))).toBe(format(other, kindOf(path)).text)
    }
  })
})

function kindOf(path: string): 'asset' | 'yaml' {
  return path.endsWith('.svc') ? 'asset' : 'yaml'
}

function retypedBlocks(text: string, random: ReturnType<typeof seededRandom>): string {
  return text.replace(/^transform: \|\n((?: {2}.*\n)+)/m, (_, body: string) => {
    const sql = retyped(body.replace(/^ {2}/gm, ''), random)
    return `transform: |\n${sql.replace(/^(?=.)/gm, '  ')}\n`
  })
}

/** Whether the text was changed at all. */
function expectSafe(text: string): boolean {
  const once = format(text).text
  const [before, after] = [
    parseAsset('models/a.svc', text, reading, hash),
    parseAsset('models/a.svc', once, reading, hash),
  ]
  const vars = { v: 1 }
  expect(canonicalDefinition(after, engine, vars)).toBe(canonicalDefinition(before, engine, vars))
  expect(definitionHash(after, engine, vars, hash)).toBe(definitionHash(before, engine, vars, hash))
  const tests = (asset: typeof before) =>
    asset.definition.tests.map(test => testHash(asset, test, engine, hash, vars))
  expect(tests(after)).toEqual(tests(before))
  expect(commentsOf(once)).toEqual(commentsOf(text))
  expect(format(once).text).toBe(once)
  return once !== text
}

/** Of the YAML, in order of their text. */
function commentsOf(text: string): string[] {
  const found: string[] = []
  const see = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const token = value as Partial<CST.SourceToken>
    if (token.type === 'comment') found.push((token.source ?? '').trimEnd())
    else for (const each of Object.values(value)) see(each)
  }
  for (const token of new Parser().parse(text)) see(token)
  return found.sort()
}
