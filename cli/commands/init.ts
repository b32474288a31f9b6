/**
 * `svc init`: creates settings, folder, .gitignore and state tables (interface.md 4.4). Running it again
 * changes nothing.
 */

import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseSettings } from '@svc/server/language'
import { changeWhole, writeWhole } from '../engine/artifacts/write-file.ts'
import { findProjectOrNothing, settingsFile } from '../engine/config/find-project.ts'
import { warehouseFilesIn } from '../engine/config/warehouse-files.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import type { World } from '../engine/workspace/workspace.ts'
import { type InitReport, renderInit } from '../render/init.ts'
import { type Command, environmentOption, jsonOption, reportOf, usualExitCodes } from './command.ts'

export const initCommand: Command = {
  name: 'init',
  brief: 'set up a project and the state tables',
  summary: 'Set up a project here: svc.yaml, models/, .gitignore and the state tables in the warehouse.',
  arguments: [],
  options: [
    environmentOption,
    { name: 'adopt', value: 'name', summary: 'take over the state of a project that had this name' },
    jsonOption,
  ],
  examples: [
    { line: 'svc init', says: 'a new project, or the state tables of an existing one' },
    { line: 'svc init --adopt shop', says: 'what ran as "shop", after the name in svc.yaml was changed' },
  ],
  exitCodes: usualExitCodes,
  async run(context) {
    const root = findProjectOrNothing(context.world.cwd) ?? context.world.cwd
    const created = createFiles(root, context.world)
    const workspace = await context.openWorkspace({ readSources: false })
    const warehouse = await workspace.warehouse()
    const adopted = context.options.text('adopt')
    const { restored, migrated } = await initialiseTables(workspace, adopted, context.world)
    const assets = workspace.project.assets.size
    const { environment } = workspace
    const report: InitReport = {
      root,
      created,
      warehouse: warehouse.label,
      environment: environment.name,
      assets,
      adopted,
      restored,
      ...(migrated !== undefined && { migrated }),
    }
    return reportOf(report, renderInit, () => report)
  },
}

/** Creates or migrates the state tables, and returns those that were lost; `adopt` is the former name of the project. */
async function initialiseTables(
  workspace: OpenedWorkspace,
  adopt: string | undefined,
  world: World,
): Promise<Pick<InitReport, 'restored' | 'migrated'>> {
  const warehouse = await workspace.warehouse()
  const session = await warehouse.open('write', { signal: workspace.signal })
  try {
    const restored = await session.state.restore()
    const migrated = await session.state.initialise()
    const made = { restored: [...restored], ...(migrated !== undefined && { migrated }) }
    if (adopt === undefined) return made
    const { adoptState } = await import('../engine/run/adopt-state.ts')
    await adoptState(session, warehouse, adopt, world)
    return made
  } finally {
    await session.close()
  }
}

/** Creates missing files and returns their names. */
function createFiles(root: string, world: World): string[] {
  const created: string[] = []
  const settingsPath = join(root, settingsFile)
  if (!existsSync(settingsPath)) {
    writeWhole(settingsPath, settingsTemplate(projectName(root)), world.pid)
    created.push(settingsFile)
  }
  const models = join(root, 'models')
  if (!existsSync(models) && created.length > 0) {
    mkdirSync(models, { recursive: true })
    created.push('models/')
  }
  if (addIgnoredLines(join(root, '.gitignore'), ignoredLines(root), world.pid)) created.push('.gitignore')
  return created
}

/** Returns the folder's name, reduced to the characters that a project name may have. */
function projectName(root: string): string {
  const name = basename(root)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return /^[a-z]/.test(name) ? name : 'project'
}

/** Returns the lines of `.gitignore`: what svc writes here, with the files of warehouses that `svc.yaml` names. */
function ignoredLines(root: string): readonly string[] {
  const settings = parseSettings(readFileSync(join(root, settingsFile), 'utf8'))
  const addresses = [settings.warehouse, ...Object.values(settings.environments).map(each => each.warehouse)]
  const files = warehouseFilesIn(root, addresses).map(path => `${path.replace(/[\\*?[\]#! ]/g, '\\$&')}*`)
  return ['.svc/', 'svc_catalog.json', ...new Set(files), 'node_modules/']
}

/** Adds missing lines; returns whether there were any. */
function addIgnoredLines(path: string, lines: readonly string[], pid: number): boolean {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  // "/node_modules" and "node_modules" ignore the folder too.
  const plain = (line: string): string => line.trim().replace(/^\/|\/$/g, '')
  const present = new Set(text.split(/\r?\n/).map(plain))
  const missing = lines.filter(line => !present.has(plain(line)))
  if (missing.length === 0) return false
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  changeWhole(path, `${text}${gap}${missing.join('\n')}\n`, pid)
  return true
}

function settingsTemplate(name: string): string {
  return `# The project. Every key but the name has the default that is shown.
name: ${name}

# Where the tables live: duckdb:<file> or postgres://user@host/database, or env:NAME to take the address from the environment.
warehouse: duckdb:./warehouse.duckdb

# Production of "prod" is this schema, of "dev" it is analytics_dev_<git branch>.
default_schema: analytics

# The folder of the .svc files.
models: models/

# Other warehouses, schemas and variables by environment:
# environments:
#   prod:
#     warehouse: env:PROD_WAREHOUSE
#
# Values for {{ var('start_date') }} in SQL:
# vars:
#   start_date: "2024-01-01"
`
}
