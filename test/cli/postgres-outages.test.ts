/** What is no fault of a project: poolers, roles with settings of their own, connections that end while tests run. */
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { startPooler } from '../support/pooler.ts'
import { askPostgres, canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

const files = {
  'svc.yaml': 'name: shop\nwarehouse: env:SHOP\n',
  'models/texts.svc': `name: texts
ingest: {type: rows, rows: [{id: 1, t: 'a\\nb'}, {id: 2, t: "it's"}]}
transform: SELECT id, t, 'c\\d' AS u FROM {{ source }}
tests: [unique: id]
`,
}

describe.runIf(canStartPostgres())('a server', () => {
  let server: PostgresServer
  let project: ProjectHere
  let database: string
  beforeAll(async () => {
    server = await startPostgres()
  }, 120_000)
  afterAll(() => server.stop())

  async function within(work: () => Promise<void>): Promise<void> {
    project = createProjectHere(files)
    database = await server.createDatabase()
    try {
      await work()
    } finally {
      project.dispose()
    }
  }

  const svc = (address: string, ...words: string[]) => project.svc(words, { env: { SHOP: address } })

  const asked = (sql: string) => askPostgres(database, sql)

  it(
    'behind a pooler by transactions is refused by name, and nothing stays locked',
    () =>
      within(async () => {
        const pooler = await startPooler(database, 'transaction')
        try {
          const run = await svc(pooler.address, 'run')
          expect(run).toMatchObject({ code: 3 })
          expect(run.stderr.replace(/\s+/g, ' ')).toContain(
            'is behind a pooler that gives each transaction another connection',
          )
          const doctor = await svc(pooler.address, 'doctor')
          expect(doctor.code).toBe(1)
          expect(doctor.stdout.replace(/\s+/g, ' ')).toContain('pool_mode = session')
          expect(await asked("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'")).toEqual([])
        } finally {
          await pooler.close()
        }
      }),
    120_000,
  )

  it(
    'behind a pooler by sessions is a warehouse',
    () =>
      within(async () => {
        const pooler = await startPooler(database, 'session')
        try {
          expect(await svc(pooler.address, 'run')).toMatchObject({ code: 0 })
          expect(await svc(pooler.address, 'doctor')).toMatchObject({ code: 0 })
        } finally {
          await pooler.close()
        }
      }),
    120_000,
  )

  it(
    'has roles with settings of their own, which change nothing of what svc reads and writes',
    () =>
      within(async () => {
        const [{ name = '' } = {}] = await asked('SELECT current_database() AS name')
        for (const setting of ['standard_conforming_strings', 'array_nulls'])
          await asked(`ALTER DATABASE "${String(name)}" SET ${setting} = off`)
        expect(await svc(database, 'run')).toMatchObject({ code: 0 })
        expect(await svc(database, 'run')).toMatchObject({ code: 0 })
        expect(await asked('SELECT id, t, u FROM analytics_dev.texts ORDER BY id')).toEqual([
          { id: '1', t: 'a\\nb', u: 'c\\d' },
          { id: '2', t: "it's", u: 'c\\d' },
        ])
        expect(await svc(database, 'rollback', '--all')).toMatchObject({ code: 1 })
      }),
    120_000,
  )

  it(
    'that ends a connection while tests run has failed, and no test has',
    () =>
      within(async () => {
        project.write(
          'models/slow.svc',
          'name: slow\ningest: none\ntransform: SELECT 1 AS id\ntests:\n  - sql: SELECT s.a AS bad FROM {{ this }}, generate_series(1, 200000000) AS s(a) WHERE s.a < 0\n',
        )
        const running = svc(database, 'run')
        let ended = false
        for (let tries = 0; tries < 600 && !ended; tries++) {
          await setTimeout(50)
          const rows = await asked(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'active' AND now() - query_start > interval '0.5 s' AND datname = current_database()",
          )
          ended = rows.length > 0
        }
        const { code, stderr, stdout } = await running
        expect(ended).toBe(true)
        expect(stdout + stderr).toContain('ended the connection')
        expect(stdout + stderr).not.toContain('the test cannot run')
        expect(code).toBe(3)
        expect(await asked('SELECT status FROM svc.svc_state_history')).toEqual([{ status: 'Failed' }])
      }),
    120_000,
  )
})
