/** The service that scripts/schemathesis.mjs tests, with some records in it. */
import { join } from 'node:path'
import { noLimits } from '../../../hosted-api/limits/index.ts'
import { startService } from '../../../hosted-api/service.ts'
import { canStartPostgres, startPostgres } from '../../support/postgres.ts'
import { createClient } from './client.ts'

const token = 'schemathesis-token-0123456789-0123456789'

export function canStart(engine: string): boolean {
  return engine === 'sqlite' || (engine === 'postgres' && canStartPostgres())
}

export async function startTarget(engine: string, folder: string) {
  const problems: unknown[] = []
  const server = engine === 'postgres' ? await startPostgres() : undefined
  const address = (await server?.createDatabase()) ?? `sqlite://${join(folder, 'target.db')}`
  const service = await startService({
    address,
    driver: 'sqlite3',
    clock: () => new Date(),
    host: '127.0.0.1',
    port: 0,
    bootstrapToken: token,
    limits: {
      ...noLimits,
      body: 1024 * 1024,
      upload: 1024 * 1024,
      import: 1024 * 1024,
      depth: 64,
      url: 8192,
    },
    stopTimes: { drain: 0, deadline: 10 },
    trustProxy: false,
    metrics: true,
    cacheBytes: 1024 * 1024,
    onError: error => problems.push(error),
  })
  const client = createClient(service.url, token)
  await client.post('/api/svc/metadata/projects/1/upload?source=cli', {
    project: { id: 'shop' },
    assets: [
      { id: 'a', columns: [{ name: 'id' }] },
      { id: 'b', columns: [{ name: 'id' }] },
    ],
    lineage: [{ from: 'a', to: 'b', columns: [{ from: 'id', to: 'id' }] }],
  })
  await client.post('/api/svc/glossary/terms', { project: 1, name: 'Customer' })
  return {
    url: service.url,
    token,
    problems: () => problems,
    async stop() {
      await service.stop()
      await server?.stop()
    },
  }
}
