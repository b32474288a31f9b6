/** The one file with five mistakes that data tools are compared with: every one is shown, on its place, in one go. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCommand, createProject, type TestProject } from '../support/cli.ts'

const source = `name: m_00028
ingest: none
transform: |
  SELECT 1::BIGINT AS id, 1 AS k1, 1 AS k2, 'a' AS name, 'open' AS status,
         1.5::DECIMAL(12,2) AS amount, 1 AS qty, TIMESTAMP '2024-01-01' AS ts
`

const broken = `name: m_00050
ingest: none
transform: |
  WITH base AS (
    SELECT id, k1, k2, nmae, status, amount, qty, ts
    FROM {{ ref('m_00028') }}
  )
  SELECT
    b.id AS id,
    b.k1 AS k1,
    SUM(b.status) AS amount,
    no_such_function(b.qty) AS qty,
    b.ts + 'abc' AS ts,
    b.status AS status
  FROM base AS b
  LEFT JOIN {{ ref('m_99999') }} AS j1 ON b.id = j1.id
`

let project: TestProject
beforeAll(() => {
  buildCommand()
  project = createProject({
    'svc.yaml': 'name: five\n',
    'models/m_00028.svc': source,
    'models/m_00050.svc': broken,
  })
}, 240_000)
afterAll(() => project.dispose())

interface Report {
  readonly files: readonly {
    readonly diagnostics: readonly {
      readonly code: string
      readonly start: { readonly line: number; readonly column: number }
    }[]
  }[]
}

test('svc validate shows all five, each on its place', async () => {
  const { code, value } = await project.json(['validate', '--json'])
  const diagnostics = (value as Report).files.flatMap(file => file.diagnostics)
  expect(code).toBe(1)
  expect(diagnostics.map(({ code, start }) => `${start.line}:${start.column} ${code}`)).toEqual([
    '5:24 sql-unknown-column',
    '11:5 sql-no-matching-function',
    '12:5 sql-unknown-function',
    '13:12 sql-bad-literal',
    '16:21 unknown-ref',
  ])
})
