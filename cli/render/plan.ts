/** Renders a plan for review: one line per changed asset, what breaks, and what a run would do. */
import type { JsonOf } from '@svc/server/contract'
import { type Engine, placeAt, svcIn } from '@svc/server/language'
import { driftText } from '../engine/ingest/source-drift.ts'
import type { Breakage, ColumnChange, Plan, PlannedAsset } from '../engine/plan/plan.ts'
import { stagesOf } from '../engine/plan/stages.ts'
import { stepsOf } from '../engine/plan/step.ts'
import type { Refusal } from '../engine/run/history-lost.ts'
import type { MarkDifference } from '../engine/run/mark-changes.ts'
import type { ContractCheck, SourceDrift } from '../engine/workspace/contract-checks.ts'
import type { DriftReader } from '../engine/workspace/drift-readers.ts'
import type { FileWarning } from '../engine/workspace/file-warnings.ts'
import { reachJson, reachText } from './column-reach.ts'
import { diffText, keyChanges, sqlDiff } from './definition-diff.ts'
import { alignedTo, entry } from './entry.ts'
import { leftBehindText } from './left-behind.ts'
import type { DiffLine } from './line-diff.ts'
import { countOf, formatAge, formatCount, formatSeconds } from './numbers.ts'
import { grantLines, grantParts, grantsJson, grantsOf } from './plan-grants.ts'
import { brokenContracts, headOf, nothingToDo } from './plan-head.ts'
import { refusalLines, refusalsJson } from './plan-refusals.ts'
import { type Repairs, repairLines, repairsJson } from './plan-repairs.ts'
import { warningLines, warningsJson } from './plan-warnings.ts'
import type { Style } from './style.ts'
import { toldSentences } from './told-changes.ts'
import { oneLine, truncate, wrap, wrapBehind } from './width.ts'

/** Whether the SQL of modified assets is shown line by line; `small` shows only short diffs. */
export type DiffWish = 'small' | 'all'

export interface PlanReport {
  readonly plan: Plan
  readonly contracts: readonly ContractCheck[]
  /** The sources that changed between the pages of their last load. */
  readonly lastLoads: readonly LastLoad[]
  /** What the files ask for that a run does not do, and what policies say without stopping it. */
  readonly fileWarnings?: readonly FileWarning[]
  /** The marks of personal data that a run changes. */
  readonly marks?: readonly MarkDifference[]
  /** What a run would refuse, because rows that loads have gathered would go. */
  readonly refusals?: readonly Refusal[]
  readonly repairs?: Repairs
  /** Whether the schema is that of no branch because a commit is checked out, and no branch. */
  readonly isDetached?: boolean | undefined
  readonly now: Date
  /** The default is `small`. */
  readonly diff?: DiffWish
}

export interface LastLoad {
  readonly asset: string
  readonly runId: string
  readonly drift: readonly SourceDrift[]
}

export type TextOf = (path: string) => string | undefined

export function renderPlan(report: PlanReport, textOf: TextOf, plain: Style): string[] {
  const { plan } = report
  const style = alignedTo(shownNames(report), plain)
  const sources = [
    ...refusalLines(report, style),
    ...repairLines(report.repairs, 'run', style),
    ...contractLines(report.contracts, textOf, style),
    ...report.lastLoads.flatMap(each =>
      driftEntry(each, `between pages, in run ${each.runId}`, textOf, style),
    ),
    ...warningLines(report, style),
    ...toldSentences(plan).flatMap(text => wrap(text, style.width)),
  ]
  const failed = lastFailureLines(report, style)
  if (plan.nothingToDo && breaksOf(plan).length === 0 && (report.refusals ?? []).length === 0) {
    return [...wrap(nothingToDo(report), style.width), ...gapBefore([...failed, ...sources])]
  }
  return [
    ...wrap(headOf(report, style), style.width),
    '',
    ...assetLines(plan, report.diff ?? 'small', style),
    ...grantLines(plan, style),
    ...gapBefore([...failed, ...sources]),
    ...gapBefore(consequences(plan, textOf, style)),
    '',
    ...wrapBehind('  ', workSentence(plan), style.width),
  ]
}

