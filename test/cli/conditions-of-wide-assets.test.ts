/** Conditions over a wide asset are bound together, and judged exactly as those over a narrow one are. */
import { afterEach, expect, it } from 'vitest'
import { canStartPostgres, startPostgres } from '../support/postgres.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

const conditions = [
  'c0 >= 0',
  'c0 >= 0 -- so it must be',
  'c1 IS NOT NULL OR c0 > 1',
  'EXISTS (SELECT 1 WHERE c0 < 1)',
  "c0 <> CAST('12' AS INTEGER)",
  'x.c0 >= 0',
]
const wrong = [
  'c0 >= nowhere',
  'count(*) > 1',
  'row_number() OVER () > 1',
  "c0 = DATE '2024-13-45'",
  'c0 >=',
  'c0 = 1) OR (c1 = 1',
]

let ground: Ground | undefined
afterEach(() => ground?.dispose())

function asset(columns: number, tests: readonly string[]): string {
  const list = Array.from({ length: columns }, (_, index) => `${index} AS c${index}`).join(', ')
  const lines = tests.map(test => `  - {expression: ${JSON.stringify(test)}, severity: warn}\n`).join('')
  return `name: x\ningest: none\ntransform: SELECT ${list}\ntests:\n${lines}`
}

interface Said {
  readonly files: readonly {
    readonly diagnostics: readonly { readonly code: string; readonly message: string }[]
  }[]
}

async function problems(columns: number, tests: readonly string[], warehouse: string) {
  ground?.dispose()
  ground = createGround({
    'svc.yaml': `name: shop\nwarehouse: ${warehouse}\n`,
    'models/x.svc': asset(columns, tests),
  })
  const { files } = JSON.parse((await ground.line(['validate', '--json'])).stdout) as Said
  return files.flatMap(({ diagnostics }) => diagnostics.map(({ code, message }) => `${code}: ${message}`))
}

it.each([['duckdb:./w.duckdb'], ['postgres://localhost:1/none']])('for %s', async warehouse => {
  expect(await problems(150, conditions, warehouse)).toEqual([])
  for (const tests of [wrong, [...conditions, ...wrong], ...wrong.map(each => ['c0 > 0', each, 'c1 > 0'])]) {
    const narrow = await problems(5, tests, warehouse)
    expect(await problems(150, tests, warehouse)).toEqual(narrow)
    if (tests.some(each => each === 'c0 >= nowhere')) expect(narrow.join()).toContain('nowhere')
  }
})

it.runIf(canStartPostgres())('and counted so by a run', async () => {
  const server = await startPostgres()
  try {
    for (const warehouse of ['duckdb:./w.duckdb', await server.createDatabase()]) {
      expect(await problems(150, conditions, warehouse)).toEqual([])
      const done = await ground?.line(['run', '--json'])
      expect(done?.code, done?.stderr).toBe(0)
      const { tests } = JSON.parse(done?.stdout ?? '') as { tests: readonly { status: string }[] }
      expect(tests.map(({ status }) => status)).toEqual(conditions.map(() => 'pass'))
    }
  } finally {
    await server.stop()
  }
})

it('a pattern of columns in a condition means those of the whole asset', async () => {
  const more = Array.from({ length: 150 }, (_, index) => `${index} AS c${index}`).join(', ')
  ground = createGround({
    'svc.yaml': 'name: shop\nwarehouse: duckdb:./w.duckdb\n',
    'models/x.svc': `name: x\ningest: none\ntransform: SELECT unnest([1, 1]) AS id, unnest([7, NULL]) AS other, ${more}\ntests:\n  - {unique: id, where: "COLUMNS('^(id|other)$') IS NOT NULL"}\n  - {unique: [id, other]}\n`,
  })
  const done = await ground.line(['run'])
  expect(done.code, done.stdout + done.stderr).toBe(0)
})
