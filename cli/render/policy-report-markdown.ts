/** Renders where personal data lives and flows in GitHub's Markdown, for a review or an audit. */
import type { ReportedFlow, ReportedMark } from '@svc/server/language'
import {
  breachCount,
  columnName,
  differenceText,
  headline,
  markCount,
  markName,
  nothingPersonal,
  type PolicyReport,
  shownPolicies,
  warnings,
} from './policy-report.ts'

export function renderPolicyMarkdown(report: PolicyReport): string[] {
  const notes = warnings(report).flatMap(text => ['> [!WARNING]', `> ${cell(text)}`, ''])
  const title = `# Personal data of ${cell(report.project.settings.name)}`
  const body = report.marks.length === 0 ? [nothingPersonal, ''] : [`${headline(report)}.`, '']
  return trimmed([
    title,
    '',
    ...body,
    ...notes,
    ...policies(report),
    ...report.marks.flatMap(mark => markSection(report, mark)),
    ...builds(report),
  ])
}

function policies(report: PolicyReport): string[] {
  const rows = shownPolicies(report).map(policy => [
    cell(policy.name),
    policy.enforcement,
    cell(policy.appliesTo.join(', ') || 'all assets'),
    cell(policy.piiColumns.join(', ') || 'all marked columns'),
    String(markCount(report, policy.name)),
    String(breachCount(report, policy.name)),
    cell(policy.rule),
  ])
  const titles = ['policy', 'enforcement', 'applies to', 'about', 'marks', 'breaches', 'rule']
  return rows.length === 0 ? [] : ['## Policies', '', ...table(titles, rows)]
}

function markSection(report: PolicyReport, mark: ReportedMark): string[] {
  const by = mark.isDeclared ? 'Marked in its file' : 'Named by a policy'
  const about = mark.policies.length === 0 ? 'no policy is about it' : `policies: ${mark.policies.join(', ')}`
  return [
    `## ${code(markName(mark.root))}`,
    '',
    `${by}, ${code(report.placeOf(mark.root))}; ${cell(about)}.`,
    '',
    ...table(['flows to', 'grade', 'policies', 'breaches'], mark.flows.map(flowRow)),
    ...table(
      ['ends at', 'because'],
      mark.exemptions.map(each => [code(columnName(each)), code(each.reason)]),
    ),
    ...table(
      ['leaves by', 'destination', 'grade', 'policies', 'breaches'],
      mark.destinations.map(each => {
        const [name = '', ...rest] = flowRow(each)
        return [name, code(each.target), ...rest]
      }),
    ),
    ...table(
      ['shown in', 'kind', 'columns'],
      mark.exposures.map(each => [
        cell(each.name),
        cell(each.type),
        each.columns.map(column => code(columnName({ asset: each.asset, column }))).join(', '),
      ]),
    ),
  ]
}

function flowRow(flow: ReportedFlow): string[] {
  const breaches = flow.breaches.map(name => `**${cell(name)}**`).join(', ')
  return [code(columnName(flow)), flow.grade, cell(flow.policies.join(', ')), breaches]
}

function builds({ builds: found = [], environment }: PolicyReport): string[] {
  if (found.length === 0) return []
  const items = found.map(each => `- ${cell(differenceText(each))}`)
  return [`## What is live in ${cell(environment)} differs until the next run`, '', ...items, '']
}

/** Returns nothing without rows. */
function table(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line), '']
}

function trimmed(lines: readonly string[]): string[] {
  return lines.at(-1) === '' ? lines.slice(0, -1) : [...lines]
}

function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;').trim()
}

function code(text: string): string {
  return `\`${text.replace(/\s+/g, ' ').replaceAll('`', "'").replaceAll('|', '\\|')}\``
}
