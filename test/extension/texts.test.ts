/** The parts of the extension that know no editor. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toCompiled, toSource } from '../../extension/compiled/positions.ts'
import { isWithin, sameUri } from '../../extension/projects/uris.ts'
import { filtered, sorted, toCsv, toJson, toMarkdown } from '../../extension/results/table-text.ts'
import { placeOf, previewsIn, type RunEntry, waitingPreview, wordsAgain } from '../../extension/runs.ts'
import { selectorsOf } from '../../extension/selectors.ts'
import { failureText, sidesOf, type TestOutcome } from '../../extension/testing/outcomes.ts'
import { testWords } from '../../extension/testing/test-words.ts'
import {
  ageOf,
  childNodes,
  describe as describeAsset,
  roleOf,
  rootNodes,
} from '../../extension/views/asset-nodes.ts'
import type { AssetSummary, ProjectSummary } from '../../server/lsp/protocol.ts'

const table = {
  columns: [
    { name: 'id', type: 'BIGINT' },
    { name: 'note', type: 'VARCHAR' },
  ],
  rows: [
    { id: 10, note: 'a, "b"' },
    { id: 9, note: null },
    { id: '9007199254740993', note: '' },
    { id: '9007199254740992', note: 'x|y\nz' },
  ],
}

describe('the page of the grid', () => {
  const page = readFileSync(join(import.meta.dirname, '../../extension/results/page.ts'), 'utf8')

  it('has no two buttons of one name, and each says what it is for', () => {
    const buttons = [...page.matchAll(/<button id="([\w-]+)"([^>]*)>([^<]+)<\/button>/g)]
    const names = buttons.map(([, , , words = '']) => words.replace('…', ''))
    expect(buttons.length).toBeGreaterThan(5)
    expect(new Set(names).size).toBe(names.length)
    for (const [, id = '', about = ''] of buttons)
      if (/^(copy|export)/.test(id)) expect(about).toContain('title="')
  })

  it('has a table with a name to be read aloud', () => {
    const [, name = ''] = /<table aria-labelledby="([\w-]+)"/.exec(page) ?? []
    expect(page).toContain(`<h1><span id="${name}">`)
  })
})

describe('rows', () => {
  it('as CSV: NULL is empty, an empty text is not', () => {
    expect(toCsv(table)).toBe(
      'id,note\r\n10,"a, ""b"""\r\n9,\r\n9007199254740993,""\r\n9007199254740992,"x|y\nz"\r\n',
    )
  })

  it('as JSON and Markdown', () => {
    expect(JSON.parse(toJson(table))).toEqual(table.rows)
    expect(toMarkdown(table).split('\n').slice(0, 3)).toEqual([
      '| id | note |',
      '| ---: | --- |',
      '| 10 | a, "b" |',
    ])
    expect(toMarkdown(table)).toContain('| 9007199254740992 | x\\|y z |')
  })

  it('by number, also where no float holds them, and NULL last in both directions', () => {
    const ids = (direction: 'ascending' | 'descending') =>
      sorted(table, 'id', direction).rows.map(({ id }) => id)
    expect(ids('ascending')).toEqual([9, 10, '9007199254740992', '9007199254740993'])
    expect(ids('descending')).toEqual(['9007199254740993', '9007199254740992', 10, 9])
    for (const direction of ['ascending', 'descending'] as const) {
      expect(sorted(table, 'note', direction).rows.at(-1)?.note).toBeNull()
    }
  })

  it('with all words of a filter', () => {
    expect(filtered(table, '  B a ').rows).toHaveLength(1)
    expect(filtered(table, 'null').rows).toHaveLength(1)
    expect(filtered(table, '').rows).toHaveLength(4)
  })
})

describe('words behind svc', () => {
  it('one selector an asset', () => {
    expect(selectorsOf(['a', 'b'], 'only')).toEqual(['a', 'b'])
    expect(selectorsOf(['a'], 'upstream')).toEqual(['+a'])
    expect(selectorsOf(['a'], 'downstream')).toEqual(['a+'])
  })

  it('for tests: one by its name, unit tests without a warehouse', () => {
    const data = { name: 'unique_id', kind: 'unique' }
    const unit = { name: 'adds_up', kind: 'unit' }
    expect(testWords([{ asset: 'a', tests: [data] }], 'dev')).toEqual([
      'test',
      'a',
      '--test',
      'unique_id',
      '--all-tests',
      '--env',
      'dev',
    ])
    expect(
      testWords(
        [
          { asset: 'a', tests: [unit] },
          { asset: 'b', tests: [unit] },
        ],
        'prod',
      ),
    ).toEqual(['test', 'a,b', '--unit', '--env', 'prod'])
    expect(testWords([{ asset: 'a', tests: [data, unit] }], 'dev')).not.toContain('--test')
  })

  it('that do a run again', () => {
    expect(wordsAgain(run({ selector: '+x', environment: 'prod' }))).toEqual(['run', '+x', '--env', 'prod'])
    expect(wordsAgain(run({ kind: 'preview' }))).toEqual(['preview', '--env', 'dev'])
    expect(wordsAgain(run({ kind: 'rollback' }))).toBeUndefined()
  })
})

describe('previews that wait for a promotion', () => {
  const preview = (more: Partial<RunEntry> = {}) => run({ kind: 'preview', promoted: false, ...more })
  const of = (runs: readonly RunEntry[], asset?: string) =>
    previewsIn(runs, 'dev', asset).map(({ selector }) => selector)

  it('are those of the environment that came through', () => {
    const runs = [
      preview({ selector: 'a' }),
      preview({ selector: 'b', environment: 'prod' }),
      preview({ selector: 'c', status: 'Failed' }),
      run({ selector: 'd' }),
    ]
    expect(of(runs)).toEqual(['a'])
  })

  it('are of an asset when their selector names it, or is all', () => {
    const runs = [
      preview({ selector: '+orders,x' }),
      preview({ selector: 'orders_daily' }),
      preview({ selector: null }),
    ]
    expect(of(runs, 'orders')).toEqual(['+orders,x', null])
  })

  it('wait until something of the asset was promoted after them', () => {
    const [first, later] = [preview({ selector: 'orders' }), run({ selector: 'orders+', promoted: true })]
    const other = run({ selector: 'products', promoted: true })
    expect(waitingPreview([first], 'dev', 'orders')).toBe(first)
    expect(waitingPreview([other, first], 'dev', 'orders')).toBe(first)
    expect(waitingPreview([later, first], 'dev', 'orders')).toBeUndefined()
    expect(waitingPreview([first, later], 'dev', 'orders')).toBe(first)
    expect(waitingPreview([first], 'dev', 'products')).toBeUndefined()
  })
})

describe('places', () => {
  it('as svc prints them', () => {
    expect(placeOf('models/a b.svc:6:3')).toEqual({ path: 'models/a b.svc', line: 5, character: 2 })
    expect(placeOf('models/a.svc')).toEqual({ path: 'models/a.svc', line: 0, character: 0 })
  })

  it('addresses that mean one file', () => {
    expect(sameUri('file:///c%3A/My%20Data/x.svc', 'file:///C:/My Data/x.svc')).toBe(true)
    expect(isWithin('file:///a/b/x.svc', 'file:///a/b/')).toBe(true)
    expect(isWithin('file:///a/bc/x.svc', 'file:///a/b')).toBe(false)
  })
})

describe('compiled SQL and its source', () => {
  const lines = ['transform: |', '  SELECT a,', '    b', "  FROM {{ ref('x') }}", '  WHERE c']
  const sql = 'SELECT a,\n  b\nFROM "analytics"."x"\nWHERE c'
  // What stands in both, line by line or several lines as one piece.
  const map = [
    { from: 0, to: 19, range: { start: { line: 1, character: 2 }, end: { line: 3, character: 7 } } },
    { from: 34, to: 42, range: { start: { line: 3, character: 21 }, end: { line: 4, character: 9 } } },
  ]

  it.each([
    [1, 2, 'SELECT'],
    [2, 4, 'b'],
    [3, 2, 'FROM'],
    [4, 2, 'WHERE'],
    [4, 8, 'c'],
  ])('line %i, character %i is %s in both directions', (line, character, word) => {
    const offset = toCompiled(map, lines, { line, character })
    expect(sql.slice(offset)).toMatch(new RegExp(`^${word}`))
    expect(toSource(map, lines, offset ?? -1)).toEqual({ line, character })
  })

  it('a tag leads to the table that it became; a place outside of the query leads nowhere', () => {
    expect(toCompiled(map, lines, { line: 3, character: 12 })).toBe(34)
    expect(toCompiled(map, lines, { line: 0, character: 0 })).toBeUndefined()
    expect(toCompiled([], lines, { line: 1, character: 2 })).toBeUndefined()
  })
})

describe('tests that failed', () => {
  it('say their message and their rows', () => {
    const sample = [
      { id: 1, name: null },
      { id: 22, name: 'x' },
    ]
    expect(failureText(outcome({ failures: 5, sample, message: '5 rows' }))).toBe(
      '5 rows\nid  name\n1   NULL\n22  x\n… 3 more',
    )
    expect(failureText(outcome({ failures: 1, severity: 'warn' }))).toContain('does not stop a promotion')
  })

  it('a unit test has two sides whose lines stand opposite each other', () => {
    const { expected, actual } = sidesOf({
      columns: ['day', 'total'],
      rows: [
        {
          kind: 'changed',
          cells: [
            { expected: '1', actual: '1.0', same: true },
            { expected: '10', actual: '9', same: false },
          ],
        },
        {
          kind: 'missing',
          cells: [
            { expected: '2', same: false },
            { expected: null, same: false },
          ],
        },
        {
          kind: 'unexpected',
          cells: [
            { actual: '3', same: false },
            { actual: '7', same: false },
          ],
        },
      ],
      more: 2,
    })
    expect(expected).toBe('day  total\n1.0  10\n2    NULL\n(no row)\n… 2 more')
    expect(actual).toBe('day  total\n1.0  9\n(no row)\n3    7\n… 2 more')
  })
})

describe('the tree of assets', () => {
  const orders = asset({ name: 'orders', layer: 'sources' })
  const loose = asset({ name: 'loose' })
  const one = project('shop', [loose, orders])

  it('has no level for a single project, and folders first', () => {
    expect(rootNodes([one]).map(node => node.kind)).toEqual(['layer', 'asset'])
    expect(rootNodes([one, project('other', [])]).map(node => node.kind)).toEqual(['project', 'project'])
    const [folder] = rootNodes([one])
    expect(folder === undefined ? [] : childNodes(folder)).toMatchObject([{ asset: { name: 'orders' } }])
  })

  it('says how an asset is, in the word of the dashboard', () => {
    const lastRun = {
      environment: 'dev',
      status: 'Failed',
      finishedAt: '2024-01-01T00:00:00Z',
      rows: 1_234_567,
    }
    const failed = { word: 'Failed', role: 'fail' } as const
    const heldBack = { word: 'Held back', role: 'warn' } as const
    expect(roleOf(asset({ warnings: 1, lastRun, state: failed }))).toBe('fail')
    expect(roleOf(asset({ warnings: 1, state: { word: 'Deployed', role: 'pass' } }))).toBe('warn')
    expect(roleOf(asset({}))).toBe('quiet')
    const now = new Date('2024-01-01T05:00:00Z')
    expect(describeAsset(asset({ lastRun, state: failed }), now)).toBe('Failed · 5 h ago')
    const skipped = { ...lastRun, status: 'skipped' }
    expect(describeAsset(asset({ lastRun: skipped, state: heldBack }), now)).toBe('Held back · 5 h ago')
    const stale = { word: 'Stale (WARN)', role: 'warn' } as const
    const deployed = { ...lastRun, status: 'deployed' }
    expect(describeAsset(asset({ lastRun: deployed, state: stale }), now)).toBe(
      'Stale (WARN) · 1.2M rows · 5 h ago',
    )
    expect(ageOf(new Date('2024-01-01T04:59:30Z'), now)).toBe('just now')
  })
})

function run(facts: Partial<RunEntry>): RunEntry {
  return {
    run_id: '5h1t8zkq2m',
    kind: 'run',
    environment: 'dev',
    selector: null,
    status: 'deployed',
    ending: 'finished',
    verdict: 'Deployed',
    warned: 0,
    causes: [],
    more_causes: 0,
    promoted: true,
    started_at: null,
    finished_at: null,
    seconds: null,
    failure: null,
    bytes: 0,
    changed_at: '',
    in_future: false,
    ...facts,
  }
}

function outcome(facts: Partial<TestOutcome>): TestOutcome {
  return {
    id: 'a/t',
    asset: 'a',
    name: 't',
    kind: 'unique',
    column: null,
    severity: 'error',
    status: 'fail',
    failures: 1,
    message: null,
    sample: [],
    diff: null,
    execution_time: 0.1,
    scan: null,
    ran: true,
    place: 'models/a.svc:3:5',
    ...facts,
  }
}

function asset(facts: Partial<AssetSummary>): AssetSummary {
  return {
    name: 'a',
    uri: `file:///p/${facts.name ?? 'a'}.svc`,
    layer: '',
    kind: 'model',
    description: '',
    tags: [],
    errors: 0,
    warnings: 0,
    state: { word: 'Never run', role: 'quiet' },
    lastRun: undefined,
    ...facts,
  }
}

function project(name: string, assets: readonly AssetSummary[]): ProjectSummary {
  return {
    root: `file:///${name}`,
    name,
    environments: [],
    assets,
    glossary: [],
    problems: { errors: 0, warnings: 0 },
  }
}
