/** A hosted store on a free port with a database of its own, for commands that send to it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../../hosted-api/service.ts'
import { bootstrapToken, engines, serviceOptions } from '../hosted/support/engines.ts'

const sqliteDriver = engines.find(({ isPostgres }) => !isPostgres)?.driver
export const canStartStore = sqliteDriver !== undefined

export interface HostedStore {
  /** With these a command finds it. */
  readonly env: Readonly<Record<string, string>>
  dispose(): Promise<void>
}

export async function startStore(): Promise<HostedStore> {
  if (sqliteDriver === undefined) throw new Error('there is no driver of SQLite')
  const folder = mkdtempSync(join(tmpdir(), 'svc-hosted-'))
  const address = `sqlite://${join(folder, 'test.db')}`
  const service = await startService(serviceOptions({ address, driver: sqliteDriver }))
  return {
    env: { SVC_HOSTED_URL: service.url, SVC_HOSTED_TOKEN: bootstrapToken },
    async dispose() {
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
