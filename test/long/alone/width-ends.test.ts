/**
 * Where wide tables come from and go to: web services, masks and rejects, a PostgreSQL warehouse and destination. As in width.test.ts each stage
 * costs at most six times the CPU at four times the columns.
 */
import { afterAll, describe, test } from 'vitest'
import { type Stage, usualStages, widthSuite, words } from '../../support/growth/width-stages.ts'
import { canStartPostgres, startPostgres } from '../../support/postgres.ts'
import { startRestServer } from '../../support/rest-server.ts'
import { recordOf, type Wide, wideNames, wideRows } from '../../support/wide-project.ts'

const suite = widthSuite('width ends')
afterAll(suite.tell)
const timeout = 900_000

/** A bigint has eight bytes, and a row of PostgreSQL is on one page of 8 kB. */
const inPostgres = [225, 900] as const

const changed: Stage = {
  words: ['plan', '--diff'],
  change: (ground, names) =>
    ground.write(
      'models/wide.svc',
      `name: wide\ningest: none\ntransform: SELECT ${names.map(name => `${name} + 2 AS ${name}`).join(', ')} FROM {{ ref('star') }}\n`,
    ),
}

test('masks and rejects', { timeout }, async () => {
  const masked = (names: readonly string[]) =>
    `, mask: {${names
      .filter((_, index) => index % 3 === 1)
      .map(name => `${name}: hash`)
      .join(', ')}}`
  const promised = (names: readonly string[]) =>
    `contract:\n  columns:\n${names.map((name, index) => `    ${name}: ${index % 3 === 2 ? 'tinyint' : index % 3 === 1 ? 'varchar' : 'bigint'}\n`).join('')}`
  await suite.judge('masks and rejects', {
    wide: { kind: 'ndjson', ingest: masked, sourceMore: promised, onlySource: true },
    stages: words('validate', 'run', 'rejects source', 'sample source --csv'),
    env: { SVC_MASK_KEY: 'a-key-of-thirty-two-characters-at-least' },
  })
})

test.each(['application/json', 'application/x-ndjson'])('a web service of %s', { timeout }, async kind => {
  const server = await startRestServer()
  server.route('/wide', ({ query }, response) => {
    const names = wideNames(Number(query.get('columns')))
    const records = Array.from({ length: wideRows }, (_, row) => JSON.stringify(recordOf(row, names)))
    response.setHeader('content-type', kind)
    response.end(kind === 'application/json' ? `[${records.join(',')}]` : records.join('\n'))
  })
  await suite.judge(`rest, ${kind}`, { wide: { kind: 'rest', origin: server.origin } })
  await server.close()
})

const published = (target: string): Pick<Wide, 'more'> => ({
  more: () => `publish:\n  out: {${target}, environments: [dev]}\n`,
})

describe.runIf(canStartPostgres())('PostgreSQL', () => {
  test('as warehouse and as destination', { timeout }, async () => {
    const server = await startPostgres()
    try {
      for (const kind of ['csv', 'ndjson', 'parquet'] as const)
        await suite.judge(`PostgreSQL warehouse from ${kind}`, {
          wide: { kind, warehouse: () => server.createDatabase() },
          stages: kind === 'csv' ? [...usualStages, changed] : words('run', 'run'),
          columns: inPostgres,
        })
      const address = await server.createDatabase()
      await suite.judge('publish to PostgreSQL', {
        wide: {
          kind: 'parquet',
          ...published('type: postgres, endpoint: "env:PLACE", resource: public.wide, key: c0'),
        },
        stages: words('run'),
        columns: inPostgres,
        env: { PLACE: address },
      })
    } finally {
      await server.stop()
    }
  })
})
