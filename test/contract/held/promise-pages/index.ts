/** The pages of `docs` whose promises are held by tests. */
import type { PageEntries } from '../held.ts'
import { contractsPromises } from './contracts.ts'
import { environmentsPromises } from './environments.ts'
import { glossaryPromises } from './glossary.ts'
import { logsPromises } from './logs.ts'
import { productionPromises } from './production.ts'
import { publishPromises } from './publish.ts'
import { recoveryPromises } from './recovery.ts'
import { sourcesPromises } from './sources.ts'

export const promisePages: readonly PageEntries[] = [
  productionPromises,
  recoveryPromises,
  environmentsPromises,
  sourcesPromises,
  publishPromises,
  contractsPromises,
  glossaryPromises,
  logsPromises,
]
