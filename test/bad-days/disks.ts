/** Disks, the warehouse file, what others do to it, and processes that end in the middle. */
import { spawn } from 'node:child_process'
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sendJson } from '../support/rest-server.ts'
import { withStorageVersion } from '../support/storage-version.ts'
import type { Day, Group, Place } from './day.ts'
import { customersOf, patient, project } from './shop.ts'

const files = project('<origin>')
const file = (place: Place) => join(place.root, 'warehouse.duckdb')
const settings = (more: string) => ({ 'svc.yaml': `${files['svc.yaml']}${more}` })
const backup = 'Restore the file from a backup; or delete it, and the next run builds all of it anew.'

/** The warehouse file is damaged, and restored the day after. */
const damaged = (name: string, damage: (path: string) => void, code = 3): Day => ({
  name,
  before: place => {
    copyFileSync(file(place), `${file(place)}.backup`)
    damage(file(place))
  },
  after: place => {
    place.write('warehouse.duckdb.wal', null)
    writeFileSync(file(place), readFileSync(`${file(place)}.backup`))
  },
  code,
  todo: backup,
})

function overwrite(path: string, from: number, bytes: number): void {
  const content = readFileSync(path)
  writeFileSync(path, content.fill(0xa5, from, Math.min(content.length, from + bytes)))
}

const big = `name: big
ingest: none
transform: SELECT i AS id, md5(CAST(i AS VARCHAR)) || md5(CAST(i + 7 AS VARCHAR)) AS text FROM range(200000) t(i)
`

const disk: readonly Day[] = [
  {
    name: 'The disk is full during a run',
    files: { 'models/big.svc': big },
    run: (place, words) =>
      place.process(words, { through: ['bash', '-c', 'trap "" XFSZ; ulimit -f 6144; exec "$@"', '-'] }),
    code: 3,
    todo: 'Make room, and run again.',
  },
  {
    name: 'The disk to which the output goes is full',
    command: 'status --env prod --json',
    run: (place, words) => place.process(words, { through: ['bash', '-c', 'exec "$@" > /dev/full', '-'] }),
    code: 3,
    todo: 'Make room, and run the command again.',
  },
  {
    name: 'The reader of the output ends early',
    command: 'status --env prod',
    run: (place, words) =>
      place.process(words, { through: ['bash', '-c', 'set -o pipefail; "$@" | true', '-'] }),
    code: 0,
    todo: 'Nothing.',
  },
  {
    name: 'The folder for temporary files is gone',
    run: (place, words) => place.process(words, { env: { TMPDIR: '/no/such/folder' } }),
    code: 0,
    production: 'day 2',
    todo: 'Nothing.',
  },
  {
    name: 'The folder of the logs is a file',
    before: place => {
      place.write('.svc/logs', null)
      place.write('.svc/logs', 'x')
    },
    after: place => place.write('.svc/logs', null),
    code: 0,
    production: 'day 2',
    todo: 'Move the file away: until then there are no logs.',
  },
]

