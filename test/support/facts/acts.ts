/** What people, machines and other programs do to a project between two runs. */
import { actsOnFiles } from './acts-on-files.ts'
import { actsOnPlaces } from './acts-on-places.ts'
import { actsOnRuns } from './acts-on-runs.ts'
import { actsOnSources } from './acts-on-sources.ts'
import type { Ground } from './ground.ts'

export interface Act {
  readonly name: string
  readonly act: (ground: Ground) => unknown
  /** Whether rows go by intention, as those of a rollback. */
  readonly takesBack?: true
  /** Whether all answers are asked before it too, so that the store knows what was live. */
  readonly isToldBefore?: true
  /** Whether it is about a warehouse that is a file. */
  readonly onFile?: true
  /** What follows the next runs, before the last question. */
  readonly end?: (ground: Ground) => Promise<unknown>
}

export const acts: readonly Act[] = [...actsOnFiles, ...actsOnRuns, ...actsOnPlaces, ...actsOnSources]
