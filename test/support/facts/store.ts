/** A hosted store with a project of its own for each environment of each case, whose clock is that of the case. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../../../hosted-api/service.ts'
import { createClient } from '../../hosted/support/client.ts'
import { bootstrapToken, engines, serviceOptions } from '../../hosted/support/engines.ts'
import type { StorePlace } from './place.ts'

export interface FactStore {
  /** Tells it what time it is. */
  setClock(now: () => Date): void
  /** A new project; undefined where no database is there. */
  readonly project: () => Promise<StorePlace | undefined>
  stop(): Promise<void>
}

export async function startFactStore(): Promise<FactStore> {
  const driver = engines.find(({ isPostgres }) => !isPostgres)?.driver
  const folder = mkdtempSync(join(tmpdir(), 'svc-store-'))
  const address = `sqlite://${join(folder, 'facts.db')}`
  const time = { now: () => new Date() }
  const service =
    driver === undefined
      ? undefined
      : await startService({ ...serviceOptions({ address, driver }), clock: () => time.now() })
  let made = 0
  return {
    setClock(now) {
      time.now = now
    },
    async project() {
      if (service === undefined) return undefined
      const client = createClient(service.url, bootstrapToken)
      const { body } = await client.post('/api/svc/projects', { name: `case ${++made}` })
      const env = { SVC_HOSTED_URL: service.url, SVC_HOSTED_TOKEN: bootstrapToken }
      return { client, project: Number(body.project.id), env }
    },
    async stop() {
      await service?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
