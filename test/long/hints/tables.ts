/** All scenarios of hints, by their codes. */
import type { CodedScenario, ErrorTable, Scenario, WarningTable } from '../../support/hints/stage.ts'
import * as builds from './builds.ts'
import * as checks from './checks.ts'
import * as commands from './commands.ts'
import * as files from './files.ts'
import * as glossary from './glossary.ts'
import * as loads from './loads.ts'
import * as models from './models.ts'
import * as publishes from './publishes.ts'
import * as services from './services.ts'
import * as warehouses from './warehouses.ts'

interface Topic {
  readonly errors?: ErrorTable
  readonly warnings?: WarningTable
}

const topics: readonly Topic[] = [
  builds,
  checks,
  commands,
  files,
  glossary,
  loads,
  models,
  publishes,
  services,
  warehouses,
]

export const allScenarios: readonly CodedScenario[] = topics.flatMap(({ errors = {}, warnings = {} }) => [
  ...scenariosOf('error', errors),
  ...scenariosOf('warning', warnings),
])

function scenariosOf(
  kind: CodedScenario['kind'],
  table: Readonly<Record<string, readonly Scenario[]>>,
): readonly CodedScenario[] {
  return Object.entries(table).flatMap(([code, all]) => all.map(scenario => ({ kind, code, scenario })))
}
