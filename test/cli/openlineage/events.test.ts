/** The OpenLineage events of runs, as a file has them: each by its schema, and what they say. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { LineageEvent } from '../../../cli/engine/openlineage/events.ts'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'
import { slipsIn } from './schemas.ts'

const ofOrders = (mail: string) => `name: orders
owner: finance
description: Orders of ${mail} and others
ingest: {type: rows, rows: [{id: 1, email: ${mail}, day: 2026-01-01}]}
columns: {email: {pii: true, description: Not only of ${mail}}}
transform: |
  SELECT id, email, 'long-token' AS token FROM {{ source }} WHERE email = '${mail}' OR day IS NULL
tests:
  - not_null: id
  - accepted_values: {email: [ada@example.com]}
`
const orders = ofOrders('ada@example.com')

const files = {
  'svc.yaml': 'name: shop\nopenlineage: {type: file, path: out/events.ndjson}\n',
  'models/orders.svc': orders,
  'models/days.svc':
    'name: days\ningest: {type: file, endpoint: ./data, resource: days.csv, credentials: env:TOKEN}\ntransform: SELECT day FROM {{ source }}\n',
  'models/by_id.svc':
    "name: by_id\ningest: none\ntransform: SELECT id, count(*) AS n FROM {{ ref('orders') }} GROUP BY id\n",
  'data/days.csv': 'day\n2026-01-01\n',
}

interface Dataset {
  readonly namespace: string
  readonly name: string
  readonly facets?: Readonly<Record<string, unknown>>
  readonly inputFacets?: { readonly dataQualityAssertions: { readonly assertions: unknown } }
  readonly outputFacets?: unknown
}

let project: ProjectHere
const path = () => join(project.root, 'out/events.ndjson')

beforeEach(() => {
  project = createProjectHere(files)
})

/** Runs a command and returns the events that it has written, all of which are right by their schemas. */
async function eventsOf(words: readonly string[], code: number) {
  rmSync(path(), { force: true })
  const done = await project.svc(words, { env: { TOKEN: 'long-token' } })
  expect({ code: done.code, stderr: done.stderr }).toMatchObject({ code })
  const text = readFileSync(path(), 'utf8')
  const all = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as LineageEvent)
  expect(slipsIn(all)).toEqual([])
  expect(text).not.toMatch(/ada@|bob@|long-token/)
  const named = (name: string, type?: string) =>
    all.find(
      ({ job, eventType }) => job.name === name && (type ?? eventType) === eventType && eventType !== 'START',
    )
  return { all, named, brief: all.map(({ eventType, job }) => `${eventType} ${job.name}`) }
}

