/** Renders where personal data lives and flows: for people at 80 columns, and as JSON. */
import type { JsonOf } from '@svc/server/contract'
import type {
  ColumnOrigin,
  PersonalReport,
  Policy,
  Project,
  ReportedFlow,
  ReportedMark,
} from '@svc/server/language'
import type { BuildDifference } from '../engine/quality/personal-builds.ts'
import { countOf } from './numbers.ts'
import type { Style } from './style.ts'
import { displayWidth, oneLine, padEnd, wrap, wrapBehind } from './width.ts'

export interface PolicyReport extends PersonalReport {
  readonly project: Project
  readonly environment: string
  /** Files with errors. */
  readonly broken: readonly string[]
  /** Undefined without a warehouse. */
  readonly builds: readonly BuildDifference[] | undefined
  /** Returns where a mark is written, or else the file of its asset. */
  readonly placeOf: (root: ColumnOrigin) => string
  /** The policies that are asked for; all of them if undefined. */
  readonly wanted?: ReadonlySet<string> | undefined
}

/** Returns the part of a report that is about some policies (all if empty) and assets (all if undefined). */
export function narrowed(
  report: PolicyReport,
  policies: readonly string[],
  names: readonly string[] | undefined,
): PolicyReport {
  const wanted = policies.length === 0 ? undefined : new Set(policies)
  const isWanted = (policy: string) => wanted === undefined || wanted.has(policy)
  const assets = names && new Set(names)
  const isIn = ({ asset }: { readonly asset: string }) => assets === undefined || assets.has(asset)
  const cut = <T extends ReportedFlow>(flows: readonly T[]): readonly T[] =>
    flows.filter(isIn).map(flow => ({
      ...flow,
      policies: flow.policies.filter(isWanted),
      breaches: flow.breaches.filter(isWanted),
    }))
  const marks = report.marks.map(mark => ({
    ...mark,
    policies: mark.policies.filter(isWanted),
    flows: cut(mark.flows),
    exemptions: mark.exemptions.filter(isIn),
    destinations: cut(mark.destinations),
    exposures: mark.exposures.filter(isIn),
  }))
  return {
    ...report,
    wanted,
    marks: marks.filter(
      mark =>
        (isIn(mark.root) || mark.flows.length + mark.exemptions.length > 0) &&
        (wanted === undefined || mark.policies.length > 0 || breachesOf(mark).length > 0),
    ),
    unknown: report.unknown.filter(asset => isIn({ asset })),
    builds: report.builds?.filter(isIn),
  }
}

// ---------------------------------------------------------------- figures

interface Breach {
  readonly policy: string
  /** `report.contact`, or `report -> crm`. */
  readonly where: string
}

function breachesOf({
  flows,
  destinations,
}: Pick<ReportedMark, 'flows' | 'destinations'>): readonly Breach[] {
  return [
    ...flows.flatMap(each => each.breaches.map(policy => ({ policy, where: columnName(each) }))),
    ...destinations.flatMap(each =>
      each.breaches.map(policy => ({ policy, where: `${columnName(each)} -> ${each.target}` })),
    ),
  ]
}

/** Returns each breach once, also if several marks meet in a column. */
function allBreaches({ marks }: PolicyReport): readonly Breach[] {
  const found = marks.flatMap(breachesOf)
  return [...new Map(found.map(each => [`${each.policy}\0${each.where}`, each])).values()]
}

export function shownPolicies({ project, wanted }: PolicyReport): readonly Policy[] {
  return project.glossary.policies.filter(({ name }) => wanted === undefined || wanted.has(name))
}

export function strictBreaches(report: PolicyReport): number {
  const strict = new Set(
    shownPolicies(report).flatMap(({ name, enforcement }) => (enforcement === 'strict' ? [name] : [])),
  )
  return allBreaches(report).filter(({ policy }) => strict.has(policy)).length
}

export function breachCount(report: PolicyReport, policy: string): number {
  return allBreaches(report).filter(each => each.policy === policy).length
}

export function markCount({ marks }: PolicyReport, policy: string): number {
  return marks.filter(({ policies }) => policies.includes(policy)).length
}

