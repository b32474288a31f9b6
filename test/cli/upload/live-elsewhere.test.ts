/** What an upload says of what is live: of an environment in which nothing is live any more, and of one that never had anything. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { bootstrapToken, engines, useHosted } from '../../hosted/support/engines.ts'
import { createGround, type Ground } from '../bad-input/command-line.ts'

const day = 86_400_000
const files = {
  'svc.yaml': 'name: shop\n',
  '.git/HEAD': 'ref: refs/heads/feature\n',
  'models/orders.svc': 'name: orders\ningest: none\ntransform: SELECT 1 AS id\n',
}

const grounds: Ground[] = []
afterEach(() => {
  for (const ground of grounds.splice(0)) ground.dispose()
})

function machine(): Ground {
  const ground = createGround(files)
  grounds.push(ground)
  return ground
}

const [engine] = engines
if (engine === undefined) throw new Error('there is no engine to test on')

describe('what the store has as live', () => {
  const hosted = useHosted(engine)
  const done = async (of: Ground, words: readonly string[], days = 0, code = 0) => {
    const env = { SVC_HOSTED_URL: hosted.service.url, SVC_HOSTED_TOKEN: bootstrapToken }
    const said = await of.line(words, { env, now: () => new Date(Date.now() + days * day) })
    expect(said.code, said.stdout + said.stderr).toBe(code)
  }
  const live = async () => {
    const { body: assets } = await hosted.admin.get('/api/svc/metadata/projects/1/assets?name=orders')
    const { body } = await hosted.admin.get(`/api/svc/metadata/assets/${assets[0].id}/metadata`)
    return body.active_version?.status ?? null
  }

  it('goes with the branch that svc gc clears away, and comes with its next run', async () => {
    const of = machine()
    await done(of, ['run'])
    await done(of, ['upload'])
    expect(await live()).toBe('deployed')
    of.write('.git/HEAD', 'ref: refs/heads/main\n')
    await done(of, ['gc'], 40)
    of.write('.git/HEAD', files['.git/HEAD'])
    await done(of, ['upload'], 40)
    expect(await live()).toBeNull()
    await done(of, ['run'], 41)
    await done(of, ['upload'], 41)
    expect(await live()).toBe('deployed')
  })

  it('stays when a machine uploads on which nothing was ever deployed', async () => {
    const [of, other] = [machine(), machine()]
    await done(of, ['run'])
    await done(of, ['upload'])
    await done(other, ['upload'])
    expect([await live(), 'after an upload without a run']).toEqual(['deployed', expect.any(String)])
    other.write('models/orders.svc', `${files['models/orders.svc']}tests: [{row_count: {min: 9}}]\n`)
    await done(other, ['run'], 0, 1)
    await done(other, ['upload'])
    expect([await live(), 'after one behind a failed first run']).toEqual(['deployed', expect.any(String)])
    other.remove('warehouse.duckdb')
    cpSync(join(of.root, '.svc'), join(other.root, '.svc'), { recursive: true })
    await done(other, ['upload'])
    expect([await live(), 'after one with the files of another machine']).toEqual([
      'deployed',
      expect.any(String),
    ])
  })
})
