/**
 * How wide tables are kept and where they go: loads that gather rows, destinations of every kind, the hosted store, the site. As in
 * width.test.ts each stage costs at most six times the CPU at four times the columns.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Stage, widthSuite, words } from '../support/growth/width-stages.ts'
import { canStartStore, startStore } from '../support/hosted-store.ts'
import { canStartMariadb, startMariadb } from '../support/mariadb.ts'
import { startReceiver } from '../support/values/receiver.ts'
import { replaceRecords } from '../support/wide-project.ts'

const suite = widthSuite('width places')
afterAll(suite.tell)
const timeout = 900_000

/** A run after the records of the source were replaced. */
const changed = (firstRow: number): Stage => ({
  words: ['run'],
  change: (ground, names) => replaceRecords(ground, names, firstRow),
})

const gathering = {
  append: ', write: append, incremental: {cursor: c0}',
  'merge with a cursor': ', write: merge, primary_key: c0, incremental: {cursor: c0}',
  scd2: ', write: scd2, primary_key: c0',
}

/** The same rows under other settings: they are kept, and hidden as the masks of now say. */
const edited: Stage = {
  words: ['plan'],
  change(ground, names) {
    const hidden = names.filter((_, index) => index % 3 === 1).map(name => `${name}: redact`)
    ground.write(
      'models/source.svc',
      `name: source\ningest: {type: file, endpoint: ./data, resource: wide.ndjson, write: merge, primary_key: c0, incremental: {cursor: c0}, exclude: [${names.filter((_, index) => index % 6 === 2).join(', ')}], mask: {${hidden.join(', ')}}}\ntransform: SELECT * FROM {{ source }}\n`,
    )
  },
}

test.each(Object.entries(gathering))('%s', { timeout }, async (title, ingest) => {
  await suite.judge(title, {
    wide: { kind: 'ndjson', ingest },
    stages: [...words('validate', 'run'), changed(20), ...words('run', 'sample wide --csv')],
  })
})

test('merge, and an edit of the source', { timeout }, async () => {
  await suite.judge('merge, edited', {
    wide: { kind: 'ndjson', ingest: gathering['merge with a cursor'], onlySource: true },
    stages: [...words('run'), changed(20), edited, ...words('run')],
  })
})

const published = (target: string) => () => `publish:\n  out: {${target}, environments: [dev]}\n`

async function judgePublished(title: string, target: string, env: Readonly<Record<string, string>> = {}) {
  await suite.judge(`publish to ${title}`, {
    wide: { kind: 'ndjson', more: published(target) },
    stages: [...words('run'), changed(20), ...words('run')],
    env,
  })
}

test.each(['csv', 'ndjson', 'parquet'])('publish to a file, %s', { timeout }, async format => {
  await judgePublished(`a file, ${format}`, `type: file, endpoint: ./out, resource: wide.${format}`)
})

test.each(['upsert', 'insert', 'mirror'])('publish to DuckDB, %s', { timeout }, async mode => {
  const more = mode === 'mirror' ? ', max_change: 100%' : ''
  await judgePublished(
    `DuckDB, ${mode}`,
    `type: duckdb, endpoint: "duckdb:./out.duckdb", resource: wide, key: c0, mode: ${mode}${more}`,
  )
})

test('publish over HTTP', { timeout }, async () => {
  const receiver = await startReceiver()
  await judgePublished(
    'HTTP',
    `type: http, endpoint: "${receiver.address}", resource: wide, key: c0, mode: upsert`,
  )
  await receiver.close()
})

/** InnoDB has tables of up to 1,017 columns. */
test.runIf(canStartMariadb())('publish to MariaDB', { timeout }, async () => {
  const server = await startMariadb()
  try {
    const address = await server.createDatabase()
    await suite.judge('publish to MariaDB', {
      wide: {
        kind: 'ndjson',
        more: names =>
          published(`type: mysql, endpoint: "env:PLACE", resource: wide_${names.length}, key: c0`)(),
      },
      stages: [...words('run'), changed(20), ...words('run')],
      columns: [225, 900],
      env: { PLACE: address },
    })
  } finally {
    await server.stop()
  }
})

test.runIf(canStartStore)('the hosted store', { timeout }, async () => {
  const store = await startStore()
  try {
    const renamed: Stage = {
      // Columns go away, which breaks what may read them.
      words: ['upload', '--dry-run', '--rebind'],
      code: 1,
      change: (ground, names) =>
        ground.write(
          'models/wide.svc',
          `name: wide\ningest: none\ntransform: SELECT ${names.map(name => `${name} + 2 AS other_${name}`).join(', ')} FROM {{ ref('star') }}\n`,
        ),
    }
    await suite.judge('upload', {
      wide: { kind: 'parquet' },
      stages: [...words('run', 'upload --rebind', 'upload --rebind'), renamed],
      env: store.env,
    })
  } finally {
    await store.dispose()
  }
})

test('the site and the files of a run', { timeout }, async () => {
  await suite.judge('site', {
    wide: { kind: 'parquet', chain: 3 },
    stages: [
      ...words('run', 'lineage --out site'),
      {
        words: ['manifest', '--update'],
        change: ground => {
          for (const file of ['svc_catalog.json', 'site/index.html'])
            expect(existsSync(join(ground.root, file)), file).toBe(true)
        },
      },
    ],
  })
})
