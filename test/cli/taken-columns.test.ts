/** Columns with names that every table of PostgreSQL has of itself: refused in one sentence before the load, or renamed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemOfPostgres } from '../support/names/given-names.ts'
import { sourcesOfNames } from '../support/names/sources-of-names.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type RestServer, startRestServer } from '../support/rest-server.ts'
import { createGround } from './bad-input/command-line.ts'

/** Errors are wrapped at the width of the screen. */
const unwrapped = (text: string) => text.replace(/\s+/g, ' ')
const renamed = (name: string) => `own_${name}`
const record = (row: number) =>
  Object.fromEntries(['id', ...systemOfPostgres].map((name, index) => [name, row * 10 + index]))
const records = [record(1), record(2)]

it('a schema that PostgreSQL keeps for itself is refused without asking the server', async () => {
  const project = createGround({
    'svc.yaml': 'name: pets\nwarehouse: postgres://me@nowhere/pets\ndefault_schema: pg_mart\n',
    'models/one.svc': 'name: one\ningest: none\ntransform: SELECT 1 AS id\n',
  })
  try {
    const { code, stdout } = await project.line(['validate'])
    expect(code).toBe(1)
    expect(unwrapped(stdout)).toContain('the schema "pg_mart" is reserved')
  } finally {
    project.dispose()
  }
})

describe.runIf(canStartPostgres())('a column with a name that PostgreSQL keeps', () => {
  let server: PostgresServer
  let rest: RestServer
  beforeAll(async () => {
    server = await startPostgres()
    rest = await startRestServer()
  })
  afterAll(async () => {
    await rest.close()
    await server.stop()
  })

  // A table of PostgreSQL has no such column to be read.
  const kinds = Object.keys(sourcesOfNames).filter(kind => kind !== 'postgres')

  it('is refused of every kind of source, and loaded where the contract renames it', async () => {
    const project = createGround({ 'svc.yaml': 'name: pets\nwarehouse: env:HOUSE\n' }, { program: 'tests' })
    const places = { ground: project, rest, postgres: '' }
    const env = { HOUSE: await server.createDatabase() }
    const asset = (kind: string, contract: string) => {
      const ingest = JSON.stringify(sourcesOfNames[kind]?.ingest({ name: kind, records }, places))
      return `name: ${kind}\ningest: ${ingest}\n${contract}transform: SELECT * FROM {{ source }}\n`
    }
    const columns = systemOfPostgres.map(name => `${renamed(name)}: {from: ${name}, type: bigint}`)
    try {
      for (const kind of kinds) {
        await sourcesOfNames[kind]?.put({ name: kind, records }, places)
        project.write(`models/${kind}.svc`, asset(kind, ''))
      }
      for (const words of [['validate'], ['plan'], ['run', '--all']]) {
        const { code, stdout, stderr } = await project.line(words, { env })
        const said = unwrapped(stdout + stderr)
        expect(code, said).toBe(1)
        // What services and databases have is known once they were asked.
        for (const kind of words[0] === 'run' ? kinds : ['csv', 'ndjson', 'parquet', 'rows'])
          expect(said, kind).toContain(`models/${kind}.svc`)
        for (const name of systemOfPostgres)
          expect(said).toContain(
            `"${name}" becomes the column ${name}, and every table of PostgreSQL has a column of that name already`,
          )
        expect(said).not.toMatch(/does not exist|conflicts with/)
      }
      for (const kind of kinds)
        project.write(`models/${kind}.svc`, asset(kind, `contract: {columns: {${columns.join(', ')}}}\n`))
      const { code, stdout, stderr } = await project.line(['run', '--all'], { env })
      expect(code, stdout + stderr).toBe(0)
      for (const kind of kinds) {
        const sample = await project.json(['sample', kind, '--json'], { env })
        const { rows } = sample.value as { rows: Readonly<Record<string, unknown>>[] }
        const values = rows.map(row => ['id', ...systemOfPostgres.map(renamed)].map(name => row[name]))
        expect(values.toSorted(), kind).toEqual(records.map(each => Object.values(each)))
      }
    } finally {
      project.dispose()
    }
  })

  it('is refused of a model, where it is made', async () => {
    const project = createGround({
      'svc.yaml': `name: pets\nwarehouse: ${await server.createDatabase()}\n`,
      'models/made.svc': 'name: made\ningest: none\ntransform: SELECT 1 AS id, 2 AS xmin\n',
      'models/taken.svc':
        'name: taken\ningest: none\ntransform: SELECT id, xmin FROM {{ ref("made") }}\ndeploy: {materialize: view}\n',
      'models/star.svc': 'name: star\ningest: none\ntransform: SELECT * FROM {{ ref("made") }}\n',
    })
    try {
      const { code, stdout } = await project.line(['validate'])
      expect(code).toBe(1)
      expect(unwrapped(stdout)).toContain('a column cannot be called "xmin" in PostgreSQL')
      expect(stdout).toContain('models/made.svc:3:')
      expect(stdout).not.toContain('does not exist')
    } finally {
      project.dispose()
    }
  })

  it('is refused of what is published to a table, and sent under another name', async () => {
    const target = await server.createDatabase()
    const asset = (fields: string) => `name: pets
ingest: {type: rows, rows: [{id: 1, xmin: 2}]}
transform: SELECT * FROM {{ source }}
publish:
  there: {type: postgres, endpoint: env:TARGET, resource: public.pets, key: id, environments: [dev]${fields}}
`
    const project = createGround({ 'svc.yaml': 'name: pets\n', 'models/pets.svc': asset('') })
    const env = { TARGET: target }
    try {
      expect((await project.line(['run', '--all'], { env })).code).toBe(0)
      const refused = await project.line(['publish', 'pets', '--to', 'there'], { env })
      expect(refused.code).not.toBe(0)
      expect(unwrapped(refused.stderr + refused.stdout)).toContain(
        'cannot have a column "xmin": every table there has one of that name already',
      )
      project.write('models/pets.svc', asset(', fields: {id: id, place: xmin}'))
      const { code, stderr } = await project.line(['publish', 'pets', '--to', 'there'], { env })
      expect(code, stderr).toBe(0)
    } finally {
      project.dispose()
    }
  })
})
