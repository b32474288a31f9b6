/** Renders tables of what is deployed: `status` and `versions` (interface.md 4.4), `freshness` (3.2). */

import type { JsonOf } from '@svc/server/contract'
import { formatDuration, svcIn } from '@svc/server/language'
import { assetLook, assetWords, type VerdictRole } from '@svc/server/verdicts'
import type { FreshnessRow } from '../engine/quality/freshness-report.ts'
import type { AssetStatus, AssetVersion } from '../engine/run/versions.ts'
import { countOf, formatAge, formatSpan, formatTimestamp } from './numbers.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'
import { wrap, wrapBehind } from './width.ts'

export const shortHashLength = 12

export interface StatusRow extends AssetStatus {
  /** How the file differs from what is live: `` (unchanged), `modified`, `not deployed`, `file removed`. */
  readonly since: '' | 'modified' | 'not deployed' | 'file removed'
}

export interface StatusReport {
  readonly environment: string
  readonly schema: string
  /** The git branch that the schema is named after. */
  readonly branch: string | undefined
  readonly rows: readonly StatusRow[]
  readonly now: Date
}

export function renderStatus(report: StatusReport, style: Style): string[] {
  if (report.rows.length === 0) return ['No assets yet. Make one with: svc create asset <name>']
  const changed = report.rows.some(row => row.since !== '')
  const cells = report.rows.map(row => [
    row.name,
    row.activeHash?.slice(0, shortHashLength) ?? '-',
    row.deployedAt === undefined ? '-' : formatAge(secondsSince(row.deployedAt, report.now)),
    assetWords(row.state, row.freshness ?? null),
    ...(changed ? [row.since] : []),
  ])
  const columns = [
    { title: 'Asset', maxWidth: 40 },
    { title: 'Active Hash' },
    { title: 'Deployed' },
    { title: 'Status', dress: stateDress(report, style) },
    ...(changed ? [{ title: 'Since Then', dress: (_: string, padded: string) => style.yellow(padded) }] : []),
  ]
  return [
    ...renderTable(columns, cells, style),
    ...failures(report, style),
    ...warnings(report, style),
    ...whereNothingIs(report, style),
  ]
}

/** What failed shows what it had before, so its cause and the age of that are said together. */
function failures({ rows, now }: StatusReport, style: Style): string[] {
  const lines = rows.flatMap(({ name, because, deployedAt, gone }) => {
    if (because === undefined)
      return gone === undefined ? [] : wrap(`${name}: ${gone}; the next run makes it again`, style.width)
    const shown =
      deployedAt === undefined
        ? 'is not deployed'
        : `shows its build of ${formatAge(secondsSince(deployedAt, now))}`
    return wrap(`${name} ${shown}: ${because}`, style.width)
  })
  return lines.length === 0 ? [] : ['', ...lines]
}

/** How many are shown; a run shows them all. */
const warningsShown = 12

/** What is live was deployed or published with warnings, which are true until another build or publish takes its place. */
function warnings({ rows }: StatusReport, style: Style): string[] {
  const all = rows.flatMap(({ name, warnings }) =>
    warnings.map(each => ({
      about: 'target' in each ? `${name}, as published to ${each.target}` : name,
      message: each.message,
    })),
  )
  if (all.length === 0) return []
  const lines = all
    .slice(0, warningsShown)
    .flatMap(({ about, message }) => wrapBehind(`${style.yellow('!')} `, `${about}: ${message}`, style.width))
  const hidden = all.length - warningsShown
  return ['', ...lines, ...(hidden > 0 ? [`  and ${countOf(hidden, 'more warning')}`] : [])]
}

/** Another branch, or the first `git init`, has a schema of its own, which is easily taken for a loss. */
function whereNothingIs({ environment, schema, branch, rows }: StatusReport, style: Style): string[] {
  if (rows.some(row => row.activeHash !== undefined)) return []
  const on = branch === undefined ? '' : `, of the branch ${branch}`
  return [
    '',
    ...wrap(`Nothing is deployed in ${environment} yet: its schema is ${schema}${on}.`, style.width),
  ]
}

/** In the colour that it has on the pages. */
function stateDress({ rows }: StatusReport, style: Style): (cell: string, padded: string) => string {
  const dress: Readonly<Record<VerdictRole, (text: string) => string>> = {
    pass: style.green,
    warn: style.yellow,
    fail: style.red,
    quiet: style.dim,
  }
  const roles = new Map(
    rows.map(({ state, freshness }) => [
      assetWords(state, freshness ?? null),
      assetLook(state, freshness ?? null).role,
    ]),
  )
  return (cell, padded) => dress[roles.get(cell) ?? 'quiet'](padded)
}

