/**
 * `privacy-scan`: looks in the tables of assets under strict policies for values that personal columns hold. It finds
 * what no lineage shows, such as another source that delivers the same addresses.
 */
import {
  type Asset,
  appliesTo,
  type Column,
  declaredMarks,
  type Engine,
  internalNames,
  isMarkedAtSource,
  isNamed,
  type Marking,
  type Policy,
  type ProjectAnalysis,
  policyMarking,
  projectFlow,
} from '@svc/server/language'
import type { RawBuild } from '../run/raw-builds.ts'
import type { BuildRecord } from '../state/state.ts'
import type { Dialect } from '../warehouse/dialect.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { isDeclared, isHarmless } from './personal-columns.ts'
import type { Finding, PrivacyTest } from './privacy-test.ts'

/** Rows of a table that are looked at. */
const sampledRows = 10_000
/** Shorter values are equal by chance. */
const shortest = 6
/** Marked columns that are compared in one statement. */
const columnsAtOnce = 40

export interface ScanGround {
  /** The assets of the run. */
  readonly names: readonly string[]
  readonly builds: ReadonlyMap<string, BuildRecord>
  readonly rawTables: (asset: string) => readonly RawBuild[]
  readonly analysis: ProjectAnalysis
}

/** A personal column with its table. */
interface MarkedColumn {
  readonly shown: string
  /** What it is read from, in SQL. */
  readonly from: string
  readonly column: string
}

export function scansOf(
  session: WarehouseSession,
  workspace: Workspace,
  ground: ScanGround,
): readonly PrivacyTest[] {
  const { project } = workspace
  const policies = project.glossary.policies.filter(({ enforcement }) => enforcement === 'strict')
  if (policies.length === 0) return []
  const marked = new Map<Policy, readonly MarkedColumn[]>()
  const markedBy = (policy: Policy) => {
    const known =
      marked.get(policy) ?? markedColumns(workspace, session.dialect, ground, policyMarking(policy))
    marked.set(policy, known)
    return known
  }
  return ground.names.flatMap(name => {
    const asset = project.byName.get(name)
    const build = ground.builds.get(name)
    if (asset === undefined || build === undefined) return []
    const own = policies.filter(policy => appliesTo(policy, project, asset) && markedBy(policy).length > 0)
    const columns = own.length === 0 ? [] : searched(workspace, asset, build)
    if (columns.length === 0) return []
    const question = JSON.stringify(own.map(policy => [policy.name, markedBy(policy)]))
    const find = async () => {
      for (const policy of own) {
        const found = await scan(session, workspace, { build, columns, policy, marked: markedBy(policy) })
        if (found !== undefined) return found
      }
      return undefined
    }
    return [{ asset, name: 'privacy-scan', question, find }]
  })
}

/** Returns the columns with text, without those that a file declares harmless. */
function searched({ project }: Workspace, asset: Asset, build: BuildRecord): readonly string[] {
  const { engine } = project
  return build.columns
    .filter(column => isText(column, engine) && !isHarmless(asset, column.name, engine))
    .map(({ name }) => name)
}

/** Engines name texts in different ways, and a text may have a length. */
function isText({ type }: Pick<Column, 'type'>, { types }: Engine): boolean {
  return type !== undefined && types.family(types.parse(type)) === 'text'
}

