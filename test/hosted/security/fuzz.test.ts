import { expect, it } from 'vitest'
import { openApiDocument } from '../../../hosted-api/openapi/index.ts'
import { describedRoutes } from '../../../hosted-api/routes.ts'
import { describeEngines, useHosted } from '../support/engines.ts'
import { fuzz } from '../support/fuzz.ts'

const document = openApiDocument(describedRoutes('0.0.0'), '0.0.0')

describeEngines('every operation on $name', engine => {
  const hosted = useHosted(engine)

  // More of them: node scripts/fuzz-hosted.mjs --count 100000 --seed 1
  it('keeps what its description promises, whatever it is asked', { timeout: 300_000 }, async () => {
    const own = [(await hosted.admin.get('/api/svc/tokens/self')).body.token.id as number]
    const report = await fuzz(hosted.admin, document, { count: 800, seed: 1, own })
    expect(report.failures.join('\n')).toBe('')
    expect(hosted.errors).toEqual([])
    expect(Number(report.statuses['201'])).toBeGreaterThan(5)
    expect(Number(report.statuses['422'])).toBeGreaterThan(100)
  })
})
