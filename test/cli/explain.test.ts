import { afterAll, beforeAll, expect, it } from 'vitest'
import { diagnosticCodes } from '../../server/language/index.ts'
import { createGround, expectRefusal, type Ground } from './bad-input/command-line.ts'

let ground: Ground
beforeAll(() => {
  ground = createGround({})
})
afterAll(() => ground.dispose())

it('explains a problem with an example and its correction, outside a project too', async () => {
  const { code, stdout } = await ground.line(['explain', 'sql-null-comparison'])
  expect(code).toBe(0)
  expect(stdout).toMatchInlineSnapshot(`
    "sql-null-comparison  warning
    A comparison with NULL (= NULL, <> NULL, != NULL) is never true, not even for
    NULL.

    models/orders.svc:
      name: orders
      ingest: none
      transform: SELECT id FROM (SELECT 1 AS id, 2.5 AS amount, TRUE AS paid) WHERE amount = NULL

    Fix: Write IS NULL, IS NOT NULL or IS DISTINCT FROM.

    models/orders.svc:
      name: orders
      ingest: none
      transform: SELECT id FROM (SELECT 1 AS id, 2.5 AS amount, TRUE AS paid) WHERE amount IS NULL

    sql-null-comparison  warning of a run
    SQL compares with NULL by = or <>, which is never true.

    Fix: docs/warnings.md tells how warnings are kept, and how --strict makes new
    ones fail a run.
    "
  `)
})

it('explains an error, and a code that is both', async () => {
  expect((await ground.line(['explain', 'warehouse-locked'])).stdout).toMatch(
    /^warehouse-locked {2}exit code 3\nAnother process has the warehouse file open/,
  )
  const { stdout } = await ground.line(['explain', 'unit-test-failed', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({
    explanations: [
      { kind: 'diagnostic', example: [{ path: 'models/revenue.svc' }, {}] },
      { kind: 'error', severity: 'exit code 1', example: [], fixed: null },
    ],
  })
})

it('lists every code, and names the nearest one', async () => {
  const { stdout } = await ground.line(['explain'])
  for (const { code } of diagnosticCodes()) expect(stdout).toContain(`${code} `)
  expectRefusal(await ground.line(['explain', 'sql-unknown-colum']), 2, 'did you mean "sql-unknown-column"?')
})
