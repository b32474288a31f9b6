/** The promises of docs/upgrading.md. */
import { by, type PageEntries } from '../held.ts'

const stateMigrated = 'engine/run/state-migrated.test.ts'
const state = 'engine/state/state.test.ts'
const rememberedWarehouse = 'engine/workspace/remembered-warehouse.test.ts'
const cache = 'engine/workspace/cache.test.ts'

export const upgradingPromises: PageEntries = {
  page: 'upgrading.md',
  held: {
    '0f6f8e svc plan changes nothing, also': by(
      stateMigrated,
      'a plan over the state tables of an older svc leaves them alone; a run warns once, and is not refused for it',
    ),
    '918eb3 From then on an older': by(state, 'of a newer svc are left alone'),
    'e00af3 .svc/ needs nothing: what another': [
      ...by(rememberedWarehouse, 'what another svc kept, and what is damaged or gone, counts for nothing'),
      ...by(cache, 'what another program found out is not believed'),
    ],
  },
  explains: ['2ca30d See which svc is in', '3c4951 CI does the first two', '2bd3b8 The extension has an svc'],
}
