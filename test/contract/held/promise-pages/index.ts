/** The pages of `docs` whose promises are held by tests. */
import type { PageEntries } from '../held.ts'
import { ciPromises } from './ci.ts'
import { containerPromises } from './container.ts'
import { contractsPromises } from './contracts.ts'
import { environmentsPromises } from './environments.ts'
import { glossaryPromises } from './glossary.ts'
import { logsPromises } from './logs.ts'
import { productionPromises } from './production.ts'
import { publishPromises } from './publish.ts'
import { readingProductionPromises } from './reading-production.ts'
import { recoveryPromises } from './recovery.ts'
import { sizingPromises } from './sizing.ts'
import { sourcesPromises } from './sources.ts'
import { uninstallingPromises } from './uninstalling.ts'
import { upgradingPromises } from './upgrading.ts'

export const promisePages: readonly PageEntries[] = [
  productionPromises,
  recoveryPromises,
  environmentsPromises,
  sourcesPromises,
  publishPromises,
  contractsPromises,
  glossaryPromises,
  logsPromises,
  ciPromises,
  readingProductionPromises,
  sizingPromises,
  containerPromises,
  upgradingPromises,
  uninstallingPromises,
]
