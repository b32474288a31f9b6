/** A sample of test/long/privacy.test.ts. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { itTellsNothing, privacyCases } from '../support/privacy/cases.ts'
import { type Servers, startServers } from '../support/privacy/stage.ts'

let servers: Servers
beforeAll(async () => {
  servers = await startServers()
})
afterAll(() => servers.close())

const names = [
  'a statement around the build raises it: csv text',
  'it is a key that comes twice: csv by a policy',
  'its record is kept apart: csv masked',
  'a publish is killed while it sends it: csv text',
  'a run that fails is told to others: csv by a policy',
]
const sample = privacyCases.filter(({ happening, way }) => names.includes(`${happening.name}: ${way.name}`))

it('the suite has at least 200 cases, and these are some of them', () => {
  expect(privacyCases.length).toBeGreaterThanOrEqual(200)
  expect(sample).toHaveLength(names.length)
})

for (const each of sample) itTellsNothing(each, () => servers, { cases: 0, hits: 0 })