function statusDress(style: Style): (cell: string, padded: string) => string {
  return (cell, padded) =>
    (cell === 'Failed' ? style.red : cell === 'deployed' ? style.green : style.dim)(padded)
}

function secondsSince(iso: string, now: Date): number {
  return (now.getTime() - Date.parse(iso)) / 1000
}

/**
 * Follows the contract's shape exactly: assets that were never deployed have no active hash and are left out.
 */
export function statusJson(report: StatusReport): JsonOf<'status'> {
  return {
    assets: report.rows.flatMap(row =>
      row.activeHash === undefined ? [] : [{ name: row.name, active_hash: row.activeHash }],
    ),
  }
}

export interface VersionsReport {
  readonly asset: string
  readonly environment: string
  /** Newest first. */
  readonly versions: readonly AssetVersion[]
}

export function renderVersions(report: VersionsReport, style: Style): string[] {
  const { asset, environment } = report
  if (report.versions.length === 0)
    return [
      `${asset} was never deployed to ${environment}. Deploy it with: ${svcIn(environment)(`run +${asset}`)}`,
    ]
  const rows = report.versions.map(version => [
    version.hash.slice(0, shortHashLength),
    formatTimestamp(version.deployedAt),
    version.status,
  ])
  const columns = [
    { title: 'Hash' },
    { title: 'Deployed At' },
    { title: 'Status', dress: statusDress(style) },
  ]
  return [...renderTable(columns, rows, style), ...liveVersion(report, style)]
}

/** The same hash may be there twice, so the run tells which one is live. */
function liveVersion({ versions, environment }: VersionsReport, style: Style): string[] {
  const live = versions.find(({ active }) => active)
  if (live === undefined) return []
  const hash = live.hash.slice(0, shortHashLength)
  return ['', style.dim(`Live in ${environment}: ${hash} from run ${live.runId}. Times are UTC.`)]
}

export function versionsJson(report: VersionsReport): JsonOf<'versions'> {
  return {
    asset: report.asset,
    environment: report.environment,
    versions: report.versions.map(({ hash, deployedAt, status, runId, active }) => ({
      ...{ hash, deployed_at: deployedAt, status, run_id: runId, active },
    })),
  }
}

export interface FreshnessReport {
  readonly environment: string
  readonly rows: readonly FreshnessRow[]
}

export function renderFreshness(report: FreshnessReport, style: Style): string[] {
  if (report.rows.length === 0) return ['No asset has a "freshness" block.']
  const cells = report.rows.map(row => [
    row.asset,
    row.status,
    row.ageMs === undefined ? '-' : formatSpan(row.ageMs / 1000),
    row.clock === 'loaded' ? 'loaded' : `newest ${row.column}`,
    row.warnAfterMs === undefined ? '-' : formatDuration(row.warnAfterMs),
    row.errorAfterMs === undefined ? '-' : formatDuration(row.errorAfterMs),
    row.message ?? '',
  ])
  const dresses: Readonly<Record<string, (text: string) => string>> = {
    OK: style.green,
    WARN: style.yellow,
    ERROR: style.red,
  }
  const status = (cell: string, padded: string) => dresses[cell]?.(padded) ?? padded
  return renderTable(
    [
      { title: 'Asset', maxWidth: 40 },
      { title: 'Status', dress: status },
      { title: 'Age' },
      { title: 'Since', maxWidth: 32 },
      { title: 'Warn After' },
      { title: 'Error After' },
      { title: '' },
    ],
    cells,
    style,
  )
}

export function freshnessJson(report: FreshnessReport): JsonOf<'freshness'> {
  return {
    environment: report.environment,
    assets: report.rows.map(row => ({
      name: row.asset,
      status: row.status,
      clock: row.clock,
      last: row.last ?? null,
      loaded_at: row.loadedAt ?? null,
      newest_row: row.newestRow ?? null,
      column: row.column ?? null,
      age_seconds: row.ageMs === undefined ? null : row.ageMs / 1000,
      warn_after_seconds: row.warnAfterMs === undefined ? null : row.warnAfterMs / 1000,
      error_after_seconds: row.errorAfterMs === undefined ? null : row.errorAfterMs / 1000,
      message: row.message ?? null,
    })),
  }
}