describe('a run', () => {
  it('is told with its assets and tests, what they read and what they wrote', async () => {
    const { all, named, brief } = await eventsOf(['run'], 0)
    expect([brief[0], brief.at(-1)]).toEqual(['START svc run', 'COMPLETE svc run'])
    const names = ['orders', 'days', 'by_id', 'svc test orders']
    const pairs = names.flatMap(name => [`START ${name}`, `COMPLETE ${name}`])
    expect(brief.slice(1, -1).toSorted()).toEqual(pairs.toSorted())
    expect(new Set(all.map(({ job }) => job.namespace))).toEqual(new Set(['shop.dev']))
    const own = { namespace: 'duckdb://warehouse.duckdb' }
    expect(named('days')?.inputs).toEqual([{ namespace: 'file', name: 'data/days.csv' }])
    const byId = named('by_id')
    expect(byId?.inputs).toEqual([{ ...own, name: 'warehouse.analytics_dev.orders' }])
    const [written] = (byId?.outputs ?? []) as readonly Dataset[]
    expect(written).toMatchObject({
      ...own,
      name: 'warehouse.analytics_dev.by_id',
      facets: {
        schema: { fields: [{ name: 'id' }, { name: 'n', type: 'BIGINT' }] },
        columnLineage: {
          fields: { id: { inputFields: [{ ...own, name: 'warehouse.analytics_dev.orders', field: 'id' }] } },
        },
      },
      outputFacets: { outputStatistics: { rowCount: 1 } },
    })
    const whole = all[0]?.run.runId
    expect(byId?.run.facets).toMatchObject({ parent: { run: { runId: whole }, job: { name: 'svc run' } } })
    expect(named('orders')?.job.facets).toMatchObject({
      documentation: { description: 'Orders of *** and others' },
      ownership: { owners: [{ name: 'finance' }] },
      sql: { dialect: 'duckdb' },
    })
    const [tested] = (named('svc test orders')?.inputs ?? []) as readonly Dataset[]
    expect(tested?.inputFacets?.dataQualityAssertions.assertions).toMatchObject([
      { assertion: 'not_null', success: true, column: 'id', severity: 'error' },
      { assertion: 'accepted_values', success: true, column: 'email' },
    ])
  })

  it('whose test fails has written nothing, and names no value', async () => {
    project.write('models/orders.svc', ofOrders('bob@example.com'))
    const { named, brief } = await eventsOf(['run'], 1)
    expect(brief.at(-1)).toBe('FAIL svc run')
    expect(named('orders')).toMatchObject({ eventType: 'COMPLETE', outputs: [] })
    expect(named('svc test orders')).toMatchObject({
      eventType: 'FAIL',
      inputs: [
        { inputFacets: { dataQualityAssertions: { assertions: [{ success: true }, { success: false }] } } },
      ],
    })
  })

  it('whose asset fails says what kind of error it was, and the retry is a run of the same job', async () => {
    const broken =
      "name: by_id\ningest: none\ntransform: SELECT CAST(email AS INTEGER) AS n FROM {{ ref('orders') }}\n"
    project.write('models/by_id.svc', broken)
    const failed = await eventsOf(['run'], 1)
    const seen = failed.named('by_id')
    expect(seen).toMatchObject({ eventType: 'FAIL', outputs: [] })
    expect(JSON.stringify(seen?.run.facets)).toMatch(/"message":"[^"]+\([a-z-]+\)"/)
    project.write('models/by_id.svc', files['models/by_id.svc'])
    const again = await eventsOf(['retry'], 0)
    expect(again.named('by_id')).toMatchObject({ eventType: 'COMPLETE', outputs: [{}] })
    expect(again.named('svc run')?.run.runId).not.toBe(failed.named('svc run')?.run.runId)
  })

  it('that finds nothing new in a source has read it, and no more', async () => {
    await eventsOf(['run'], 0)
    const { named, brief } = await eventsOf(['run', 'days'], 0)
    expect(brief).toContain('COMPLETE days')
    expect(named('days')?.outputs).toEqual([])
  })

  it('whose process died is told by the next one, with what it did until then', async () => {
    project.write(
      'models/slow.svc',
      "name: slow\ningest: none\ntransform: SELECT count(*) AS n FROM range(1e12::bigint), {{ ref('orders') }}\n",
    )
    const logs = join(project.root, '.svc/logs')
    const isBuilding = () => {
      const names = existsSync(logs) ? readdirSync(logs) : []
      const isIt = /"type":"build-started"[^\n]*"slow"/
      return names.some(name => isIt.test(readFileSync(join(logs, name), 'utf8')))
    }
    const killed = await project.svc(['run', '+slow'], {
      env: { TOKEN: 'long-token' },
      onStart: async child => {
        await expect.poll(isBuilding, { timeout: 60_000 }).toBe(true)
        child.kill('SIGKILL')
      },
    })
    expect([killed.code, existsSync(path())]).toEqual([null, false])
    const { all, brief } = await eventsOf(['run', 'days'], 0)
    const died = brief.slice(0, brief.indexOf('ABORT svc run') + 1)
    expect([died[0], died.at(-1)]).toEqual(['START svc run', 'ABORT svc run'])
    expect(died.slice(1, -1).toSorted()).toEqual([
      'ABORT slow',
      'COMPLETE orders',
      'START orders',
      'START slow',
    ])
    expect(all.slice(0, died.length).flatMap(({ outputs }) => outputs)).toEqual([])
    expect(all[died.length - 1]?.run.facets).toMatchObject({
      errorMessage: { message: 'The process of the run died' },
    })
    expect(Date.parse(all[died.length - 1]?.eventTime ?? '')).toBeLessThan(
      Date.parse(all[died.length]?.eventTime ?? ''),
    )
    expect([brief[died.length], brief.at(-1)]).toEqual(['START svc run', 'COMPLETE svc run'])
    expect((await eventsOf(['run', 'days'], 0)).brief).not.toContain('ABORT svc run')
  })

  it('that was refused has begun and failed, also where no file can be read', async () => {
    project.write('models/orders.svc', 'name: [')
    const { all, brief } = await eventsOf(['run'], 1)
    expect(brief).toEqual(['START svc run', 'FAIL svc run'])
    expect(all[1]?.run.facets).toHaveProperty('errorMessage.message')
  })

  it('is not told where its environment is not', async () => {
    const settings =
      'name: shop\nopenlineage: {type: file, path: out/events.ndjson, environments: prod, namespace: n}\n'
    project.write('svc.yaml', settings)
    await project.svc(['run'])
    expect(existsSync(path())).toBe(false)
    const { all } = await eventsOf(['run', 'days', '--env', 'prod'], 0)
    expect(all[0]?.job.namespace).toBe('n')
  })
})

describe('a preview', () => {
  it('writes nothing that others see, and the run that promotes it does', async () => {
    const { all, brief } = await eventsOf(['preview'], 0)
    expect(brief).toContain('COMPLETE svc preview')
    expect(brief).toContain('COMPLETE by_id')
    expect(all.flatMap(({ outputs }) => outputs)).toEqual([])
    const promoted = await eventsOf(['run'], 0)
    expect(promoted.named('by_id')).toMatchObject({
      eventType: 'COMPLETE',
      outputs: [
        { name: 'warehouse.analytics_dev.by_id', outputFacets: { outputStatistics: { rowCount: 1 } } },
      ],
    })
  })
})