function summaryOf(report: PolicyReport) {
  const flows = report.marks.flatMap(mark => mark.flows)
  return {
    marks: report.marks.length,
    columns: new Set(flows.map(columnName)).size,
    assets: new Set(flows.map(({ asset }) => asset)).size,
    breaches: allBreaches(report).length,
    strict_breaches: strictBreaches(report),
  }
}

export function columnName({ asset, column }: { readonly asset: string; readonly column: string }): string {
  return `${asset}.${column}`
}

/** `customers.email (source)` */
export function markName({ asset, column, source }: ColumnOrigin): string {
  if (source === undefined) return `${asset}.${column}`
  return `${asset}.${source === '' ? '' : `${source}.`}${column} (source)`
}

export function headline(report: PolicyReport): string {
  const { marks, columns, assets, breaches } = summaryOf(report)
  const where =
    columns === 0 ? 'read by no SQL' : `in ${countOf(columns, 'column')} of ${countOf(assets, 'asset')}`
  const broken = breaches === 0 ? 'no breach' : countOf(breaches, 'breach', 'breaches')
  return `${countOf(marks, 'mark')}, ${where}, ${broken}`
}

export const nothingPersonal =
  'No personal data: no file says pii: true here, and no policy names a column that is there.'

export function warnings({ unknown, broken }: PolicyReport): readonly string[] {
  return [
    ...(unknown.length === 0
      ? []
      : [`Not all columns are known of ${unknown.join(', ')}: a run finds them.`]),
    ...(broken.length === 0
      ? []
      : [`${broken.join(', ')}: errors, so more may flow than is seen. svc validate shows them.`]),
  ]
}

/** `people.mail is personal in the build and not in the files` */
export function differenceText({ asset, column, build, files, isUnknown }: BuildDifference): string {
  const words = (grade: string) => (grade === 'none' ? 'not personal' : grade)
  const why = isUnknown ? ' (nothing is known of how it was built)' : ''
  return `${asset}.${column} is ${words(build)} in the live build${why}, ${words(files)} in the files`
}

// ---------------------------------------------------------------- text

export function renderPolicyReport(report: PolicyReport, style: Style): string[] {
  const notes = warnings(report)
    .flatMap(text => wrap(text, style.width))
    .map(style.yellow)
  const builds = buildLines(report, style)
  if (report.marks.length === 0) return [...wrap(nothingPersonal, style.width), ...notes, ...builds]
  return [
    style.bold(`Personal data of ${report.project.settings.name}: ${headline(report)}`),
    '',
    ...report.marks.flatMap(mark => [...markLines(report, mark, style), '']),
    ...policyLines(report, style),
    ...builds,
    ...notes,
  ]
}

function markLines(report: PolicyReport, mark: ReportedMark, style: Style): string[] {
  const place = report.placeOf(mark.root)
  const name = oneLine(markName(mark.root))
  const room = style.width - displayWidth(name) - displayWidth(place) - 2
  const head =
    room > 0
      ? `${style.bold(name)}  ${' '.repeat(room)}${style.dim(place)}`
      : `${style.bold(name)}\n  ${style.dim(place)}`
  const by = mark.isDeclared ? 'marked in its file' : 'named by a policy'
  return [
    ...head.split('\n'),
    ...labelled(
      'policies',
      [factLine(mark.policies.length === 0 ? 'none' : mark.policies.join(', '), by)],
      style,
    ),
    ...labelled('flows to', mark.flows.map(flowLine), style),
    ...labelled(
      'ends at',
      mark.exemptions.map(each => factLine(columnName(each), each.reason)),
      style,
    ),
    ...labelled(
      'leaves by',
      mark.destinations.map(each => ({ ...flowLine(each), name: `${columnName(each)} -> ${each.target}` })),
      style,
    ),
    ...labelled(
      'shown in',
      mark.exposures.map(each =>
        factLine(
          `${each.name} (${each.type})`,
          each.columns.map(column => `${each.asset}.${column}`).join(', '),
        ),
      ),
      style,
    ),
  ]
}

interface Line {
  readonly name: string
  readonly grade: string
  readonly fact: string
  readonly isBreach: boolean
}

function factLine(name: string, fact: string): Line {
  return { name, grade: '', fact, isBreach: false }
}

