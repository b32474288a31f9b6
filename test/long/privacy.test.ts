/** No personal value is in a file below `.svc/`, a log, a terminal, JSON, an event, a pack, whatever becomes of a run. */
import { afterAll, beforeAll } from 'vitest'
import { figure } from '../support/figure.ts'
import { itTellsNothing, privacyCases } from '../support/privacy/cases.ts'
import { type Servers, startServers } from '../support/privacy/stage.ts'

let servers: Servers
const counts = { cases: 0, hits: 0 }
beforeAll(async () => {
  servers = await startServers()
})
afterAll(async () => {
  await servers.close()
  figure('privacy', `${counts.cases} cases, ${counts.hits} hits`)
})

for (const each of privacyCases) itTellsNothing(each, () => servers, counts)