/** Returns the names of the assets that have a line of their own. */
function shownNames({ plan, contracts, lastLoads, refusals = [], repairs }: PlanReport): readonly string[] {
  const changing = plan.assets.filter(({ change }) => change !== 'reused')
  const others = [...contracts, ...lastLoads, ...grantsOf(plan), ...refusals].map(({ asset }) => asset)
  return [...changing.map(({ name }) => name), ...others, ...(repairs?.keys() ?? [])]
}

function gapBefore(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', ...lines]
}

const mostFailures = 3

/** `✗ orders  failed  6 hours ago: the source has no column "amount"` */
function lastFailureLines({ plan, contracts, now }: PlanReport, style: Style): string[] {
  const { lastFailures } = plan
  // A source that still breaks its contract says the reason in a line of its own.
  const said = new Map(contracts.map(({ asset, detail }) => [asset, detail]))
  const lines = lastFailures.slice(0, mostFailures).flatMap(({ asset, finishedAt, because }) => {
    const ago = formatAge((now.getTime() - Date.parse(finishedAt)) / 1000)
    const why = because === null || because === said.get(asset) ? '' : `: ${oneLine(because)}`
    return entry(style.red('✗'), asset, 'failed', [`in its last run, ${ago}${why}`], style)
  })
  const rest = lastFailures.length - mostFailures
  if (rest > 0) lines.push(`    and ${countOf(rest, 'more asset')}: ${svcIn(plan.environment)('status')}`)
  return lines
}

// ---------------------------------------------------------------- assets

function assetLines(plan: Plan, diff: DiffWish, style: Style): string[] {
  const changing = plan.assets.filter(asset => asset.change !== 'reused')
  const reused = plan.assets.length - changing.length
  const lines = changing.flatMap(asset => [
    ...assetLine(asset, diff, style),
    ...diffLines(sqlDiff(asset, plan.engine), diff, style),
  ])
  for (const reader of readersOf(plan)) lines.push(...brokenLines(reader, style))
  if (reused > 0) {
    const why = ['same definition, same inputs']
    lines.push(...entry(style.dim('='), countOf(reused, 'asset'), 'reused', why, style))
  }
  return lines
}

const smallDiff = 12
const diffIndent = ' '.repeat(6)

/** Returns the changed lines of the SQL; of a long diff only its size. */
function diffLines(lines: readonly DiffLine[], wish: DiffWish, style: Style): string[] {
  if (wish === 'small' && lines.length > smallDiff) {
    const changed = lines.filter(({ kind }) => kind === 'added' || kind === 'removed').length
    return [`${diffIndent}${style.dim(`${countOf(changed, 'line')} of SQL changed: --diff shows them`)}`]
  }
  const shown = (text: string) => (style.isCut ? truncate(text, style.width - 6) : text)
  return lines.map(line => diffIndent + dressOf(line, style)(shown(diffText(line))))
}

function dressOf({ kind }: DiffLine, style: Style): (text: string) => string {
  if (kind === 'added') return style.green
  return kind === 'removed' ? style.red : style.dim
}

const symbols = { new: '+', modified: '~', rebuilt: '↻', volatile: '↻', removed: '-', reused: '=' } as const

function assetLine(asset: PlannedAsset, diff: DiffWish, style: Style): string[] {
  const dresses = {
    new: style.green,
    modified: style.yellow,
    removed: style.red,
    rebuilt: style.cyan,
    volatile: style.cyan,
    reused: style.dim,
  }
  const symbol = dresses[asset.change](symbols[asset.change])
  const facts = [...factsOf(asset), ...columnLines(asset.columnChanges, diff)]
  return entry(symbol, asset.name, asset.change, facts, style)
}

function factsOf(asset: PlannedAsset): string[] {
  const facts: string[] = []
  if (asset.reason !== undefined) facts.push(asset.reason)
  if (asset.change === 'modified') facts.push(...keyChanges(asset))
  if (asset.change === 'new') {
    facts.push(
      [
        countOf(asset.columns.length, 'column'),
        ...(asset.fetches ? ['fetched'] : []),
        ...(asset.materialize === 'table' ? [] : [asset.materialize]),
      ].join(', '),
    )
  }
  const size = lastSize(asset)
  if (size !== undefined) facts.push(size)
  return facts
}

