/** Contracts held against what sources hold now (decisions 3): one page a source, nothing is loaded. */
import type { Asset, RawTable } from '@svc/server/language'
import { type Peek, peekSources } from './peek-sources.ts'
import type { Workspace } from './workspace.ts'

export interface ContractCheck {
  readonly asset: string
  /** `undone`: the source could not be asked. */
  readonly status: 'kept' | 'broken' | 'undone'
  readonly detail: string | undefined
}

/** One entry for each of `names` that has a contract and a source. */
export async function checkContracts(
  workspace: Workspace,
  names: readonly string[],
): Promise<ContractCheck[]> {
  const assets = names
    .map(name => workspace.project.byName.get(name))
    .filter((asset): asset is Asset => asset?.definition.contract !== undefined)
  return (await peekSources(workspace, assets)).map(checkOf)
}

function checkOf({ asset, tables, error }: Peek): ContractCheck {
  if (error === undefined) return heldAgainst(asset, tables ?? [])
  // A violation is an answer; everything else left the question open.
  const status = error.code === 'contract-violated' ? 'broken' : 'undone'
  return { asset: asset.name, status, detail: error.message }
}

function heldAgainst(asset: Asset, tables: readonly RawTable[]): ContractCheck {
  const table = tables.find(each => each.child === undefined)
  const delivered = new Set(table?.columns.map(column => column.name) ?? [])
  const required = asset.definition.contract?.requiredColumns ?? []
  // A page without records says nothing about columns.
  const missing = delivered.size === 0 ? [] : required.filter(column => !delivered.has(column))
  if (missing.length === 0) return { asset: asset.name, status: 'kept', detail: undefined }
  const names = missing.map(column => `"${column}"`).join(', ')
  return {
    asset: asset.name,
    status: 'broken',
    detail: `the source delivers no ${names}, which the contract requires; it has: ${[...delivered].join(', ')}`,
  }
}
