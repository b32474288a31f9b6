/** What an editor offers and shows in the SQL of PostgreSQL, without asking one. */
import { readFunctionBook } from '@svc/server/catalog'
import { createProject, type Knowledge, parseSettings } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { postgres } from '../../../server/language/engines/postgres/postgres.ts'
import { expandStar } from '../../../server/language/features/actions/expand-star.ts'
import { completionsAt } from '../../../server/language/features/completion/complete-at.ts'
import { hoverAt } from '../../../server/language/features/hover/hover-at.ts'
import { signatureHelpAt } from '../../../server/language/features/signature-help.ts'
import { hash } from '../../support/spec-project.ts'

const path = 'models/report.svc'
const functions = await readFunctionBook(postgres)
const orders = {
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'Mixed', type: 'text' },
    { name: 'detail', type: 'jsonb' },
    { name: 'tags', type: 'text[]' },
  ],
  complete: true,
  lineage: [],
  diagnostics: [],
}

/** The text of an asset with this query, and the place of `|` in it. */
function opened(query: string): {
  readonly knowledge: Knowledge
  readonly text: string
  readonly at: number
} {
  const marked = `name: report\ningest: none\ntransform: |\n  ${query}\n`
  const at = marked.lastIndexOf('|')
  const text = marked.slice(0, at) + marked.slice(at + 1)
  const project = createProject({
    settings: parseSettings(undefined),
    files: [
      { path: 'models/orders.svc', text: 'name: orders\ningest: none\n' },
      { path, text },
    ],
    hash,
  })
  const knowledge = {
    project: Object.create(project, { engine: { value: postgres } }),
    analysis: { of: () => orders },
    sources: new Map(),
    glossary: project.glossary,
    functions,
    diagnostics: () => [],
    environmentVariables: [],
    lastRuns: new Map(),
  } as unknown as Knowledge
  return { knowledge, text, at }
}

function offered(query: string): readonly string[] {
  const { knowledge, at } = opened(query)
  return completionsAt(knowledge, path, at).items.map(({ label }) => label)
}

describe('functions', () => {
  const item = (query: string, name: string) => {
    const { knowledge, at } = opened(query)
    return completionsAt(knowledge, path, at).items.find(({ label }) => label === name)
  }

  it('are offered by PostgreSQL’s names, with calls that it takes', () => {
    expect(item("SELECT date_tr| FROM {{ ref('orders') }}", 'date_trunc')).toMatchObject({
      kind: 'function',
      insert: `date_trunc('\${1:month}', \${2:timestamp})$0`,
    })
    expect(item("SELECT percentile| FROM {{ ref('orders') }}", 'percentile_cont')?.insert).toBe(
      `percentile_cont(\${1:0.5}) WITHIN GROUP (ORDER BY \${2:value})$0`,
    )
    expect(item("SELECT ran| FROM {{ ref('orders') }}", 'rank')?.insert).toBe('rank() OVER ($1)$0')
    expect(item("SELECT current_d| FROM {{ ref('orders') }}", 'current_date')?.insert).toBe('current_date')
    expect(item("SELECT list_su| FROM {{ ref('orders') }}", 'list_sum')).toBeUndefined()
    expect(offered("SELECT | FROM {{ ref('orders') }}")).toEqual(
      expect.arrayContaining(['string_agg', 'to_char', 'jsonb_build_object']),
    )
    expect(offered('SELECT * FROM |')).toEqual(expect.arrayContaining(['jsonb_each', 'generate_series']))
  })

  it('show the form that fits the arguments, and the argument that is being written', () => {
    const { knowledge, at } = opened("SELECT round(id::numeric, |) FROM {{ ref('orders') }}")
    const help = signatureHelpAt(knowledge, path, at)
    expect(help?.signatures[0]).toMatchObject({
      label: 'round(x numeric, digits integer) → numeric',
      documentation: expect.stringContaining('nearest number'),
      activeParameter: 1,
    })
  })

  it('are explained where the pointer is, with an example', () => {
    const { knowledge, at } = opened("SELECT split_p|art(a, '-', 1) FROM {{ ref('orders') }}")
    expect(hoverAt(knowledge, path, at)?.markdown).toMatch(
      /split_part\(string text, delimiter text, n integer\) → text[\s\S]*cut at each delimiter[\s\S]*split_part\('a-b-c', '-', 2\)/,
    )
  })

  it('have types that are offered and explained', () => {
    expect(item("SELECT id::num| FROM {{ ref('orders') }}", 'NUMERIC')).toMatchObject({
      detail: 'exact numbers with digits after the point',
      insert: `NUMERIC(\${1:18},\${2:2})$0`,
    })
    expect(item("SELECT id::str| FROM {{ ref('orders') }}", 'STRUCT')).toBeUndefined()
  })
})

describe('completion', () => {
  it('offers columns, those behind functions and aliases too', () => {
    expect(offered("SELECT o.| FROM {{ ref('orders') }} o")).toEqual(['id', '"Mixed"', 'detail', 'tags'])
    expect(offered("SELECT e.| FROM {{ ref('orders') }} o, jsonb_each(o.detail) e")).toEqual(['key', 'value'])
    expect(
      offered("SELECT x.| FROM {{ ref('orders') }} o, unnest(o.tags) WITH ORDINALITY x (tag, n)"),
    ).toEqual(['tag', 'n'])
  })

  it('offers no words of another engine', () => {
    const words = [
      ...offered("SELECT * FROM {{ ref('orders') }} WHERE id = 1 |"),
      ...offered("SELECT * FROM {{ ref('orders') }} o |"),
      ...offered("SELECT * | FROM {{ ref('orders') }}"),
      ...offered("SELECT id FROM {{ ref('orders') }} GROUP BY |"),
      ...offered('|'),
    ]
    const others = 'ALL ANTI ASOF EXCLUDE QUALIFY RENAME REPLACE SEMI'.split(' ')
    expect(words.filter(word => others.some(other => word.split(' ').includes(other)))).toEqual(
      words.filter(word => word === 'UNION ALL'),
    )
    for (const word of ['GROUP BY', 'LEFT JOIN', 'ORDER BY', 'LIMIT', 'SELECT', 'FROM'])
      expect(words).toContain(word)
  })

  it('offers types and parts of dates', () => {
    expect(offered('SELECT 1::| ')).toEqual(expect.arrayContaining(['BIGINT', 'JSONB', 'TIMESTAMPTZ']))
    expect(offered("SELECT date_trunc('|', now())")).toEqual(expect.arrayContaining(['dow', 'milliseconds']))
  })
})

it('a star is written out with quotes where a name needs them', () => {
  const { knowledge, text } = opened("SELECT * FROM {{ ref('orders') }}|")
  const report = knowledge.project.assets.get(path)
  const edits = report && expandStar(knowledge, report, text.indexOf('*'))[0]?.edits
  expect(edits?.[0]?.newText.replaceAll(/\s+/g, ' ')).toBe('id, "Mixed", detail, tags')
})

it('a column is explained with its type, and a capital letter makes it another one', () => {
  const { knowledge, text, at } = opened('SELECT "Mixed", ID| FROM {{ ref(\'orders\') }}')
  expect(JSON.stringify(hoverAt(knowledge, path, at - 1))).toContain('integer')
  expect(JSON.stringify(hoverAt(knowledge, path, text.indexOf('Mixed')))).toContain('text')
  const wrong = opened("SELECT mixed| FROM {{ ref('orders') }}")
  expect(hoverAt(wrong.knowledge, path, wrong.at - 1)).toBeUndefined()
})