/** Returns `39,952 rows in 0.40 s last time`, as an estimate for a rebuild. */
function lastSize({ change, liveRows, liveSeconds }: PlannedAsset): string | undefined {
  if (change === 'new' || change === 'removed' || liveRows === undefined) return undefined
  const time = liveSeconds === undefined ? '' : ` in ${formatSeconds(liveSeconds)}`
  return `${countOf(liveRows, 'row')}${time} last time`
}

const mostColumns = 10

/** A wide table may change by hundreds of columns; those that break a reader are always named. */
function columnLines(changes: readonly ColumnChange[], wish: DiffWish): string[] {
  if (wish === 'all' || changes.length <= mostColumns + 1) return changes.map(columnLine)
  const shown = changes.filter((change, index) => index < mostColumns || change.breaks.length > 0)
  const hidden = countOf(changes.length - shown.length, 'more column')
  return [...shown.map(columnLine), ...(hidden.startsWith('0 ') ? [] : [`and ${hidden}: --diff shows them`])]
}

/** `+ column delay_p95 DOUBLE`, `- column delay_max  breaks 1 below`, `~ column delay DOUBLE -> VARCHAR` */
function columnLine(change: ColumnChange): string {
  const breaks = change.breaks.length === 0 ? '' : `  breaks ${formatCount(change.breaks.length)} below`
  switch (change.kind) {
    case 'added':
      return `+ column ${change.column} ${change.toType ?? ''}`.trimEnd()
    case 'removed':
      return `- column ${change.column}${breaks}`
    case 'retyped':
      return `~ column ${change.column} ${change.fromType ?? '?'} -> ${change.toType ?? '?'}${breaks}`
  }
}

// ---------------------------------------------------------------- breaks

export interface Break {
  readonly source: string
  readonly change: ColumnChange
  readonly breakage: Breakage
}

export function breaksOf(plan: Plan): Break[] {
  return plan.assets.flatMap(asset =>
    asset.columnChanges.flatMap(change =>
      change.breaks.map(breakage => ({ source: asset.name, change, breakage })),
    ),
  )
}

/** Returns each reader of a column once, however often it names it. */
function readersOf(plan: Plan) {
  const readers = new Map<string, { asset: string; column: string; places: number }>()
  for (const { source, change, breakage } of breaksOf(plan)) {
    const column = `${source}.${change.column}`
    const key = `${breakage.asset}\n${column}`
    const reader = readers.get(key) ?? { asset: breakage.asset, column, places: 0 }
    readers.set(key, { ...reader, places: reader.places + 1 })
  }
  return [...readers.values()]
}

function brokenLines(
  { asset, column, places }: { asset: string; column: string; places: number },
  style: Style,
): string[] {
  const fact = `reads ${column}${places > 1 ? ` in ${formatCount(places)} places` : ''}`
  return entry(style.red('!'), asset, 'breaks', [fact], style)
}

/** Returns `path:line:column` of the reader. */
export function placeOf({ path, range }: Breakage | DriftReader, textOf: TextOf): string {
  return placeAt(path, textOf(path) ?? '', range.start)
}

/** Counts a removed column as one change, however many readers it has. */
export function changesOf(breaks: readonly Break[]): number {
  return new Set(breaks.map(({ source, change }) => `${source}\n${change.column}`)).size
}

function consequences(plan: Plan, textOf: TextOf, style: Style): string[] {
  const broken = breaksOf(plan)
  const lines: string[] = []
  if (broken.length > 0) {
    lines.push(
      ...wrap(
        `${countOf(changesOf(broken), 'breaking change')}: svc run refuses until the readers are changed too.`,
        style.width - 2,
      ).map(line => style.red(`  ${line}`)),
      ...broken.map(each => {
        const what = each.change.kind === 'removed' ? 'is going away' : 'changes its type'
        return `    ${placeOf(each.breakage, textOf)} reads a column that ${what}`
      }),
    )
  }
  for (const text of reachTexts(plan)) lines.push(...wrapBehind('  ', text, style.width))
  for (const text of testsAgain(plan)) lines.push(...wrapBehind('  ', text, style.width))
  if (plan.leftBehind.length > 0) {
    lines.push(...wrap(leftBehindText(plan), style.width - 2).map(each => style.yellow(`  ${each}`)))
  }
  if (plan.exposures.length > 0) {
    const names = plan.exposures.map(exposure => `${exposure.name} (${exposure.asset})`).join(', ')
    lines.push(...wrapBehind('  ', `Exposures that will see the change: ${names}.`, style.width))
  }
  return lines
}