describe('a promotion and a rollback', () => {
  const tables = (event: LineageEvent | undefined) => (event?.outputs ?? []) as readonly Dataset[]

  it('are one job each, which writes the tables whose build is another one, as these builds are', async () => {
    await eventsOf(['run'], 0)
    project.write(
      'models/by_id.svc',
      "name: by_id\ningest: none\ntransform: SELECT id FROM {{ ref('orders') }}\n",
    )
    const { value } = await project.json(['preview', '--json'], { env: { TOKEN: 'long-token' } })
    const preview = value as { readonly run_id: string }
    project.write('models/by_id.svc', 'name: by_id\ningest: none\ntransform: SELECT 1 AS other\n')
    const promoted = await eventsOf(['promote', preview.run_id], 0)
    expect(promoted.brief).toEqual(['START svc promote', 'COMPLETE svc promote'])
    const table = { namespace: 'duckdb://warehouse.duckdb', name: 'warehouse.analytics_dev.by_id' }
    expect(tables(promoted.named('svc promote'))).toMatchObject([
      {
        ...table,
        facets: { version: { datasetVersion: preview.run_id }, schema: { fields: [{ name: 'id' }] } },
        outputFacets: { outputStatistics: { rowCount: 1 } },
      },
    ])
    const back = await eventsOf(['rollback'], 0)
    expect(tables(back.named('svc rollback'))).toMatchObject([
      { ...table, facets: { schema: { fields: [{ name: 'id' }, { name: 'n', type: 'BIGINT' }] } } },
    ])
    rmSync(path())
    const refused = await project.svc(['promote', preview.run_id])
    expect([refused.code, existsSync(path())]).toEqual([1, false])
  })
})

describe('a file that cannot be written', () => {
  it('is said, and the run is as it would be', async () => {
    project.write('svc.yaml', 'name: shop\nopenlineage: {type: file, path: data}\n')
    const { code, stderr } = await project.svc(['run'])
    expect(code).toBe(0)
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      'events of this run were not written: data cannot be written (EISDIR)',
    )
  })
})

describe('a publish', () => {
  const targets = `publish:
  board: {type: duckdb, endpoint: "duckdb:out/board.duckdb", resource: days, key: id, on_delete: mark, fields: {id: id, amount: n}, environments: [dev]}
  report: {type: file, endpoint: out, resource: by_id.csv, environments: [dev]}
  hook: {type: http, endpoint: env:HOOK, resource: rows, key: id, environments: [dev]}
`
  const jobOf = async (target: string, code = 0) => {
    const { brief, named } = await eventsOf(['publish', 'by_id', '--to', target], code)
    const job = `svc publish by_id to ${target}`
    expect(brief).toEqual([`START ${job}`, `${code === 0 ? 'COMPLETE' : 'FAIL'} ${job}`])
    return named(job)
  }

  it('reads the build that is live, and writes to the target', async () => {
    project.write('models/by_id.svc', files['models/by_id.svc'] + targets)
    const { all } = await eventsOf(['run'], 0)
    expect(all.length).toBeGreaterThan(0)
    const table = { namespace: 'duckdb://warehouse.duckdb', name: 'warehouse.analytics_dev.by_id' }
    expect(await jobOf('board')).toMatchObject({
      inputs: [{ ...table, facets: { version: { datasetVersion: expect.any(String) } } }],
      outputs: [
        {
          namespace: 'duckdb://board.duckdb',
          name: 'board.main.days',
          facets: {
            schema: { fields: [{ name: 'id' }, { name: 'amount' }, { name: 'deleted_at' }] },
            columnLineage: { fields: { id: {}, amount: { inputFields: [{ ...table, field: 'n' }] } } },
          },
          outputFacets: { outputStatistics: { rowCount: 1 } },
        },
      ],
    })
    expect((await jobOf('report'))?.outputs).toMatchObject([{ namespace: 'file', name: 'out/by_id.csv' }])
  })

  it('that breaks off has no outputs, and names no address that stands in a variable', async () => {
    project.write('models/by_id.svc', files['models/by_id.svc'] + targets)
    await eventsOf(['run'], 0)
    const failed = await jobOf('hook', 3)
    expect(failed).toMatchObject({ eventType: 'FAIL', outputs: [] })
    expect(failed?.run.facets).toHaveProperty('errorMessage.message')
  })

  it('is not told of a look', async () => {
    project.write('models/by_id.svc', files['models/by_id.svc'] + targets)
    await eventsOf(['run'], 0)
    rmSync(path())
    expect(await project.svc(['publish', 'by_id', '--to', 'report', '--dry-run'])).toMatchObject({ code: 0 })
    expect(existsSync(path())).toBe(false)
  })
})
