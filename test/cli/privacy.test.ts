/** A sample of test/long/privacy.test.ts: each way in once, each with something else that happens. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { itTellsNothing, privacyCases } from '../support/privacy/cases.ts'
import { type Servers, startServers } from '../support/privacy/stage.ts'

let servers: Servers
beforeAll(async () => {
  servers = await startServers()
})
afterAll(() => servers.close())

it('the suite has at least 200 cases', () => {
  expect(privacyCases.length).toBeGreaterThanOrEqual(200)
})

const sample = [
  'a statement around the build raises it: json object',
  'it is a key that comes twice: csv by its output',
  'it is the cursor of a load: service text',
  'a publish is killed while it sends it: json quoted',
]
for (const each of privacyCases)
  if (sample.includes(`${each.happening.name}: ${each.way.name}`))
    itTellsNothing(each, () => servers, { cases: 0, hits: 0 })
