/** Publishing into tables of real servers: what arrives, what is refused, and that a kill loses and doubles nothing. */
import { DuckDBInstance } from '@duckdb/node-api'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { showsDestination } from '../../support/features/shows.ts'
import { isLong, sample } from '../../support/long.ts'
import { canStartMariadb, type MariadbServer, startMariadb } from '../../support/mariadb.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { assetWith, customer, customers, type Ground, type Published, publishGround } from './ground.ts'

interface Place {
  /** The address as it is written into the asset, and the type. */
  readonly endpoint: string
  readonly type: string
  /** What goes into `DESTINATION__THERE__CREDENTIALS`. */
  readonly password: string
  run(sql: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

interface Kind {
  readonly name: string
  readonly canStart: boolean
  start(): Promise<{ place(ground: () => string): Promise<Place>; stop(): Promise<void> }>
}

const kinds: readonly Kind[] = [
  { name: 'PostgreSQL', canStart: canStartPostgres(), start: async () => postgres(await startPostgres()) },
  { name: 'MariaDB', canStart: canStartMariadb(), start: async () => mariadb(await startMariadb()) },
  { name: 'a DuckDB file', canStart: true, start: async () => duckdb() },
]

function postgres(server: PostgresServer) {
  return {
    async place(): Promise<Place> {
      const endpoint = await server.createDatabase()
      const client = new pg.Client({ connectionString: endpoint })
      await client.connect()
      return {
        ...{ endpoint, type: 'postgres', password: '' },
        run: async sql => (await client.query(sql)).rows,
        close: () => client.end(),
      }
    },
    stop: () => server.stop(),
  }
}

function mariadb(server: MariadbServer) {
  return {
    async place(): Promise<Place> {
      const endpoint = await server.createDatabase()
      const connection = await mysql.createConnection({ uri: endpoint, dateStrings: true })
      return {
        ...{ endpoint: endpoint.replace(':sesame', ''), type: 'mysql', password: 'sesame' },
        run: async sql => {
          const [rows] = await connection.query(sql)
          return (Array.isArray(rows) ? rows : []) as Record<string, unknown>[]
        },
        close: () => connection.end(),
      }
    },
    stop: () => server.stop(),
  }
}

function duckdb() {
  return {
    async place(root: () => string): Promise<Place> {
      return {
        ...{ endpoint: 'duckdb:./other.duckdb', type: 'duckdb', password: '' },
        async run(sql) {
          const instance = await DuckDBInstance.create(`${root()}/other.duckdb`)
          try {
            const connection = await instance.connect()
            const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson()
            connection.closeSync()
            return rows
          } finally {
            instance.closeSync()
          }
        },
        close: async () => undefined,
      }
    },
    stop: async () => undefined,
  }
}

for (const kind of kinds) {
  describe.skipIf(!kind.canStart || (kind.name === 'MariaDB' && !isLong))(
    `publishing to ${kind.name}`,
    () => {
      let server: Awaited<ReturnType<Kind['start']>>
      let place: Place
      let ground: Ground

      beforeAll(async () => {
        server = await kind.start()
      })
      afterAll(() => server.stop())
      beforeEach(async () => {
        place = await server.place(() => ground.root)
        ground = publishGround(target(), { secrets: { DESTINATION__THERE__CREDENTIALS: place.password } })
      })
      afterEach(async () => {
        await place.close()
        ground.dispose()
      })

      function target(more = ''): string {
        return `{type: ${place.type}, endpoint: "${place.endpoint}", resource: people, key: id${more}}`
      }

      function changeTarget(more: string): void {
        ground.write('models/customers.svc', assetWith(target(more)))
      }

      async function there(): Promise<unknown[]> {
        const rows = await place.run('SELECT id, email, name, amount FROM people ORDER BY id')
        return rows.map(({ id, email, name, amount }) => ({
          id: Number(id),
          email,
          name,
          amount: Number(amount),
        }))
      }

      it('sends all rows to a table that is not the one of the last publish', async () => {
        await ground.production(customers(3))
        expect((await ground.publish()).value.done).toMatchObject({ inserts: 3 })
        await place.run('DROP TABLE people')
        const looked = await ground.publish(['--dry-run'])
        expect(looked.value).toMatchObject({ creates: true, known: 0, planned: { inserts: 3, unchanged: 0 } })
        const warnings = [{ code: 'target-replaced' }]
        expect(looked.value).toMatchObject({ warnings })
        expect((await ground.publish(['--strict'])).value.error).toMatchObject({ code: 'new-warnings' })
        const again = await ground.publish()
        expect(again).toMatchObject({ code: 0, value: { creates: true, done: { inserts: 3 }, warnings } })
        expect(await there()).toHaveLength(3)
        expect((await ground.publish()).value).toMatchObject({ known: 3, done: { inserts: 0, unchanged: 3 } })
        const columns = 'id BIGINT PRIMARY KEY, email VARCHAR(99), name VARCHAR(99), amount DECIMAL(9, 2)'
        await place.run('DROP TABLE people')
        await place.run(`CREATE TABLE people (${columns})`)
        const others = await ground.publish()
        expect(others).toMatchObject({ code: 0, value: { creates: false, known: 0, done: { inserts: 3 } } })
        expect(await there()).toHaveLength(3)
        changeTarget(', mode: mirror, max_change: 100%')
        await ground.production(customers(2))
        expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { deletes: 1 } } })
      })

      it('makes the table, inserts, updates what changed alone, and leaves what is gone', async () => {
        showsDestination(['postgres', 'mysql', 'duckdb'], ['upsert', 'creates', 'difference', 'dry_run'])
        await ground.production(customers(3))
        const looked = await ground.publish(['--dry-run'])
        expect(looked).toMatchObject({ code: 0, value: { status: 'planned', creates: true, run_id: null } })
        expect(looked.value.planned).toMatchObject({ inserts: 3, updates: 0 })
        expect(looked.value.samples[0]).toEqual({ operation: 'insert', row: customer(1) })
        await expect(place.run('SELECT * FROM people')).rejects.toThrow()
        expect(await ground.publish()).toMatchObject({
          code: 0,
          value: { done: { inserts: 3 }, creates: true },
        })
        expect(await there()).toEqual(customers(3))
        await ground.production([customer(1), customer(2, 'other'), customer(4)])
        const again = await ground.publish()
        expect(again).toMatchObject({ code: 0, value: { known: 3, creates: false } })
        expect(again.value.done).toMatchObject({ inserts: 1, updates: 1, deletes: 0, unchanged: 1 })
        expect(await there()).toEqual([customer(1), customer(2, 'other'), customer(3), customer(4)])
        expect((await ground.publish()).value.done).toMatchObject({ inserts: 0, updates: 0, unchanged: 3 })
      })

      it('takes columns with the names that SQL of svc could have for its own', async () => {
        const names = [
          'n',
          'reason',
          'file_row_number',
          'svc_row',
          'record',
          'target',
          'stage',
          'place',
          'payload',
        ]
        const values = (by: number) => names.map((name, index) => `${name}: ${(index + 1) * by}`).join(', ')
        const odd = (by: number, mode: string) =>
          ground.write(
            'models/odd.svc',
            `name: odd
ingest: {type: rows, rows: [{id: 1, ${values(by)}}, {id: 2, ${values(by * 100)}}]}
transform: SELECT * FROM {{ source }}
publish: {there: ${target(`${mode}, environments: [dev]`).replace('people', 'odd')}}`,
          )
        const publish = async () => {
          const { code, stderr } = await ground.svc(['run', '+odd'])
          expect(code, stderr).toBe(0)
          return (await ground.json(['publish', 'odd', '--to', 'there', '--json'], {
            env: { DESTINATION__THERE__CREDENTIALS: place.password },
          })) as Published
        }
        const there = async () => {
          const rows = await place.run('SELECT * FROM odd ORDER BY id')
          return rows.map(row => names.map(name => Number(row[name])))
        }
        const expected = (by: number) =>
          [1, 100].map(more => names.map((_, index) => (index + 1) * by * more))
        odd(10, '')
        expect(await publish()).toMatchObject({ code: 0, value: { done: { inserts: 2 } } })
        expect(await there()).toEqual(expected(10))
        odd(20, ', mode: update')
        expect(await publish()).toMatchObject({ code: 0, value: { done: { updates: 2 } } })
        expect(await there()).toEqual(expected(20))
      })

      it('mirror deletes what was published and is gone, and nothing else', async () => {
        showsDestination(['postgres', 'mysql', 'duckdb'], ['mirror'])
        changeTarget(', mode: mirror, max_change: 100%')
        await ground.production(customers(4))
        await ground.publish()
        await place.run("INSERT INTO people VALUES (99, 'own@example.com', 'own', 9)")
        await ground.production([customer(1), customer(3, 'changed')])
        expect((await ground.publish()).value.done).toMatchObject({ updates: 1, deletes: 2, unchanged: 1 })
        const own = { id: 99, email: 'own@example.com', name: 'own', amount: 9 }
        expect(await there()).toEqual([customer(1), customer(3, 'changed'), own])
      })

      it('on_delete: mark writes the time into what is gone, and takes it out of what comes back', async () => {
        showsDestination(['postgres', 'mysql', 'duckdb'], ['mark'])
        ground.write(
          'models/customers.svc',
          assetWith(target(', on_delete: mark, mark: gone_at, max_change: 100%')),
        )
        const marks = async () => {
          const rows = await place.run('SELECT id, gone_at FROM people ORDER BY id')
          return rows.map(row => `${row['id']} ${row['gone_at'] === null ? 'there' : 'gone'}`)
        }
        await ground.production(customers(3))
        expect((await ground.publish()).value.done).toMatchObject({ inserts: 3 })
        await ground.production(customers(1))
        expect((await ground.publish()).value.done).toMatchObject({ deletes: 2, unchanged: 1 })
        expect(await marks()).toEqual(['1 there', '2 gone', '3 gone'])
        expect((await ground.publish()).value.done).toMatchObject({ deletes: 0, unchanged: 1 })
        await ground.production(customers(2))
        expect((await ground.publish()).value.done).toMatchObject({ inserts: 1, unchanged: 1 })
        expect(await marks()).toEqual(['1 there', '2 there', '3 gone'])
      })

      it('on_delete: delete is what mirror does', async () => {
        showsDestination(['postgres', 'mysql', 'duckdb'], ['delete'])
        ground.write(
          'models/customers.svc',
          assetWith(target(', mode: insert, on_delete: delete, max_change: 100%')),
        )
        await ground.production(customers(3))
        await ground.publish()
        await ground.production(customers(2))
        expect((await ground.publish()).value.done).toMatchObject({ deletes: 1, unchanged: 2 })
        expect(await place.run('SELECT id FROM people ORDER BY id')).toHaveLength(2)
      })

      it('insert changes nothing that is there; update inserts nothing', async () => {
        showsDestination(['postgres', 'mysql', 'duckdb'], ['insert', 'update'])
        await ground.production(customers(2))
        await ground.publish()
        changeTarget(', mode: insert')
        await ground.production([customer(1, 'changed'), customer(2), customer(3)])
        expect((await ground.publish()).value.done).toMatchObject({ inserts: 1, updates: 0, unchanged: 1 })
        expect(await there()).toEqual(customers(3))
        changeTarget(', mode: update')
        await ground.production([customer(1, 'changed'), customer(4)])
        const updated = await ground.publish()
        expect(updated).toMatchObject({ code: 1, value: { done: { updates: 1, refused: 1 } } })
        expect(updated.value.rejects).toMatchObject([
          { key: '{"id":4}', reason: 'there is no row with this key' },
        ])
        expect(await there()).toEqual([customer(1, 'changed'), customer(2), customer(3)])
      })

      it('keeps hold of rows that the table refuses, takes all others, and tries them again', async () => {
        showsDestination(['postgres', 'mysql', 'duckdb'], ['outcomes'])
        const check =
          place.type === 'duckdb' ? 'DOUBLE CHECK (amount < 100)' : 'double precision CHECK (amount < 100)'
        await place.run(
          `CREATE TABLE people (id bigint PRIMARY KEY, email varchar(100), name varchar(100), amount ${check})`,
        )
        await ground.production([...customers(20), customer(21, 'too much', 1000), customer(22, 'much', 500)])
        const first = await ground.publish()
        expect(first).toMatchObject({ code: 1, value: { done: { inserts: 20, refused: 2 } } })
        expect(first.value.rejects.map(({ key }) => key).sort()).toEqual(['{"id":21}', '{"id":22}'])
        expect(first.value.rejects[0]?.reason).toMatch(/check|constraint/i)
        expect(await there()).toEqual(customers(20))
        const { stdout } = await ground.svc(['rejects', 'customers', '--to', 'there'])
        expect(stdout).toContain('{"id":21}')
        await ground.production([...customers(20), customer(21), customer(22)])
        expect(await ground.publish()).toMatchObject({
          code: 0,
          value: { done: { inserts: 2, unchanged: 20 } },
        })
        expect(await there()).toEqual(customers(22))
        expect((await ground.svc(['rejects', 'customers', '--to', 'there'])).stdout).not.toContain('"id"')
      })

      // Only there a trigger says what it likes.
      if (kind.name === 'PostgreSQL')
        it('tells no personal value that stops the publish', async () => {
          await place.run(`CREATE TABLE people (id bigint PRIMARY KEY, email text, name text, amount numeric);
            CREATE FUNCTION strict() RETURNS trigger LANGUAGE plpgsql AS $$
              BEGIN RAISE EXCEPTION 'nobody writes %', NEW.email; END $$;
            CREATE TRIGGER strict BEFORE INSERT ON people FOR EACH ROW EXECUTE FUNCTION strict()`)
          const personal = assetWith(target()).replace('email: varchar', 'email: {type: varchar, pii: true}')
          ground.write('models/customers.svc', personal)
          await ground.production(customers(2))
          const said = await ground.svc(['publish', 'customers', '--to', 'there', '--debug'])
          expect(said.stderr).toContain('nobody writes ***')
          expect(said.stdout + said.stderr).not.toContain(customer(1).email)
        })

      it('refuses a table that lacks a column or the unique key, before anything is sent', async () => {
        await place.run('CREATE TABLE people (id bigint, email varchar(100), name varchar(100))')
        await ground.production(customers(1))
        const missing = await ground.publish()
        expect(missing).toMatchObject({ code: 1, value: { error: { code: 'destination-shape' } } })
        expect(missing.value.error?.message).toContain('has no column "amount"')
        await place.run('ALTER TABLE people ADD COLUMN amount double precision')
        expect((await ground.publish()).value.error?.message).toContain('has no unique key on id')
        expect(await place.run('SELECT * FROM people')).toEqual([])
      })

      it('does not send what has no key, or one that another row has', async () => {
        ground.write('models/customers.svc', assetWith(target().replace('key: id', 'key: [email, name]')))
        const twice = [customer(3), { ...customer(3), id: 33 }]
        await ground.production([customer(1), { ...customer(2), email: '' }, ...twice])
        const report = await ground.publish()
        expect(report).toMatchObject({ code: 1, value: { done: { inserts: 1, invalid: 3 } } })
        expect(report.value.rejects.map(({ reason }) => reason)).toEqual(
          expect.arrayContaining(['its key is NULL', '2 rows have this key']),
        )
      })

      it('brings values of all kinds, whatever is in a text', async () => {
        const odd = 'tab\t line\n back\\slash \\N \\n "quote" \'single\' é 🦆 \r end'
        ground.write('data/customers.csv', 'id\n1\n')
        ground.write(
          'models/customers.svc',
          `name: customers
ingest: {type: rows, rows: [{id: 1, odd: ${JSON.stringify(odd)}}]}
transform: |
  SELECT id, odd, NULL::VARCHAR AS nothing, '' AS empty, 12345678901234567890::UBIGINT AS big,
    1.10::DECIMAL(12,2) AS price, true AS yes, DATE '2024-02-29' AS day,
    TIMESTAMP '2024-02-29 12:30:00.5' AS moment, '\\xAA\\x00'::BLOB AS bytes, {'a': [1, NULL]} AS nested,
    [1.5, 'nan'::DOUBLE] AS numbers
  FROM {{ source }}
publish: {there: ${target(', environments: [dev]')}}
`,
        )
        expect((await ground.svc(['run', '--all'])).code).toBe(0)
        expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { inserts: 1 } } })
        const hex = place.type === 'postgres' ? "encode(bytes, 'hex')" : 'lower(hex(bytes))'
        const text = place.type === 'mysql' ? 'CHAR' : 'VARCHAR'
        const [row] = await place.run(
          `SELECT odd, nothing, empty, CAST(big AS ${text}) AS big, CAST(price AS ${text}) AS price,
          CAST(yes AS ${text}) AS yes, CAST(day AS ${text}) AS day, CAST(moment AS ${text}) AS moment, ${hex} AS bytes,
          CAST(nested AS ${text}) AS nested, CAST(numbers AS ${text}) AS numbers FROM people`,
        )
        expect(row).toMatchObject({
          odd,
          nothing: null,
          empty: '',
          big: '12345678901234567890',
          price: '1.10',
        })
        expect(row).toMatchObject({ day: '2024-02-29', bytes: 'aa00' })
        expect(String(row?.['yes'])).toMatch(/^(true|1)$/)
        expect(String(row?.['moment'])).toMatch(/^2024-02-29 12:30:00\.5/)
        expect(String(row?.['nested']).replaceAll(/[ '"]/g, '')).toMatch(/^\{a:\[1,(null|NULL)\]\}$/)
        // JSON has no such number: it is a text there.
        expect(String(row?.['numbers']).replaceAll(' ', '')).toMatch(/^\[1\.5,("nan"|nan)\]$/)
      })

      it('keeps every digit of decimals, in keys and inside of other values', async () => {
        const write = (numbers: readonly string[]) =>
          ground.write(
            'models/customers.svc',
            `name: customers
ingest: none
transform: |
  SELECT number::DECIMAL(25,5) AS id, number::DECIMAL(25,5) AS amount, {'a': number::DECIMAL(25,5)} AS nested
  FROM (VALUES ${numbers.map(number => `('${number}')`).join(', ')}) AS numbers(number)
publish: {there: ${target(', mode: mirror, environments: [dev]')}}
`,
          )
        const digits = async () => {
          const text = place.type === 'mysql' ? 'CHAR' : 'VARCHAR'
          const select = ['id', 'amount', 'nested'].map(name => `CAST(${name} AS ${text}) AS ${name}`)
          return place.run(`SELECT ${select.join(', ')} FROM people ORDER BY people.id`)
        }
        const [first, second] = ['12345678901234567890.12345', '12345678901234567890.12346'] as const
        write([first, second])
        expect((await ground.svc(['run', '--all'])).code).toBe(0)
        expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { inserts: 2 } } })
        expect(await digits()).toMatchObject([
          { id: first, amount: first },
          { id: second, amount: second },
        ])
        // MariaDB keeps numbers of JSON as a DOUBLE does.
        if (place.type !== 'mysql') expect(String((await digits())[0]?.['nested'])).toContain(first)
        write([second])
        expect((await ground.svc(['run', '--all'])).code).toBe(0)
        expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { deletes: 1 } } })
        expect(await digits()).toMatchObject([{ id: second, amount: second }])
      })

      it('a publish that is killed is gone on from, and the target is as production in the end', async () => {
        showsDestination(['postgres', 'mysql', 'duckdb'], ['killed'])
        changeTarget(', mode: mirror, batch: 20, max_change: 100%')
        // So many batches that none of the kills comes after the last.
        await ground.production(customers(2000))
        for (const after of sample([1, 3, 6], 3)) {
          const killed = await killedAfter(ground, after, place.password)
          expect(killed).toBe(null)
        }
        const last = await ground.publish()
        expect(last.code).toBe(0)
        expect(last.value.done.inserts).toBeLessThan(2000)
        expect(await there()).toEqual(customers(2000))
        await ground.production(customers(150, 51))
        await killedAfter(ground, 1, place.password)
        expect((await ground.publish()).code).toBe(0)
        expect(await there()).toEqual(customers(150, 51))
        expect((await ground.publish()).value.done).toMatchObject({
          inserts: 0,
          updates: 0,
          deletes: 0,
          unchanged: 150,
        })
      })

      it('says what is wrong with the address, and hides what is secret in it', async () => {
        await ground.production(customers(1))
        if (place.type === 'duckdb') return
        const secret = 'verysecretword'
        const wrong = place.endpoint.replace(/\/\/[^@]*@127\.0\.0\.1:\d+/, `//svc:${secret}@127.0.0.1:9`)
        ground.write(
          'models/customers.svc',
          assetWith(target().replace(`"${place.endpoint}"`, 'env:PLACE, limits: {retries: 0}')),
        )
        const env = { PLACE: wrong }
        const { code, stdout, stderr } = await ground.svc(['publish', 'customers', '--to', 'there'], { env })
        expect(code).toBe(3)
        expect(stderr).toMatch(/cannot be reached/)
        const logs = await ground.svc(['logs', '--json'])
        const newest = (JSON.parse(logs.stdout) as { run_id: string }).run_id
        const log = await ground.svc(['logs', newest, '--debug'])
        expect(stdout + stderr + log.stdout).not.toContain(secret)
        expect(log.stdout).toContain('cannot be reached')
      })
    },
  )
}

/** Kills the process as soon as so many batches were acknowledged. Returns its exit code: null, if it was killed. */
async function killedAfter(ground: Ground, batches: number, password: string): Promise<number | null> {
  const words = ['publish', 'customers', '--to', 'there', '--log-format', 'json']
  const { code } = await ground.alone(words, {
    env: { DESTINATION__THERE__CREDENTIALS: password },
    onStart({ kill, onOutput }) {
      let seen = 0
      onOutput(text => {
        seen += text.split('"publish-progress"').length - 1
        if (seen >= batches) kill('SIGKILL')
      })
    },
  })
  return code
}
