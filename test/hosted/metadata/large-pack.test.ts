/** Large packs: read in a thread of their own, written in slices, bounded in what they may take. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { standardLimits } from '../../../hosted-api/limits/index.ts'
import { startJob } from '../../../hosted-api/metadata/upload/start-job.ts'
import { engines, useHosted } from '../support/engines.ts'

const upload = '/api/svc/metadata/projects/1/upload'

function pack(count: number, mark = '') {
  const columns = Array.from({ length: 8 }, (_, index) => ({ name: `column_${index}`, type: 'INTEGER' }))
  return {
    project: { id: 'large', name: 'large' },
    assets: Array.from({ length: count }, (_, index) => ({
      id: `asset_${index}`,
      path: `models/asset_${index}.svc`,
      blocks: { transform: `SELECT ${index}${mark}` },
      schema: { columns },
    })),
    lineage: Array.from({ length: count - 1 }, (_, index) => ({
      from: `asset_${Math.floor(index / 2)}`,
      to: `asset_${index + 1}`,
      columns: [{ from: 'column_0', to: 'column_1' }],
    })),
  }
}

describe('the thread of a pack', () => {
  let folder = ''
  let workerFile = ''
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-pack-'))
    workerFile = join(folder, 'pack-worker.cjs')
    await build({
      entryPoints: ['hosted-api/metadata/upload/pack-worker.ts'],
      outfile: workerFile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
    })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const input = (body: unknown) => ({
    bytes: Buffer.from(JSON.stringify(body)),
    contentType: 'application/json',
    mostDepth: 64,
    mostAssets: 0,
    source: undefined,
  })

  it('does what is done here, and ends', async () => {
    const [thread, here] = [await startJob(1, { workerFile, threadFrom: 0 }), await startJob(1)]
    for (const job of [thread, here]) {
      expect(await job.read(input(pack(3)))).toMatchObject({
        counts: { assets_synced: 3, lineage_edges_synced: 2 },
      })
    }
    expect(await thread.compare()).toEqual(await here.compare())
    for (;;) {
      const slices = await Promise.all([thread.slice(), here.slice()])
      expect(slices[0]).toEqual(slices[1])
      if (slices[0] === undefined) break
    }
    await thread.end()
    await expect(thread.slice()).rejects.toThrow('ended')
  })

  it('tells mistakes as they are, and gives its place to the next', async () => {
    const jobs = await Promise.all([1, 2].map(() => startJob(1, { workerFile, threadFrom: 0 })))
    let third: Awaited<ReturnType<typeof startJob>> | undefined
    const waiting = startJob(1, { workerFile, threadFrom: 0 }).then(job => {
      third = job
    })
    await expect(jobs[0]?.read(input([]))).rejects.toMatchObject({
      code: 'invalid',
      parts: { errors: [{ code: 'no_pack' }] },
    })
    await expect(jobs[1]?.read({ ...input(1), bytes: Buffer.from('{') })).rejects.toMatchObject({
      code: 'malformed_json',
    })
    expect(third).toBeUndefined()
    await jobs[0]?.end()
    await waiting
    expect(await third?.read(input(pack(2)))).toMatchObject({ counts: { assets_synced: 2 } })
    await Promise.all([jobs[1]?.end(), third?.end()])
  })
})

describe.each(engines)('a pack of 3,000 assets on $name', engine => {
  const hosted = useHosted(engine)

  it('is stored, shown whole, and changed in part while others write', async () => {
    const first = await hosted.admin.post(upload, pack(3000))
    expect(first.body).toMatchObject({
      assets_synced: 3000,
      lineage_edges_synced: 2999,
      upload: { added: 3000 },
    })
    let seen = 0
    let done = false
    const looking = (async () => {
      while (!done) {
        // All of the new pack or all of the old one, never some of both.
        const { body } = await hosted.admin.get('/api/svc/metadata/projects/1/manifest')
        const marks = new Set(
          body.assets.map((each: { blocks: { transform: string } }) => each.blocks.transform.endsWith('x')),
        )
        expect([body.assets.length, marks.size]).toEqual([3000, 1])
        seen++
      }
    })()
    const terms = Array.from({ length: 20 }, (_, index) =>
      hosted.admin.post('/api/svc/glossary/terms', { project: 1, name: `Term ${index}` }),
    )
    const second = await hosted.admin.post(upload, pack(3000, 'x'))
    done = true
    await looking
    expect(seen).toBeGreaterThan(0)
    expect(second.body.upload).toMatchObject({ added: 0, changed: 3000, removed: 0 })
    for (const term of await Promise.all(terms)) expect(term.status).toBe(201)
    const { body: list } = await hosted.admin.get('/api/svc/metadata/projects/1/assets?name=asset_0')
    const { body } = await hosted.admin.get(`/api/svc/metadata/assets/${list[0].id}/lineage?depth=all`)
    expect(body.downstream).toHaveLength(2999)
  })

  it('is refused above the limit', async () => {
    await hosted.restart({ limits: { ...standardLimits, upload: 10_000 } })
    const answer = await hosted.admin.post(upload, pack(3000))
    expect([answer.status, answer.body.code]).toEqual([413, 'too_large'])
  })
})