/** Returns what each column that goes away or changes its type reaches, also where nothing breaks by it. */
export function reachTexts({ assets }: Plan): string[] {
  return assets.flatMap(asset =>
    asset.columnChanges.flatMap(({ kind, column, reach }) => {
      // Exposures of what changes have a line of their own.
      const isReader = reach && reach.columns.length + reach.uses.length + reach.targets.length > 0
      const text = isReader ? reachText(reach) : ''
      const what = kind === 'removed' ? 'goes away from' : 'changes in'
      return text === '' ? [] : [`${asset.name}.${column} ${what}: ${text}.`]
    }),
  )
}

const mostNamed = 5

/** Returns which tests run again although what they read is as it was, once for each reason. */
function testsAgain({ steps }: Plan): string[] {
  const byReason = new Map<string, string[]>()
  for (const { asset, test, reason } of stepsOf(steps, 'test'))
    if (reason !== undefined) byReason.set(reason, [...(byReason.get(reason) ?? []), `${test} of ${asset}`])
  return [...byReason].map(([reason, tests]) => {
    const more = tests.length - mostNamed
    const named = tests.slice(0, mostNamed).join(', ')
    return `Runs again: ${named}${more > 0 ? ` and ${more} more` : ''}, because ${reason}.`
  })
}

// ---------------------------------------------------------------- summary

/** `Fetch 4 sources, build 3 tables, run 11 tests, promote 23 views at once.` */
export function workSentence(plan: Plan): string {
  const parts: string[] = []
  for (const stage of stagesOf(plan.steps)) {
    if (stage.kind === 'fetch' && stage.assets.length > 0)
      parts.push(`fetch ${countOf(stage.assets.length, 'source')}`)
    if (stage.kind === 'build' && stage.assets.length > 0)
      parts.push(`build ${countOf(stage.assets.length, 'asset')}`)
    if (stage.kind === 'test' && stage.tests.length > 0)
      parts.push(`run ${countOf(stage.tests.length, 'test')}`)
    if (stage.kind === 'promote') parts.push(...promoteParts(stage))
  }
  parts.push(...grantParts(plan))
  if (parts.length === 0) return 'Nothing to do.'
  const text = parts.join(', ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function promoteParts(stage: {
  readonly views: readonly string[]
  readonly drops: readonly string[]
}): string[] {
  return [
    ...(stage.drops.length > 0 ? [`remove ${countOf(stage.drops.length, 'view')}`] : []),
    ...(stage.views.length > 0 ? [`promote ${countOf(stage.views.length, 'view')} at once`] : []),
  ]
}

/** Returns how the source differs from a load, and the readers of missing or retyped columns. */
function driftEntry(
  { asset, drift }: ContractCheck | LastLoad,
  when: string,
  textOf: TextOf,
  style: Style,
): string[] {
  if (drift.length === 0) return []
  const below = ' '.repeat(8)
  const changes = drift.flatMap(({ change, readers, columns }) => [
    ...wrapBehind(' '.repeat(6), driftText(change), style.width),
    ...(columns.length === 0 ? [] : wrapBehind(below, `downstream: ${columnList(columns)}`, style.width)),
    ...readers.slice(0, mostReaders).map(each => below + placeOf(each, textOf)),
    ...(readers.length > mostReaders
      ? [`${below}and ${countOf(readers.length - mostReaders, 'more place')}`]
      : []),
  ])
  return [...entry(style.yellow('~'), asset, 'drifted', [when], style), ...changes]
}

const mostReaders = 8
const mostNames = 12

