/**
 * The personal values that stand in the files of a project: in rows of `ingest: rows` and of unit tests, which may have been
 * copied from real ones. Who is no person of the project is told them by no message and no listing.
 */
import { type Asset, markedSource, ownRecordsOf, type ProjectAnalysis, unitCases } from '@svc/server/language'
import { type PersonalColumns, personalColumns } from '../quality/personal-columns.ts'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'

/** Hiding shorter values would make ordinary text unreadable. */
const shortestText = 4

/** Returns texts, and numbers as they are written. Lineage is traced only in a project whose files have such rows. */
export async function personalValues(workspace: OpenedWorkspace): Promise<ReadonlySet<string>> {
  const { project } = workspace
  const cells = [...project.byName.values()].flatMap(cellsOf)
  if (cells.length === 0) return new Set()
  const analysis = await workspace.analysis()
  const personal = personalColumns(project, analysis)
  const names = new Set(
    [...new Set(cells.map(({ table }) => table))].flatMap(table => {
      const asset = project.byName.get(table)
      return asset === undefined ? [] : namesIn(asset, personal, analysis)
    }),
  )
  const values = cells.filter(({ column }) => names.has(column.toLowerCase())).map(({ text }) => text)
  return new Set(values.filter(text => text.length >= shortestText))
}

/** The columns of an asset, and those of its source that they are made of: rows of unit tests may be of either. */
function namesIn(asset: Asset, personal: PersonalColumns, analysis: ProjectAnalysis): readonly string[] {
  const own = personal.of(asset.name)
  const lineage = analysis.of(asset.name)?.lineage ?? []
  const origins = lineage
    .filter(({ column }) => own.has(column.toLowerCase()))
    .flatMap(({ from }) => from.filter(({ source }) => source !== undefined))
  const read = [...markedSource(asset.definition.contract), ...origins.map(({ column }) => column)]
  return [...own, ...read.map(name => name.toLowerCase())]
}

/** `table`: the asset whose column it is. */
function cellsOf(asset: Asset) {
  const records = ownRecordsOf(asset.definition.ingest) ?? []
  const cells = unitCases(asset).flatMap(({ given, expect }) => [
    ...given.flatMap(({ input, table }) => cellsIn(table, input)),
    ...(expect === undefined ? [] : cellsIn(expect.table, asset.name)),
  ])
  return [
    ...records.flatMap(record =>
      Object.entries(record ?? {}).map(([column, value]) => ({ table: asset.name, column, value })),
    ),
    // What a test is given as `source` is of the asset itself.
    ...cells.map(cell => (cell.table === 'source' ? { ...cell, table: asset.name } : cell)),
  ].flatMap(({ table, column, value }) => textsIn(value).map(text => ({ table, column, text })))
}

function cellsIn({ rows }: UnitTable, table: string) {
  return rows.flatMap(({ cells }) =>
    cells.map(({ column, value }) => ({ table, column, value: plainOf(value) })),
  )
}

function plainOf(value: UnitTable['rows'][number]['cells'][number]['value']): unknown {
  if (value.kind === 'null') return null
  return value.kind === 'text' ? value.text : JSON.parse(value.json)
}

type UnitTable = ReturnType<typeof unitCases>[number]['given'][number]['table']

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
