/** Projects whose warehouse, schemas and columns have the names of what svc and the engine have beside them. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProjectHere } from '../support/cli-here.ts'
import { casesOf, type Judged, judgeNames } from '../support/names/project-of-names.ts'

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

describe('columns', () => {
  it('with names of our SQL and of pseudo-columns keep their values, a sample of test/long/names.test.ts', async () => {
    const judged: Judged = { checks: 0, wrong: [], crashes: 0 }
    const names = [
      'rowid',
      'order',
      'record',
      'key',
      'row',
      'n',
      'rows',
      'found',
      'stage',
      'ctid',
      'value',
      'user',
    ]
    await judgeNames({ warehouse: 'duckdb:./pets.duckdb', cases: casesOf([names], ['csv']) }, judged)
    expect(judged.wrong).toEqual([])
    expect(judged.checks).toBeGreaterThan(100)
  })
})

describe('a warehouse file in a repository', () => {
  it('is in .gitignore by its own name, and doctor tells where git tracks it', async () => {
    const project = createProjectHere({ 'svc.yaml': 'name: farm\nwarehouse: duckdb:./farm 1.duckdb\n' })
    const git = (...words: string[]) => execFileSync('git', words, { cwd: project.root, stdio: 'pipe' })
    try {
      git('init', '-q')
      expect((await project.svc(['init'])).code).toBe(0)
      expect(readFileSync(join(project.root, '.gitignore'), 'utf8')).toBe(
        '.svc/\nsvc_catalog.json\nfarm\\ 1.duckdb*\nnode_modules/\n',
      )
      git('add', '-A')
      expect(String(git('ls-files'))).toBe('.gitignore\nsvc.yaml\n')
      expect((await project.svc(['doctor'])).stdout).not.toContain('git')
      git('add', '-f', 'farm 1.duckdb')
      const { code, stdout } = await project.svc(['doctor'])
      // A project runs with it, as one without git does.
      expect({ code, last: stdout.trim().split('\n').at(-1) }).toEqual({
        code: 0,
        last: 'Nothing failed; 1 recommendation.',
      })
      expect(stdout.replace(/\s+/g, ' ')).toContain('git tracks farm 1.duckdb: a checkout puts an older one')
      expect(stdout).toContain('git rm -r --cached "farm 1.duckdb"')
    } finally {
      project.dispose()
    }
  })
})

describe('a name that is empty', () => {
  it('among the indexes of one file is told there, and the other files are checked', async () => {
    const project = createProjectHere({
      'svc.yaml': 'name: shop\n',
      'models/a.svc': 'name: a\ningest: none\ntransform: SELECT 1 AS id\ndeploy: {indexes: [""]}\n',
      'models/b.svc': 'name: b\ningest: none\ntransform: SELECT 1 AS id\n',
    })
    try {
      const { code, stdout, stderr } = await project.svc(['validate'])
      expect(code).toBe(1)
      expect(stdout + stderr).toContain('deploy.indexes[0]')
      expect(stdout).toContain('models/b.svc')
    } finally {
      project.dispose()
    }
  })
})
