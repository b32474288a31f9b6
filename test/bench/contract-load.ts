/**
 * What a contract costs a load: 3 million rows of Parquet, fetched and loaded plain, with `enforce_types` and nothing
 * broken, and with one record in a thousand rejected. Prints the median of each; asserts nothing.
 * `node_modules/.bin/vitest run --config test/bench/contract-load.config.ts`
 */
import { it } from 'vitest'
import { openLocalReader } from '../../server/catalog/index.ts'
import { fetchOnly, temporaryProject } from '../engine/ingest/fetching.ts'

const rows = 3_000_000
const rounds = 3
const promised = 'enforce_types: true, columns: {id: integer, amount: integer, name: varchar}'
const cases = {
  plain: '',
  'enforced, nothing broken': `contract: {${promised}}`,
  'enforced, 1 of 1,000 rejected': `contract: {${promised}, max_rejects: 1%}`,
} as const

it('measures', { timeout: 600_000 }, async () => {
  const project = temporaryProject()
  const setup = await openLocalReader({})
  const write = (name: string, amount: string) =>
    setup.rows(
      `COPY (SELECT i AS id, ${amount} AS amount, 'name ' || (i % 1000) AS name, i / 7 AS ratio FROM range(${rows}) t(i)) TO '${project.path(name)}' (FORMAT parquet)`,
    )
  await write('good.parquet', 'i % 50000')
  await write('bad.parquet', 'CASE WHEN i % 1000 = 0 THEN 9000000000 ELSE i % 50000 END')
  setup.close()
  const times = new Map<string, number[]>()
  for (let round = 0; round < rounds; round++) {
    for (const [name, contract] of Object.entries(cases)) {
      const file = name.includes('rejected') ? 'bad.parquet' : 'good.parquet'
      const started = performance.now()
      const fetched = await fetchOnly(
        project,
        `ingest: {type: file, endpoint: ., resource: ${file}}\n${contract}`,
      )
      const duckdb = await openLocalReader({})
      for (const [index, table] of fetched.tables.entries())
        await duckdb.rows(`CREATE TABLE t${index} AS ${table.sql}`)
      if (fetched.rejects !== undefined) await duckdb.rows(`CREATE TABLE rejects AS ${fetched.rejects.sql}`)
      duckdb.close()
      times.set(name, [...(times.get(name) ?? []), (performance.now() - started) / 1000])
    }
  }
  const median = (name: string) => (times.get(name) ?? []).sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
  for (const name of Object.keys(cases)) {
    const seconds = median(name)
    console.log(`${name}: ${seconds.toFixed(2)} s, ${(seconds / median('plain')).toFixed(2)}x plain`)
  }
  project.remove()
})
