/** `tests/*.sql` on the command line: a project's own tests run where those of svc run. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGround, type Ground } from './bad-input/command-line.ts'

const within = `-- Values that are outside of their bounds.
-- param column: column
-- param min: number = 0
-- param max: number = 100
SELECT * FROM {{ this }}
WHERE {{ column }} < {{ min }} OR {{ column }} > {{ max }}
`

const orders = (tests: string) => `name: orders
ingest: {type: rows, rows: [{id: 1, price: 5, email: a@x.org}, {id: 2, price: 12, email: b@x.org}]}
transform: SELECT id, price, email FROM {{ source }}
columns:
  email: {pii: true}
tests:
${tests}`

let ground: Ground
const kept = { program: 'these tests', now: () => new Date(Date.now() + 60_000) }
const say = (...words: string[]) => ground.line(words, kept)
const told = async (...words: string[]) => {
  const { stdout, stderr } = await say(...words)
  return (stdout + stderr).replace(/\s+/g, ' ')
}

beforeAll(() => {
  ground = createGround({
    'svc.yaml': 'name: shop\n',
    'tests/within.sql': within,
    'tests/known_in.sql':
      '-- param column: column\n-- param among: asset\n-- param labels: list = [a, b]\nSELECT {{ column }} FROM {{ this }} WHERE {{ column }} NOT IN (SELECT id FROM {{ among }}) AND {{ column }}::VARCHAR NOT IN ({{ labels }})\n',
    'models/customers.svc': 'name: customers\ningest: none\ntransform: SELECT 1 AS id\n',
    'models/orders.svc': orders(
      '  - within: price\n  - known_in: {column: id, among: customers}\n    severity: warn\n',
    ),
  })
})
afterAll(() => ground.dispose())

it('fails a run with the rows that its query returns, personal columns masked', async () => {
  expect((await say('validate')).stdout).not.toMatch(/warning|error/)
  const ran = await say('run')
  expect(ran.code, ran.stdout + ran.stderr).toBe(0)
  expect((await say('test')).stdout.replace(/\s+/g, ' ')).toContain('1 row returned by known_in')
  ground.write('models/orders.svc', orders('  - within: {column: price, max: 10}\n'))
  const failed = await say('run')
  expect(failed.code).toBe(1)
  const text = (failed.stdout + failed.stderr).replace(/\s+/g, ' ')
  expect(text).toContain('1 row returned by within')
  expect(text).toContain('12')
  expect(text).not.toContain('b@x.org')
})

it('runs its tests again when its file changes, and not before', async () => {
  ground.write('models/orders.svc', orders('  - within: price\n'))
  expect((await say('run')).code).toBe(0)
  expect(await told('plan', '--offline')).toContain('Nothing to do')
  ground.write('tests/within.sql', within.replace('-- Values', '-- All values'))
  expect(await told('plan', '--offline')).toContain('Nothing to do')
  ground.write('tests/within.sql', within.replace('= 100', '= 11'))
  const changed = (await told('plan', '--offline')).replace(/\s+/g, ' ')
  expect(changed).toContain('run 1 test')
  expect(changed).toMatch(/Runs again: \w+ of \w+, because tests\/\w+\.sql, or what it is given, changed\./)
  const said = await say('run')
  expect([said.code, said.stdout + said.stderr]).toEqual([
    1,
    expect.stringContaining('1 row returned by within'),
  ])
  ground.write('tests/within.sql', within)
})

it.each([
  ['tests/within.sql', within.replace('{{ min }} OR', '{{ min OR')],
  ['tests/within.sql', within.replace('{{ min }} OR', '{{ lowest({{ min }} OR')],
  ['macros/low.sql', 'CREATE MACRO low(x) AS {{ x + 1;\n'],
  ['models/low.svc', 'name: low\ningest: none\ntransform: SELECT id, {{ x FROM {{ ref("orders") }}\n'],
  [
    'models/low.svc',
    'name: low\ningest: none\ntransform: SELECT 1 AS id\ntests:\n  - sql: SELECT * FROM {{ this }} WHERE id = {{ x\n    name: low\n',
  ],
])(
  'says once of a tag that it is not closed, and nothing that only follows from it: %s',
  async (path, text) => {
    ground.write('models/orders.svc', orders('  - within: price\n'))
    ground.write(path, text)
    const { files } = JSON.parse((await say('validate', '--json')).stdout)
    const file = files.find((each: { path: string }) => each.path === path)
    expect(file.diagnostics.map((each: { message: string }) => each.message)).toEqual([
      'the template tag is not closed',
    ])
    ground.write('tests/within.sql', within)
    if (path !== 'tests/within.sql') ground.remove(path)
  },
)

it('says at the end of a run that builds nothing which tests it ran, those that only warn too', async () => {
  const warning = (max: number) => orders(`  - within: {column: price, max: ${max}}\n    severity: warn\n`)
  ground.write('models/orders.svc', warning(100))
  expect((await say('run')).code).toBe(0)
  expect(await told('run')).toMatch(
    /Nothing to do for dev: 2 assets checked in [\d.]+ m?s, all as deployed\./,
  )
  ground.write('models/orders.svc', warning(99))
  expect(await told('run')).toMatch(/Nothing to do for dev: [^;]+ as deployed; 1 test ran, passed\./)
  ground.write('models/orders.svc', warning(11))
  const warned = await told('run')
  expect(warned).toContain('! 1 test warned')
  expect(warned).toMatch(/Nothing to do with 1 warning for dev: [^;]+ as deployed; 1 test ran, 1 warned\./)
  // It failed before, so it runs again: after a change of its file too, and when its file is as before.
  ground.write('tests/within.sql', within.replace('OR', '\n  OR'))
  expect(await told('run')).toMatch(/1 test ran, 1 warned\./)
  ground.write('tests/within.sql', within.replace('> {{ max }}', '> {{ max }} + 5'))
  expect(await told('run')).toMatch(/1 test ran, passed\./)
  ground.write('tests/within.sql', within.replace('OR', 'OR OR'))
  expect((await say('run')).code).toBe(1)
  ground.write('tests/within.sql', within)
  expect(await told('run')).toMatch(/1 test ran, 1 warned\./)
})

it.each([
  ['  - withn: price\n', ['unknown key "withn" in "tests[0]"', 'did you mean "within"?']],
  ['  - within: {min: 1}\n', ['has no "column"']],
  ['  - within: {column: price, mix: 1}\n', ['unknown key "mix"', 'did you mean']],
  ['  - within: {column: price, min: low}\n', ['"tests[0].within.min" must be a number']],
  ['  - within: prise\n', ['unknown column "prise" in the test within', 'did you mean "price"?']],
  ['  - within: price\n  - within: {column: price, min: 0}\n', ['this test asks the same']],
])('says what is wrong with a use: %s', async (tests, says) => {
  ground.write('models/orders.svc', orders(tests))
  const text = await told('validate')
  for (const part of says) expect(text).toContain(part)
  expect(text.match(/ (error|warning)s?\b/g)?.length, text).toBeLessThan(3)
})

it.each([
  ['SELECT * FROM {{ this }} WHERE {{ column }} < pric', ['tests/within.sql:5:', 'orders.svc', 'pric']],
  [
    'SELECT * FROM {{ this }} WHERE {{ colum }} < 1',
    ['there is no parameter and no tag "colum"', 'did you mean "column"?'],
  ],
  ["SELECT * FROM {{ this }} WHERE '{{ column }}' = 1", ['{{ column }} stands in quotes']],
  ['SELECT * FROM {{ this }} WHERE {{ column }} < ', ['tests/within.sql:5:']],
  [
    'SELECT * FROM {{ source }} WHERE {{ column }} < {{ min }} + {{ max }}',
    ['a test cannot read {{ source }}'],
  ],
  [
    "SELECT * FROM {{ ref('custmers') }} WHERE {{ column }} < 1",
    ['no asset is called "custmers"', 'customers'],
  ],
])('says what is wrong with its file: %s', async (body, says) => {
  ground.write('models/orders.svc', orders('  - within: price\n'))
  ground.write('tests/within.sql', `${within.split('\n').slice(0, 4).join('\n')}\n${body}\n`)
  const text = await told('validate')
  for (const part of says) expect(text).toContain(part)
  expect(text).toContain('tests/within.sql')
  expect(text).toContain('models/orders.svc')
  expect((await say('run')).code).toBe(1)
  ground.write('tests/within.sql', within)
})

it.each([
  ['tests/unique.sql', 'SELECT 1 AS id\n', '"unique" is the name of a test that svc has'],
  ['tests/Not-Good.sql', 'SELECT 1 AS id\n', '"Not-Good" is no name for a test'],
  ['tests/other.sql', '-- param a: numbr\nSELECT {{ a }} AS id\n', 'did you mean "number"?'],
  ['tests/other.sql', '-- param a: number = x\nSELECT {{ a }} AS id\n', '"a" must be a number'],
  ['tests/other.sql', '-- param a\nSELECT 1 AS id\n', 'this declares no parameter'],
  ['tests/other.sql', '-- Nothing yet.\n', 'there is no query'],
])('refuses the file %s with %j', async (path, text, says) => {
  ground.write('models/orders.svc', orders('  - within: price\n'))
  ground.write(path, text)
  expect(await told('validate')).toContain(says)
  ground.remove(path)
  expect((await say('validate')).code).toBe(0)
})
