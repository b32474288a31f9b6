/** What a run does of a project in which some files have errors. */
import { afterEach, describe, expect, it } from 'vitest'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { broken, shop } from './shop-project.ts'

const projects: ProjectHere[] = []

function project(files: Readonly<Record<string, string>>): ProjectHere {
  const made = createProjectHere(files)
  projects.push(made)
  return made
}

afterEach(() => {
  for (const made of projects.splice(0)) made.dispose()
})

describe('files with errors', () => {
  it('fail their assets with all of them shown, everything else is done, and nothing is promoted', async () => {
    const made = project(broken)
    const result = await made.svc(['run'])
    expect(result.code).toBe(1)
    expect(result.stdout).toContain('models/orders.svc:4:14')
    expect(result.stdout).toContain('2 held back')
    expect(result.stdout).toContain('Nothing was promoted: dev is as before.')
    expect(result.stderr).toMatch(/✓ customers +built/)
    const { value } = await made.json(['status', '--json'])
    expect(JSON.stringify(value)).not.toContain('"active_hash":"')
    made.write('models/orders.svc', shop['models/orders.svc'] ?? '')
    const retried = await made.svc(['retry'])
    expect(retried).toMatchObject({ code: 0 })
    expect(retried.stderr).not.toMatch(/✓ customers +built/)
  })

  it('are all told at the end, with the tests that failed, and stop a plan', async () => {
    const made = project({
      ...broken,
      'models/empty.svc':
        'name: empty\ningest: none\ntransform: SELECT 1 AS n\ntests: [range: {n: {min: 2}}]\n',
    })
    const result = await made.svc(['run'])
    const seen = `${result.stderr}${result.stdout}`
    expect(seen).toMatch(/Failed run \w+ after \S+ m?s: empty and orders failed\./)
    expect(seen).toMatch(/✗ orders +2 errors in its file\n/)
    for (const reason of [
      'unknown column "custmer_id"',
      'unknown column "idd"',
      'test failed 1 row with n not at least 2',
    ])
      expect([reason, seen.replaceAll(/\s+/g, ' ').split(reason).length - 1]).toEqual([reason, 1])
    expect(seen).toContain('models/empty.svc:4:9')
    const { value } = await made.json(['run', '--json'])
    expect(value).toMatchObject({
      assets: expect.arrayContaining([
        expect.objectContaining({ name: 'orders', place: 'models/orders.svc:4:14' }),
        expect.objectContaining({ name: 'empty', because: expect.stringContaining('range_n') }),
      ]),
    })
    expect((await made.svc(['plan'])).stderr).toContain('2 errors in 1 file; nothing was done')
  })

  it('and without a name refuse the run: the asset would be taken for deleted', async () => {
    const named = 'name: zero\ningest: none\ntransform: SELECT 0 AS n\n'
    const made = project({ ...shop, 'models/other.svc': named })
    expect((await made.svc(['run'])).code).toBe(0)
    made.write('models/other.svc', '')
    const result = await made.svc(['run', '--promote', 'passed'])
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('nothing was done')
    expect((await made.svc(['sample', 'zero', '--source', 'view'])).code).toBe(0)
  })

  it('do not stop a run of others', async () => {
    const made = project(broken)
    const result = await made.svc(['run', 'customers'])
    expect(result.code).toBe(0)
  })
})
