/** What happens to a personal value that is in a project. */
import type { Happening } from './doing.ts'
import { ofOthers } from './of-others.ts'
import { ofPublishes } from './of-publishes.ts'
import { ofRuns } from './of-runs.ts'

export const happenings: readonly Happening[] = [...ofRuns, ...ofPublishes, ...ofOthers]