const warehouse: readonly Day[] = [
  damaged('The warehouse file is text', path => writeFileSync(path, 'id,name\n1,x\n'.repeat(3000))),
  damaged('The warehouse file has 0 bytes', path => writeFileSync(path, '')),
  damaged('The warehouse file is cut in half', path =>
    truncateSync(path, Math.floor(readFileSync(path).length / 2)),
  ),
  damaged('The head of the warehouse file is noise', path => overwrite(path, 0, 4096)),
  damaged('All but the head of the warehouse file is noise', path => overwrite(path, 12_288, 2 ** 30)),
  damaged('The warehouse file is of a newer DuckDB', path =>
    writeFileSync(path, withStorageVersion(readFileSync(path), 99n)),
  ),
  {
    name: 'The warehouse file is deleted',
    before: place => place.write('warehouse.duckdb', null),
    code: 0,
    production: 'day 2',
    todo: 'Nothing, but what could be rolled back to is gone.',
  },
  {
    name: 'The folder of the warehouse is missing',
    files: settings('warehouse: duckdb:./no/such/w.duckdb\n'),
    code: 3,
    todo: 'Make the folder, or correct `warehouse` in `svc.yaml`.',
  },
  {
    name: 'The warehouse is of a kind that svc does not know',
    files: settings('warehouse: oracle://host/db\n'),
    code: 2,
    todo: 'Correct `warehouse` in `svc.yaml`.',
  },
  {
    name: 'Nobody answers at the address of the warehouse',
    files: settings('warehouse: postgres://127.0.0.1:1/shop\n'),
    code: 3,
    todo: 'Check host and port, and that the server runs and lets this machine in.',
  },
  {
    name: 'The variable with the address of the warehouse is not set',
    files: settings('warehouse: env:SHOP_WAREHOUSE\n'),
    code: 3,
    todo: 'Set the variable wherever runs are started.',
  },
  {
    name: 'Another program has the warehouse open',
    run: async (place, words) => {
      const holding = `import('@duckdb/node-api').then(async ({ DuckDBInstance }) => {
        globalThis.held = await DuckDBInstance.create(${JSON.stringify(file(place))}); console.log('held'); setInterval(() => {}, 1000)
      })`
      const child = spawn(process.execPath, ['-e', holding], { stdio: ['ignore', 'pipe', 'inherit'] })
      try {
        await new Promise(resolve => child.stdout.once('data', resolve))
        return await place.line(words)
      } finally {
        child.kill('SIGKILL')
        await new Promise(resolve => child.once('close', resolve))
      }
    },
    code: 3,
    todo: 'Close that program.',
  },
]

const others: readonly Day[] = [
  {
    name: 'Somebody replaced a view of production by a table',
    before: place =>
      place.sql('DROP VIEW analytics.rates', "CREATE TABLE analytics.rates AS SELECT 'mine' AS x"),
    after: place => place.sql('DROP TABLE analytics.rates'),
    code: 1,
    production: { says: 'as before, with that table', like: 'day 1', but: { rates: null } },
    todo: 'Rename or drop the table.',
  },
  {
    name: 'Somebody dropped a view of production',
    before: place => place.sql('DROP VIEW analytics.rates'),
    code: 0,
    production: 'day 2',
    todo: 'Nothing: the run makes it again.',
  },
  {
    name: 'Somebody made a view that reads production',
    before: place => place.sql('CREATE SCHEMA mine', 'CREATE VIEW mine.v AS SELECT * FROM analytics.rates'),
    code: 0,
    production: 'day 2',
    todo: 'Nothing.',
  },
  {
    name: 'The state tables are of a newer svc',
    before: place => place.sql('UPDATE svc.svc_meta SET version = version + 1000'),
    after: place => place.sql('UPDATE svc.svc_meta SET version = version - 1000'),
    code: 3,
    todo: 'Update svc on this machine.',
  },
]

const processes: readonly Day[] = [
  {
    name: 'The machine goes down during a fetch',
    files: patient,
    answer: () => undefined,
    run: (place, words) => place.interrupted(words, 'SIGKILL', 'fetching'),
    code: null,
    todo: 'Run again.',
  },
  {
    name: 'The machine goes down during a build',
    files: { 'models/big.svc': big.replace('200000', '5000000') },
    run: (place, words) => place.interrupted(words, 'SIGKILL', 'big                      building'),
    code: null,
    todo: 'Run again: what is complete is reused.',
  },
  {
    name: 'A run begins after one that was killed',
    files: patient,
    before: async place => {
      place.answer(() => undefined)
      await place.interrupted(['run', '--env', 'prod'], 'SIGKILL', 'fetching')
      place.answer((_request, response) => sendJson(response, customersOf['day 2']))
    },
    code: 0,
    production: 'day 2',
    todo: 'Nothing: the lease of the dead process is taken over.',
  },
]

export const disks: Group = {
  title: 'Disks and the warehouse',
  days: [...disk, ...warehouse, ...others, ...processes],
}
