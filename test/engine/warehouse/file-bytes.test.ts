/** Closing a file releases the locks of the whole process on it: its bytes are never read while DuckDB opens it. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { canonicalPath, readBytes } from '../../../cli/engine/warehouse/duckdb/open-instances.ts'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-bytes-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('an opening waits for who reads the bytes, and nobody reads them while it is open', async () => {
  const warehouse = await openWarehouse('duckdb:./w.duckdb', { root, project: 'shop' })
  await (await warehouse.open('write')).close()
  const key = canonicalPath(join(root, 'w.duckdb'))
  const events: string[] = []
  let release = () => {}
  const reading = readBytes(key, async () => {
    await new Promise<void>(resolve => {
      release = resolve
    })
    events.push('read')
    return 'bytes'
  })
  const opening = warehouse.open('write').then(session => {
    events.push('opened')
    return session
  })
  await new Promise(resolve => setTimeout(resolve, 50))
  release()
  const session = await opening
  expect(await reading).toBe('bytes')
  expect(events).toEqual(['read', 'opened'])
  expect(await readBytes(key, async () => 'while open')).toBeUndefined()
  await session.close()
})
