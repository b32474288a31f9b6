/** The fuzzer with a service of its own; see scripts/fuzz-hosted.mjs. */
import { noLimits } from '../../../hosted-api/limits/index.ts'
import { openApiDocument } from '../../../hosted-api/openapi/index.ts'
import { describedRoutes } from '../../../hosted-api/routes.ts'
import { startService } from '../../../hosted-api/service.ts'
import { createClient } from './client.ts'
import { fuzz } from './fuzz.ts'

const token = 'fuzz-token-0123456789-0123456789-0123456789'

/** Gives the exit code. */
export async function runFuzz(options: {
  readonly address: string
  readonly count: number
  readonly seed: number
}): Promise<number> {
  const errors: unknown[] = []
  const service = await startService({
    address: options.address,
    driver: 'sqlite3',
    clock: () => new Date(),
    host: '127.0.0.1',
    port: 0,
    bootstrapToken: token,
    limits: { ...noLimits, body: 1024 * 1024, upload: 1024 * 1024, depth: 64, url: 8192 },
    stopTimes: { drain: 0, deadline: 10 },
    trustProxy: false,
    metrics: true,
    cacheBytes: 1024 * 1024,
    onError: error => errors.push(error),
  })
  const client = createClient(service.url, token)
  const own = [(await client.get('/api/svc/tokens/self')).body.token.id as number]
  const report = await fuzz(client, openApiDocument(describedRoutes('0'), '0'), { ...options, own })
  await service.stop()
  console.log(`${report.requests} requests with seed ${options.seed}: ${JSON.stringify(report.statuses)}`)
  for (const failure of report.failures) console.log(`\n${failure}`)
  for (const error of errors.slice(0, 20)) console.log('\nin the log:', error)
  return report.failures.length + errors.length === 0 ? 0 : 1
}
