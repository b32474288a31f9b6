/** What a rollback would change, and a rollback, from the command line and from the dashboard. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shop } from '../shop-project.ts'
import { createDashboard, type Ground } from './ground.ts'

let ground: Ground
beforeAll(async () => {
  ground = await createDashboard(shop)
})
afterAll(() => ground.dispose())

const dryRun = ['rollback', '--dry-run', '--json']
const daily = 'models/marts/daily_sales.svc'
const hashes = async () => {
  const { value } = await ground.project.json(['status', '--format', 'json'])
  const { assets } = value as { assets: { name: string; active_hash: string }[] }
  return new Map(assets.map(({ name, active_hash }) => [name, active_hash.slice(0, 12)]))
}
const post = (body: unknown, path = '/api/rollback') =>
  ground.ask(path, {
    method: 'POST',
    headers: { ...ground.bearer, origin: `http://${ground.host}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const preview = (query = '') => ground.ask(`/api/rollback.json${query}`, { headers: ground.bearer })

describe('a rollback', () => {
  it('of nothing is refused before it begins', async () => {
    const said = await ground.project.svc(['rollback', '--dry-run'])
    expect([said.code, said.stdout]).toEqual([1, ''])
    expect(said.stderr).toContain('nothing was ever deployed')
    const told = await preview()
    expect([told.status, told.text]).toEqual([409, expect.stringContaining('nothing was ever deployed')])
    expect((await ground.project.svc(['rollback', '--dry-run', '--log-format', 'json'])).code).toBe(2)
  })

  it('is shown before it is done, is what was shown, and is shown the other way round after it', async () => {
    expect((await ground.project.svc(['run'])).code).toBe(0)
    const old = await hashes()
    ground.project.write(daily, shop[daily]?.replace('>=', '>') ?? '')
    ground.project.write('models/extra.svc', 'name: extra\ningest: none\ntransform: SELECT 1 AS one\n')
    expect((await ground.project.svc(['run'])).code).toBe(0)
    const changed = await hashes()
    const told = JSON.parse((await preview()).text)
    expect(told).toEqual({
      assets: [
        {
          name: 'daily_sales',
          from: changed.get('daily_sales'),
          to: old.get('daily_sales'),
          deployed_at: expect.stringMatching(/^20.*Z$/),
          rows: { from: expect.any(Number), to: expect.any(Number) },
          columns: { added: [], removed: [] },
          changes: ['transform'],
          sql_diff: expect.arrayContaining([
            expect.stringMatching(/^- .*>/),
            expect.stringMatching(/^\+ .*>=/),
          ]),
        },
        {
          name: 'extra',
          from: changed.get('extra'),
          to: null,
          deployed_at: null,
          rows: { from: 1, to: null },
          columns: { added: [], removed: [] },
          changes: [],
          sql_diff: [],
        },
      ],
    })
    expect((await ground.project.json(dryRun)).value).toEqual(told)
    expect(JSON.parse((await preview('?asset=daily_sales')).text).assets).toEqual([told.assets[0]])
    expect((await preview('?asset=nobody')).status).toBe(400)
    const text = (await ground.project.svc(['rollback', '--dry-run'])).stdout
    expect(text).toContain('A rollback of dev would change 2 assets. Nothing was done.')
    expect(await hashes()).toEqual(changed)

    const started = await post({ run: 'a-rollback-1' })
    expect(started.status).toBe(202)
    const { stream } = JSON.parse(started.text) as { stream: string }
    const events = await ground.stream(stream, ground.bearer)
    await events.ended
    expect(events.events.at(-1)?.data).toMatchObject({ type: 'end', status: 'deployed' })
    expect(await hashes()).toEqual(old)
    expect(JSON.parse((await preview()).text).assets).toMatchObject([
      { name: 'daily_sales', from: old.get('daily_sales'), to: changed.get('daily_sales') },
      { name: 'extra', from: null, to: changed.get('extra') },
    ])
  })

  it('with the same id is not done again', async () => {
    const before = await hashes()
    expect((await post({ run: 'a-rollback-1' })).status).toBe(202)
    expect(await hashes()).toEqual(before)
  })

  it('of one asset leaves the others', async () => {
    const before = await hashes()
    const started = JSON.parse((await post({ assets: ['daily_sales'] })).text) as { stream: string }
    await (await ground.stream(started.stream, ground.bearer)).ended
    const after = await hashes()
    expect([...after].filter(([name, hash]) => before.get(name) !== hash).map(([name]) => name)).toEqual([
      'daily_sales',
    ])
  })

  it('shows no value of rows that stood in a file', async () => {
    const people = (email: string) =>
      `name: people\ningest: {type: rows, rows: [{email: ${email}}]}\ntransform: SELECT * FROM {{ source }}\n`
    for (const email of ['ada@example.com', 'bo@example.com']) {
      ground.project.write('models/people.svc', people(email))
      expect((await ground.project.svc(['run'])).code).toBe(0)
    }
    const { stdout } = await ground.project.svc(['rollback', '--dry-run'])
    expect(stdout).toContain('{"email":"***"}')
    expect(stdout).not.toContain('@example.com')
  })
})