function flowLine(flow: ReportedFlow): Line {
  const isBreach = flow.breaches.length > 0
  const breach = `breach of ${flow.breaches.map(name => `"${name}"`).join(', ')}`
  // "masked" alone would read as if the table itself held no values.
  const shown = flow.grade === 'derived' ? '' : 'shown as ***'
  return { name: columnName(flow), grade: flow.grade, fact: isBreach ? breach : shown, isBreach }
}

const labelWidth = 10
const usualName = 28
const gradeWidth = 8

/** The label stands before the first line only; what does not fit goes below its name. */
function labelled(label: string, lines: readonly Line[], style: Style): string[] {
  return lines.flatMap(({ name, grade, fact, isBreach }, index) => {
    const head = `  ${padEnd(index === 0 ? label : '', labelWidth)}${padEnd(oneLine(name), usualName)}`
    const start = grade === '' ? `${head} ` : `${head} ${padEnd(grade, gradeWidth)} `
    const dress = isBreach ? style.red : style.dim
    const room = style.width - displayWidth(start)
    const facts = wrap(oneLine(fact), Math.max(room, 24))
    if (facts.length === 1 && displayWidth(fact) <= room) return [(start + dress(fact)).trimEnd()]
    const indent = ' '.repeat(labelWidth + 4)
    const below = wrap(oneLine(fact), style.width - indent.length)
    return [start.trimEnd(), ...below.map(text => indent + dress(text))]
  })
}

function policyLines(report: PolicyReport, style: Style): string[] {
  const policies = shownPolicies(report)
  if (policies.length === 0) return [style.dim('glossary.yaml has no policies.')]
  return policies.flatMap(({ name, enforcement }) => {
    const breaches = breachCount(report, name)
    const symbol = enforcement === 'off' ? '-' : breaches === 0 ? '✓' : enforcement === 'strict' ? '✗' : '!'
    const dress = { '-': style.dim, '✓': style.green, '✗': style.red, '!': style.yellow }[symbol]
    const what = breaches === 0 ? 'no breach' : countOf(breaches, 'breach', 'breaches')
    const facts = `${enforcement}: ${enforcement === 'off' ? 'only written down' : what}, ${countOf(markCount(report, name), 'mark')}`
    const line = `${symbol} ${padEnd(oneLine(name), usualName)}  ${facts}`
    const lines = displayWidth(line) <= style.width ? [line] : [`${symbol} ${oneLine(name)}`, `  ${facts}`]
    return lines.map((text, index) => (index === 0 ? dress(symbol) + text.slice(symbol.length) : text))
  })
}

function buildLines({ builds, environment }: PolicyReport, style: Style): string[] {
  if (builds === undefined || builds.length === 0) return []
  return [
    '',
    `What is live in ${environment} differs from the files until the next run:`,
    ...builds.flatMap(each =>
      wrapBehind(`  ${style.yellow('~')} `, oneLine(differenceText(each)), style.width),
    ),
  ]
}

// ---------------------------------------------------------------- JSON

export function policyReportJson(report: PolicyReport): JsonOf<'policy-report'> {
  return {
    project: report.project.settings.name,
    environment: report.environment,
    unknown: [...report.unknown],
    broken: [...report.broken],
    summary: summaryOf(report),
    policies: shownPolicies(report).map(policy => ({
      name: policy.name,
      rule: policy.rule,
      enforcement: policy.enforcement,
      derived: policy.derived,
      pii_columns: policy.piiColumns,
      applies_to: policy.appliesTo,
      marks: markCount(report, policy.name),
      breaches: breachCount(report, policy.name),
    })),
    marks: report.marks.map(mark => markJson(report, mark)),
    builds:
      report.builds?.map(({ isUnknown, ...difference }) => ({ ...difference, unknown: isUnknown })) ?? null,
  }
}

function markJson(report: PolicyReport, mark: ReportedMark): JsonOf<'policy-report'>['marks'][number] {
  const { asset, column, source } = mark.root
  return {
    asset,
    column,
    source: source ?? null,
    declared: mark.isDeclared,
    place: report.placeOf(mark.root),
    policies: mark.policies,
    flows: mark.flows.map(flow => ({ ...flow, masked: flow.grade !== 'derived' })),
    exemptions: mark.exemptions,
    destinations: mark.destinations,
    exposures: mark.exposures,
  }
}