/** `orders.amount, totals.paid` */
export function columnList(columns: SourceDrift['columns']): string {
  const names = columns.slice(0, mostNames).map(({ asset, column }) => `${asset}.${column}`)
  const rest = columns.length - names.length
  return [...names, ...(rest > 0 ? [`${formatCount(rest)} more`] : [])].join(', ')
}

function contractLines(contracts: readonly ContractCheck[], textOf: TextOf, style: Style): string[] {
  return contracts.flatMap(contract => {
    const drift = driftEntry(contract, 'since its last load', textOf, style)
    if (contract.status === 'kept') return drift
    const symbol = contract.status === 'broken' ? style.red('✗') : style.yellow('?')
    const word = contract.status === 'broken' ? 'contract' : 'not checked'
    return [...entry(symbol, contract.asset, word, [contract.detail ?? ''], style), ...drift]
  })
}

// ---------------------------------------------------------------- JSON

export function planJson(report: PlanReport, textOf: TextOf): JsonOf<'plan'> {
  const { plan } = report
  return {
    environment: plan.environment,
    schema: plan.schema,
    warehouse: plan.warehouse,
    selector: plan.selector ?? null,
    nothing_to_do: plan.nothingToDo && brokenContracts(report) === 0 && (report.refusals ?? []).length === 0,
    assets: plan.assets.map(asset => plannedAssetJson(asset, plan.engine, textOf)),
    stages: stagesOf(plan.steps),
    left_behind: plan.leftBehind,
    exposures: plan.exposures,
    contracts: report.contracts.map(check => ({
      asset: check.asset,
      status: check.status,
      detail: check.detail ?? null,
      drift: driftJson(check.drift, textOf),
    })),
    last_loads: report.lastLoads.map(({ asset, runId, drift }) => ({
      asset,
      run_id: runId,
      drift: driftJson(drift, textOf),
    })),
    ...refusalsJson(report),
    ...repairsJson(report.repairs),
    ...warningsJson(report),
    ...grantsJson(plan),
    last_deployment:
      plan.lastDeployment === undefined
        ? null
        : { run_id: plan.lastDeployment.runId, finished_at: plan.lastDeployment.finishedAt },
    last_failures: plan.lastFailures.map(({ asset, runId, finishedAt, because }) => ({
      asset,
      run_id: runId,
      finished_at: finishedAt,
      because,
    })),
  }
}

function driftJson(
  drift: readonly SourceDrift[],
  textOf: TextOf,
): JsonOf<'plan'>['last_loads'][number]['drift'] {
  return drift.map(({ change, readers, columns }) => ({
    ...change,
    columns,
    readers: readers.map(each => readerJson(each, textOf)),
  }))
}

function readerJson(reader: Breakage | DriftReader, textOf: TextOf) {
  return { asset: reader.asset, column: reader.column, place: placeOf(reader, textOf) }
}

function plannedAssetJson(
  asset: PlannedAsset,
  engine: Engine,
  textOf: TextOf,
): JsonOf<'plan'>['assets'][number] {
  return {
    name: asset.name,
    path: asset.path,
    change: asset.change,
    fetches: asset.fetches,
    ...(asset.told !== undefined && { told: asset.told }),
    materialize: asset.materialize,
    definition_hash: asset.definitionHash,
    deployed_hash: asset.deployedHash ?? null,
    reason: asset.reason ?? null,
    changed_keys: asset.changedKeys,
    definition_changes: asset.definitionChanges.map(({ key, before, after, pattern }) => ({
      key,
      before: before ?? null,
      after: after ?? null,
      ...(pattern !== undefined && { inherited_from: pattern }),
    })),
    sql_diff: sqlDiff(asset, engine).map(diffText),
    live_rows: asset.liveRows ?? null,
    live_seconds: asset.liveSeconds ?? null,
    columns: asset.columns.map(column => ({ name: column.name, type: column.type ?? null })),
    column_changes: asset.columnChanges.map(change => ({
      kind: change.kind,
      column: change.column,
      from_type: change.fromType ?? null,
      to_type: change.toType ?? null,
      breaks: change.breaks.map(each => readerJson(each, textOf)),
      ...(change.reach !== undefined && { reaches: reachJson(change.reach) }),
    })),
  }
}