function markedColumns(
  { project }: Workspace,
  dialect: Dialect,
  { builds, rawTables, analysis }: ScanGround,
  marking: Marking,
): readonly MarkedColumn[] {
  const { engine } = project
  const flow = projectFlow(project, analysis, marking)
  return [...builds].flatMap(([name, build]) => {
    const asset = project.byName.get(name)
    if (asset === undefined) return []
    const marks = declaredMarks(asset, engine)
    // A name alone marks nothing where all that the column shows was masked at its source.
    const isMasked = (column: string) =>
      flow.of(name, column) === undefined && !isHarmless(asset, column, engine)
    const isOwn = (column: string) =>
      (marking.declared && isDeclared(asset, column, true, engine)) ||
      (isNamed(marking, { asset: name, column }, engine) && !isMasked(column))
    const isRaw = (child: string | undefined, column: string) =>
      isMarkedAtSource(marks, marking, { asset: name, column, source: child ?? '' }, engine)
    return [
      ...textColumns(build.columns, isOwn, engine).map(column => ({
        shown: `${name}.${column}`,
        from: rowsOf(build, dialect),
        column,
      })),
      ...(marks.source.length + marking.names.length === 0 ? [] : rawTables(name)).flatMap(table =>
        textColumns(table.columns, column => isRaw(table.child, column), engine).map(column => ({
          shown: `${column} from the source of ${name}`,
          from: dialect.relation(table.relation),
          column,
        })),
      ),
    ]
  })
}

function textColumns(
  columns: readonly Column[],
  isMarked: (column: string) => boolean,
  engine: Engine,
): readonly string[] {
  return columns.filter(column => isText(column, engine) && isMarked(column.name)).map(({ name }) => name)
}

const own = internalNames(
  ...(['built', 'sampled', 'looked', 'personal', 'each', 'place', 'origin', 'value', 'hits'] as const),
)

interface Scan {
  readonly build: BuildRecord
  readonly columns: readonly string[]
  readonly policy: Policy
  readonly marked: readonly MarkedColumn[]
}

async function scan(
  session: WarehouseSession,
  { signal }: Workspace,
  { build, columns, policy, marked }: Scan,
): Promise<Finding | undefined> {
  for (let start = 0; start < marked.length; start += columnsAtOnce) {
    const part = marked.slice(start, start + columnsAtOnce)
    const rows = await session
      .query(scanSql(session.dialect, build, columns, part), signal)
      .catch(() => undefined)
    signal.throwIfAborted()
    if (rows === undefined)
      return { column: null, failures: 1, message: `the values cannot be compared: policy "${policy.name}"` }
    const [hit] = rows
    if (hit === undefined) continue
    const column = columns[Number(hit[own.place])] ?? ''
    const from = part[Number(hit[own.origin])]?.shown ?? ''
    const failures = Number(hit[own.hits])
    const what = `${failures === 1 ? '1 value' : `${failures} values`} of "${column}" ${failures === 1 ? 'is' : 'are'}`
    return { column, failures, message: `${what} in personal data, ${from}: policy "${policy.name}"` }
  }
  return undefined
}

function rowsOf({ relation, sql }: BuildRecord, dialect: Dialect): string {
  return sql === null ? dialect.relation(relation) : `(\n${sql}\n) AS ${own.built}`
}

function scanSql(
  dialect: Dialect,
  build: BuildRecord,
  columns: readonly string[],
  marked: readonly MarkedColumn[],
): string {
  const { identifier } = dialect
  const values = columns.map(
    (column, place) =>
      `SELECT ${place} AS ${own.place}, ${identifier(column)} AS ${own.value} FROM ${own.sampled}`,
  )
  const known = marked.map(
    (each, origin) =>
      `SELECT ${origin} AS ${own.origin}, ${identifier(each.column)} AS ${own.value} FROM ${each.from}`,
  )
  return `WITH ${own.sampled} AS (SELECT ${columns.map(identifier).join(', ')} FROM ${rowsOf(build, dialect)} LIMIT ${sampledRows}),
${own.looked} AS (SELECT DISTINCT ${own.place}, ${own.value} FROM (${values.join(' UNION ALL ')}) AS ${own.each} WHERE length(${own.value}) >= ${shortest}),
${own.personal} AS (${known.join(' UNION ALL ')})
SELECT ${own.place}, ${own.origin}, count(DISTINCT ${own.looked}.${own.value}) AS ${own.hits}
FROM ${own.looked} JOIN ${own.personal} ON ${own.looked}.${own.value} = ${own.personal}.${own.value}
GROUP BY ${own.place}, ${own.origin} ORDER BY ${own.hits} DESC, ${own.place}, ${own.origin} LIMIT 1`
}
