/** What a newcomer meets first: new assets, pointers from the words of other tools, what doctor shows. */
import { afterAll, describe, expect, it } from 'vitest'
import type { TestProject } from '../support/cli.ts'
import { createProjectHere } from '../support/cli-here.ts'
import { shop } from './shop-project.ts'

const projects: TestProject[] = []
afterAll(() => {
  for (const each of projects) each.dispose()
})

function createdProject(files: Readonly<Record<string, string>> = shop): TestProject {
  const made = createProjectHere(files)
  projects.push(made)
  return made
}

describe('the first steps', () => {
  it('create asset writes a template for each kind of source, without a mistake in it', async () => {
    const made = createdProject({ 'data/b.csv': 'id\n1\n' })
    await made.svc(['init'])
    const names = { none: 'a', file: 'b', rest_api: 'c', rows: 'd', sql: 'e', warehouse: 'g' }
    for (const [kind, name] of Object.entries(names))
      expect((await made.svc(['create', 'asset', name, '--from', kind])).code).toBe(0)
    expect((await made.svc(['validate', '--quiet'])).stdout).toContain('6 passed')
    expect((await made.svc(['run', 'a', 'b', 'd'])).code).toBe(0)
    const told = await made.svc(['create', 'asset', 'f', '--from', 'dbt'])
    expect([told.code, told.stderr]).toEqual([
      2,
      expect.stringContaining('none, rest_api, sql, file, warehouse, rows'),
    ])
  })

  it('an address that is written as in other tools gets a pointer, and no complaint about files without a name', async () => {
    const written = createdProject({
      'models/a.svc':
        'name: a\ningest: {type: file, path: ./data/a.csv}\ntransform: SELECT * FROM {{ source }}\n',
    })
    const { stdout } = await written.svc(['validate', '--format', 'lines'])
    expect(stdout).toContain('A file has two keys: endpoint, its folder, and resource')
    expect(stdout.match(/\b(missing-key|unknown-key|source-[a-z-]+)\b/g)).toEqual([
      'missing-key',
      'missing-key',
      'unknown-key',
    ])
  })

  it('doctor names the columns of a source', async () => {
    expect((await createdProject().svc(['doctor'])).stdout).toMatch(
      /source orders +file: 4 columns \(id, customer_id, amount, day\)/,
    )
  })
})
