/** The answer of `/readyz` about a database that breaks under a running service. */
import { randomBytes } from 'node:crypto'
import { copyFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { describeEngines, engines, useHosted } from '../support/engines.ts'
import { makeTerm } from '../support/records.ts'

describeEngines(
  'readiness on $name',
  engine => {
    const hosted = useHosted(engine)
    const ready = () => hosted.client().get('/readyz')
    const notReady = async () => {
      const answer = await ready()
      expect([answer.status, answer.body?.code]).toEqual([503, 'unavailable'])
      expect(answer.headers.get('retry-after')).toBe('1')
      // It is told to everybody, so it says no more.
      expect(answer.text).not.toMatch(/sqlite|\.db|relation|project/i)
      expect((await hosted.client().get('/healthz')).status).toBe(200)
    }
    const told = () => hosted.errors.map(error => (error as Error).message)

    it.skipIf(engine.isPostgres)('ends with a file that cannot be read', async () => {
      const path = hosted.address.slice('sqlite://'.length)
      await makeTerm(hosted)
      // A stop leaves everything in the file itself.
      await hosted.restart()
      copyFileSync(path, `${path}.good`)
      const { size } = statSync(path)
      const breaks = {
        'random bytes': () => writeFileSync(path, randomBytes(size)),
        'a cut file': () => truncateSync(path, 8192),
        'an empty file': () => truncateSync(path, 0),
        'no file': () => rmSync(path),
        'a damaged page': () => {
          const bytes = Buffer.alloc(size, 0xff)
          copyFileSync(`${path}.good`, path)
          writeFileSync(path, bytes.subarray(8192), { flag: 'r+' })
        },
      }
      for (const damage of Object.values(breaks)) {
        expect((await ready()).status).toBe(200)
        damage()
        await notReady()
        copyFileSync(`${path}.good`, path)
      }
      expect((await ready()).status).toBe(200)
      expect(told()).toHaveLength(Object.keys(breaks).length)
      for (const line of told()) expect(line).toMatch(/^the database cannot be read: /)
    })

    it.skipIf(!engine.isPostgres)('ends with a table that cannot be read', async () => {
      const { storage } = hosted.service
      const rename = (from: string, to: string) =>
        storage.write(tx => tx.all(`alter table ${from} rename to ${to}`))
      expect((await ready()).status).toBe(200)
      await rename('asset_state', 'moved')
      await notReady()
      await rename('moved', 'asset_state')
      expect((await ready()).status).toBe(200)
      expect(told()).toEqual([expect.stringMatching(/^the database cannot be read: .*asset_state/)])
    })
  },
  engines,
)
