/**
 * Checks contracts against the current content of sources (decisions 3), from one page of each; loads
 * nothing.
 */
import type { DriftChange } from '@svc/server/contract'
import type { Asset, Engine, RawTable } from '@svc/server/language'
import { sourceDrift } from '../ingest/source-drift.ts'
import { readSchemaLock } from '../run/write-schema-lock.ts'
import { type DriftReach, driftReach } from './drift-readers.ts'
import { type Peek, peekSources } from './peek-sources.ts'
import type { Workspace } from './workspace.ts'

export interface ContractCheck {
  readonly asset: string
  /** `undone`: the source could not be read. */
  readonly status: 'kept' | 'broken' | 'undone'
  readonly detail: string | undefined
  /** The differences between the source and its last load, with the readers of missing or retyped columns. */
  readonly drift: readonly SourceDrift[]
}

/** A change with the readers that it affects. */
export interface SourceDrift extends DriftReach {
  readonly change: DriftChange
}

/** Returns the tables of an asset in the environment; undefined if there are none or they are unknown. */
export type LoadedTables = (asset: string) => readonly RawTable[] | undefined

/**
 * Returns one entry for each of `names` that has a contract and a source. Drift is compared with the load in
 * the environment; if there is none, with `schemas.lock.json`, which any environment may have written.
 */
export async function checkContracts(
  workspace: Workspace,
  names: readonly string[],
  loaded: LoadedTables = () => undefined,
): Promise<ContractCheck[]> {
  const assets = names
    .map(name => workspace.project.byName.get(name))
    .filter((asset): asset is Asset => asset?.definition.contract !== undefined)
  const locked = readSchemaLock(workspace).shapes
  const checks: ContractCheck[] = []
  for (const peek of await peekSources(workspace, assets, locked)) {
    const { name } = peek.asset
    const known = loaded(name) ?? locked.get(name)
    const changes =
      peek.tables === undefined ? [] : certainDrift(known, peek.tables, peek.asset, workspace.project.engine)
    checks.push({ ...checkOf(peek), drift: await withReaders(workspace, name, changes) })
  }
  return checks
}

/** Adds to a source's changes the readers of missing or retyped columns. */
export async function withReaders(
  workspace: Workspace,
  name: string,
  changes: readonly DriftChange[],
): Promise<SourceDrift[]> {
  if (changes.length === 0) return []
  const analysis = await workspace.analysis()
  return changes.map(change => ({
    change,
    ...driftReach(workspace.project, analysis, name, change),
  }))
}

/** Drops missing columns from the drift: other pages may have them. */
function certainDrift(
  known: readonly RawTable[] | undefined,
  tables: readonly RawTable[],
  { definition: { contract } }: Asset,
  engine: Engine,
): readonly DriftChange[] {
  const delivered = tables.some(({ columns }) => columns.length > 0)
  const complete = tables.every(table => table.complete)
  return delivered
    ? sourceDrift(known, tables, contract, engine).filter(({ kind }) => complete || kind !== 'vanished')
    : []
}

type Checked = Omit<ContractCheck, 'drift'>

function checkOf({ asset, tables, error }: Peek): Checked {
  if (error === undefined) return heldAgainst(asset, tables ?? [])
  // A violation is a result; any other error means that the check could not be done.
  const status = error.code === 'contract-violated' ? 'broken' : 'undone'
  return { asset: asset.name, status, detail: error.message }
}

function heldAgainst(asset: Asset, tables: readonly RawTable[]): Checked {
  const table = tables.find(each => each.child === undefined)
  const delivered = new Set(table?.columns.map(column => column.name) ?? [])
  const required = asset.definition.contract?.requiredColumns ?? []
  // A page without records gives no information about columns.
  const missing = delivered.size === 0 ? [] : required.filter(column => !delivered.has(column))
  if (missing.length === 0) return { asset: asset.name, status: 'kept', detail: undefined }
  const names = missing.map(column => `"${column}"`).join(', ')
  return {
    asset: asset.name,
    status: 'broken',
    detail: `the source delivers no ${names}, which the contract requires; it has: ${[...delivered].join(', ')}`,
  }
}
