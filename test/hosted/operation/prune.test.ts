import { expect, it } from 'vitest'
import { svcHosted } from '../support/command-line.ts'
import { describeEngines, useHosted } from '../support/engines.ts'
import { glossary, makeTerm } from '../support/records.ts'

const year = 365 * 24 * 3600 * 1000

describeEngines('pruning on $name', engine => {
  let now = Date.now() - 2 * year
  const hosted = useHosted(engine, { clock: () => new Date(now) })
  const command = (...words: readonly string[]) =>
    svcHosted([...words, '--db', hosted.address, '--db-driver', engine.driver])
  const patch = (id: number, description: string) =>
    hosted.admin.patch(`${glossary}/terms/${id}`, { description })
  const upload = (names: readonly string[], text: string) =>
    hosted.admin.post('/api/svc/metadata/projects/1/upload?source=cli', {
      project: { id: 'p' },
      assets: names.map(name => ({ id: name, blocks: { transform: text } })),
      lineage: names.slice(1).map(name => ({ from: names[0], to: name })),
    })
  const versions = async (id: number) =>
    ((await hosted.admin.get(`${glossary}/terms/${id}/versions`)).body as { version: number }[]).map(
      ({ version }) => version,
    )
  let term = 0
  let before: unknown

  it('keeps what is younger, and the newest of everything', async () => {
    // More than one step deletes.
    await hosted.service.storage.write(async tx => {
      for (let entry = 0; entry < 7000; entry += 1) {
        const project = entry < 4500 ? 1 : undefined
        tx.record({ project, action: 'test', target: `term:${entry}`, actor: 'ann', requestId: 'test' })
      }
    })
    term = (await makeTerm(hosted, { description: 'one' })).id
    const still = (await makeTerm(hosted, { description: 'old' })).id
    await patch(still, 'old too')
    for (const text of ['two', 'three']) await patch(term, text)
    await upload(['a', 'b', 'gone'], 'select 1')
    await upload(['a', 'b'], 'select 2')
    now += 2 * year - 10_000
    for (const text of ['four', 'five']) await patch(term, text)
    await upload(['a', 'b'], 'select 3')
    before = {
      manifest: (await hosted.admin.get('/api/svc/metadata/projects/1/manifest')).body.assets,
      removed: (await hosted.admin.get('/api/svc/metadata/projects/1/assets?include=removed')).body,
    }

    const dry = await command('prune', '--keep', '365d', '--dry-run')
    expect(dry).toMatchObject({ code: 0, stderr: '' })
    expect(dry.stdout).toContain('would delete 2 versions of glossary records')
    expect(await versions(term)).toEqual([5, 4, 3, 2, 1])
    const pruned = await command('prune', '--keep', '365')
    expect(pruned.stdout).toBe(dry.stdout.replaceAll('would delete', 'deleted'))
    expect(pruned.stdout).toMatch(/^deleted [1-9]\d* uploads$/m)
    // "gone" is removed, and its last state is kept.
    expect(pruned.stdout).toMatch(/^deleted 2 states of assets$/m)
    expect(pruned.stdout).toMatch(/^deleted 70\d\d audit entries$/m)

    await hosted.restart()
    expect(await versions(still)).toEqual([2, 1])
    expect(await versions(term)).toEqual([5, 4])
    const at = (version: number) => hosted.admin.get(`${glossary}/terms/${term}/versions/${version}`)
    expect((await at(5)).body.description).toBe('five')
    expect((await at(4)).body.description).toBe('four')
    expect([(await at(2)).status, (await at(1)).status]).toEqual([404, 404])
    expect({
      manifest: (await hosted.admin.get('/api/svc/metadata/projects/1/manifest')).body.assets,
      removed: (await hosted.admin.get('/api/svc/metadata/projects/1/assets?include=removed')).body,
    }).toEqual(before)
  })

  it('leaves a chain that can be proved, and says where it begins', async () => {
    expect(await command('audit', 'verify')).toMatchObject({ code: 0, stderr: '' })
    const { body } = await hosted.admin.get('/api/svc/audit?action=audit.prune')
    expect(body).toHaveLength(4)
    expect(body[0].details.anchors).toMatchObject({ 1: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) } })
    await patch(term, 'six')
    expect((await command('prune', '--keep', '365')).stdout).toMatch(/^deleted 0 audit entries$/m)
    expect((await command('audit', 'verify')).code).toBe(0)
  })

  it('is still noticed where an entry was deleted by hand, at the beginning too', async () => {
    const { storage } = hosted.service
    const first = await storage.reads.first('select min(id) as id from audit where ledger_id = 1')
    await storage.write(tx => tx.all('delete from audit where id = ?', [Number(first?.['id'])]))
    const result = await command('audit', 'verify')
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('project 1: entry') })
  })

  it('keeps the version that a rollback made the active one, and the results that stand again', async () => {
    const later = now
    const at = (years: number) => new Date(later - years * year).toISOString()
    const pack = (live: number, ...runs: readonly number[]) => ({
      project: { id: 'p' },
      assets: [
        {
          id: 'back',
          blocks: { ingest: 'none' },
          tests: [{ name: 'unique_id' }],
          active_hash: `hash${live}`,
          deployed_by: `run_${live}`,
        },
      ],
      versions: {
        back: runs.map(run => ({ hash: `hash${run}`, deployed_at: at(6 - run), run_id: `run_${run}` })),
      },
      test_results: {
        back: {
          asset_name: 'back',
          timestamp: at(6 - live),
          tests: [{ name: 'unique_id', status: 'pass', execution_time: 0 }],
          summary: { total: 1, passed: 1, failed: 0 },
        },
      },
    })
    now -= 2 * year
    for (const [live, ...runs] of [
      [1, 1],
      [2, 1, 2],
      [3, 1, 2, 3],
      [2, 1, 2, 3],
    ] as const) {
      const answer = await hosted.admin.post('/api/svc/metadata/projects/1/upload', pack(live, ...runs))
      expect(answer.status, answer.text).toBe(200)
      now += 1000
    }
    now = later
    const [{ id }] = (await hosted.admin.get('/api/svc/metadata/projects/1/assets?name=back')).body
    const { assets } = (await hosted.admin.get('/api/svc/metadata/projects/1/manifest')).body
    expect(assets).toMatchObject([{ name: 'back', active_hash: 'hash2' }])
    const told = async () => ({
      active: (await hosted.admin.get(`/api/svc/metadata/assets/${id}/metadata`)).body.active_version?.run_id,
      results: (await hosted.admin.get(`/api/svc/metadata/assets/${id}/tests`)).body.results,
      runs: (
        (await hosted.admin.get(`/api/svc/metadata/assets/${id}/versions`)).body.versions as {
          run_id: string
        }[]
      ).map(({ run_id }) => run_id),
    })
    const before = await told()
    expect(before).toMatchObject({ active: 'run_2', results: [{ status: 'pass' }] })
    const dry = await command('prune', '--keep', '365', '--dry-run')
    const pruned = await command('prune', '--keep', '365')
    expect(pruned.stdout).toBe(dry.stdout.replaceAll('would delete', 'deleted'))
    await hosted.restart()
    expect(await told()).toEqual({ ...before, runs: ['run_3', 'run_2'] })
  })

  it.each(['0', 'x', '1h', '-1'])('--keep %s is wrong usage', async days => {
    expect((await command('prune', `--keep=${days}`)).code).toBe(2)
  })
})
