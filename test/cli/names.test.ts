/** Projects whose warehouse, schemas and columns have the names of what svc and the engine have beside them. */
import { describe, expect, it } from 'vitest'
import { createProjectHere } from '../support/cli-here.ts'

const pets = `name: pets
ingest: {type: rows, rows: [{id: 1, record: 10, n: 5}, {id: 2, record: 20, n: 6}], primary_key: id}
transform: SELECT * FROM {{ source }}
tests: [{unique: id}, {not_null: record}]
`

describe('a warehouse file', () => {
  it.each([
    ['analytics.duckdb', 'analytics'],
    ['svc.duckdb', 'analytics'],
    ['pets.duckdb', 'temp'],
    ['pets.duckdb', 'system'],
    ['main.duckdb', 'main'],
    ['temp.duckdb', 'temp'],
    ['x.y.duckdb', 'x'],
    ['svc_samples.duckdb', 'memory'],
    ['a"b.duckdb', 'b'],
  ])('%s with the schema %s works from the first run to a rollback', async (file, schema) => {
    const project = createProjectHere({
      'svc.yaml': `name: shop\nwarehouse: 'duckdb:./${file}'\ndefault_schema: '${schema}'\nenvironments: {prod: {schema: '${schema}'}}\n`,
      'models/pets.svc': pets,
      'models/names.svc':
        'name: names\ningest: none\ntransform: SELECT id, record + n AS total FROM {{ ref("pets") }}\ndeploy: {materialize: view}\n',
    })
    try {
      const done = async (...words: string[]) => {
        const { code, stdout, stderr } = await project.svc(words)
        expect({ code, said: code === 0 ? '' : stdout + stderr }, words.join(' ')).toEqual({
          code: 0,
          said: '',
        })
        return stdout
      }
      const rows = async () =>
        ((await project.json(['sample', 'names', '--env', 'prod', '--json'])) as { value: { rows: unknown } })
          .value.rows
      await done('run', '--all', '--env', 'prod')
      expect(await rows()).toEqual([
        { id: 1, total: 15 },
        { id: 2, total: 26 },
      ])
      await done('test', '--env', 'prod')
      expect(await done('doctor', '--env', 'prod')).toContain('All is well')
      project.write('models/pets.svc', pets.replace('record: 10', 'record: 100'))
      await done('run', '--all', '--env', 'prod')
      expect(await rows()).toEqual([
        { id: 1, total: 105 },
        { id: 2, total: 26 },
      ])
      await done('rollback', '--env', 'prod')
      await done('status', '--env', 'prod')
      await done('gc', '--env', 'prod')
    } finally {
      project.dispose()
    }
  })
})
