/** What PostgreSQL says of the SQL of tests of one's own, at its place in the file of the test and at each use. */
import { afterAll, describe, expect, it } from 'vitest'
import { createProjectHere } from '../support/cli-here.ts'

const files = {
  'svc.yaml': 'name: shop\nwarehouse: postgres://localhost/shop\n',
  'tests/below.sql': `-- param column: column
-- param max: number = 10
SELECT * FROM {{ this }} WHERE {{ column }} > {{ max }}
`,
  'tests/rounded.sql': `-- param column: column
SELECT * FROM {{ this }} WHERE round({{ column }}, 2) <> {{ column }} OR lenght({{ column }}::text) > 3
`,
  'tests/several.sql': `SELECT id FROM {{ this }} WHERE id = 'a' OR name || id = 3 OR id::uuidd IS NULL
`,
  'tests/sums.sql': `SELECT sum(id) FROM {{ this }} WHERE sum(id) > 3 GROUP BY name
`,
  'models/a.svc': `name: a
ingest: none
transform: SELECT 1 AS id, 'x'::text AS name, 2.5::double precision AS share
tests:
  - below: {column: name}
  - rounded: {column: share}
  - several: {}
  - sums: {}
`,
}

interface Problem {
  readonly path: string
  readonly start: { readonly line: number; readonly column: number }
  readonly code: string
  readonly message: string
  readonly hint?: string | null
}

describe('operators, functions, types and literals in tests of one’s own', () => {
  const project = createProjectHere(files)
  afterAll(() => project.dispose())

  it('are told in the words of PostgreSQL, all at once', async () => {
    const { value } = await project.json(['validate', '--json'])
    const problems = (value as { files: { diagnostics: Problem[] }[] }).files.flatMap(
      file => file.diagnostics,
    )
    const cast =
      'No operator matches the given name and argument types. You might need to add explicit type casts.'
    const round =
      'No function matches the given name and argument types. You might need to add explicit type casts. It takes round(double precision), round(numeric), round(numeric, integer).'
    const own: readonly (readonly [string, string, string, string | undefined])[] = [
      ['below', '3:45 sql-type', 'operator does not exist: text > integer', cast],
      [
        'rounded',
        '2:32 sql-no-matching-function',
        'function round(double precision, integer) does not exist',
        round,
      ],
      ['rounded', '2:74 sql-unknown-function', 'unknown function "lenght"', 'did you mean "length"?'],
      ['several', '1:38 sql-bad-literal', 'invalid input syntax for type integer: "a"', undefined],
      ['several', '1:56 sql-type', 'operator does not exist: text = integer', cast],
      ['several', '1:67 sql-unknown-type', 'unknown type "uuidd"', 'did you mean "UUID"?'],
      ['sums', '1:38 sql-group-by', 'aggregate functions are not allowed in WHERE', undefined],
    ]
    const uses: Readonly<Record<string, string>> = {
      below: '5:5',
      rounded: '6:5',
      several: '7:5',
      sums: '8:5',
    }
    const said = ({ path, start: { line, column }, code, message, hint }: Problem) =>
      [`${path} ${line}:${column} ${code}`, message, hint ?? undefined] as const
    expect(problems.map(said).toSorted()).toEqual(
      own
        .flatMap(([test, at, message, hint]) => {
          const [place = '', code = ''] = at.split(' ')
          const file = `tests/${test}.sql`
          return [
            [`${file} ${at}`, message, hint] as const,
            [
              `models/a.svc ${uses[test]} ${code}`,
              `${message}, in the test "${test}" (${file}:${place})`,
              hint,
            ] as const,
          ]
        })
        .toSorted(),
    )
  })
})
