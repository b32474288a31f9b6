/** Renders a plan as a comment on a pull request in GitHub's Markdown: changes first, details folded. */

import type { Engine } from '@svc/server/language'
import { driftText } from '../engine/ingest/source-drift.ts'
import type { ColumnChange, Plan, PlannedAsset } from '../engine/plan/plan.ts'
import type { SourceDrift } from '../engine/workspace/contract-checks.ts'
import { isOfPolicy } from '../engine/workspace/file-warnings.ts'
import { diffText, keyChanges, sqlDiff } from './definition-diff.ts'
import { countOf } from './numbers.ts'
import {
  breaksOf,
  changesOf,
  columnList,
  type PlanReport,
  placeOf,
  reachTexts,
  type TextOf,
  workSentence,
} from './plan.ts'
import { grantFacts, grantsOf } from './plan-grants.ts'
import { brokenContracts } from './plan-head.ts'
import { repairItems } from './plan-repairs.ts'
import { markText } from './plan-warnings.ts'
import { toldSentences } from './told-changes.ts'

const words = {
  new: '🆕 new',
  modified: '✏️ modified',
  rebuilt: '🔁 rebuilt',
  volatile: '🔁 volatile',
  removed: '🗑️ removed',
  reused: 'reused',
} as const

export function renderPlanMarkdown(report: PlanReport, textOf: TextOf): string[] {
  const { plan } = report
  const changing = plan.assets.filter(asset => asset.change !== 'reused')
  return [
    `### Plan for \`${plan.environment}\`: ${headline(report, changing)}`,
    '',
    ...breakLines(plan, textOf),
    ...refusalLines(report),
    ...contractLines(report),
    ...repairsOf(report),
    ...driftLines(report, textOf),
    ...fileItems(report),
    ...privacyItems(report),
    ...grantItems(plan),
    ...table(changing),
    ...changing.flatMap(asset => details(asset, plan.engine)),
    ...reach(plan),
    ...reusedLine(plan, changing.length),
    ...toldSentences(plan).flatMap(text => [text, '']),
    `${workSentence(plan)}`,
  ]
}

function headline(report: PlanReport, changing: readonly PlannedAsset[]): string {
  const counts = (['new', 'modified', 'rebuilt', 'volatile', 'removed'] as const).flatMap(change => {
    const count = changing.filter(asset => asset.change === change).length
    return count === 0 ? [] : [`${count} ${change}`]
  })
  const breaks = changesOf(breaksOf(report.plan))
  const broken = brokenContracts(report)
  const refused = report.refusals?.length ?? 0
  const all = [
    ...counts,
    ...(breaks === 0 ? [] : [`**${countOf(breaks, 'breaking change')}**`]),
    ...(refused === 0 ? [] : [`**${countOf(refused, 'refusal')}**`]),
    ...(broken === 0 ? [] : [`**${countOf(broken, 'broken contract')}**`]),
  ]
  if (all.length > 0) return all.join(', ')
  return grantsOf(report.plan).length > 0 ? 'grants change' : 'nothing changes'
}

function breakLines(plan: Plan, textOf: TextOf): string[] {
  const breaks = breaksOf(plan)
  if (breaks.length === 0) return []
  const items = breaks.map(
    each =>
      `> - \`${placeOf(each.breakage, textOf)}\` reads ${code(`${each.source}.${each.change.column}`)}, which ${each.change.kind === 'removed' ? 'goes away' : 'changes its type'}`,
  )
  return ['> [!CAUTION]', '> `svc run` refuses until these readers are changed too:', ...items, '']
}

function refusalLines({ refusals = [] }: PlanReport): string[] {
  const items = refusals.map(
    ({ asset, message, hint = '' }) => `> - ${code(asset)}: ${cell(message)}. ${cell(hint)}`,
  )
  if (items.length === 0) return []
  return ['> [!CAUTION]', '> `svc run` refuses to lose what loads have gathered:', ...items, '']
}

function repairsOf({ repairs }: PlanReport): string[] {
  const items = repairItems(repairs)
  return items.length === 0 ? [] : ['Changed in the warehouse, not by svc:', '', ...items, '']
}

function contractLines({ contracts }: PlanReport): string[] {
  const open = contracts.filter(({ status }) => status !== 'kept')
  const items = open.map(
    ({ asset, status, detail }) =>
      `> - ${code(asset)} ${status === 'broken' ? 'breaks its contract' : 'could not be checked'}: ${cell(detail ?? '')}`,
  )
  return open.length === 0 ? [] : ['> [!WARNING]', '> Contracts checked against the sources:', ...items, '']
}

function fileItems({ fileWarnings = [] }: PlanReport): string[] {
  const items = fileWarnings
    .filter(warning => !isOfPolicy(warning))
    .map(({ message, place }) => `> - ${code(place)}: ${cell(message)}`)
  return items.length === 0
    ? []
    : ['> [!WARNING]', '> What the files ask for and a run does not do:', ...items, '']
}

function privacyItems({ fileWarnings = [], marks = [] }: PlanReport): string[] {
  const items = [
    ...fileWarnings
      .filter(isOfPolicy)
      .map(({ asset, message, place }) => `> - ${code(asset ?? place)}: ${cell(message)}`),
    ...marks.map(each => `> - ${code(each.asset)}: ${cell(markText(each))}`),
  ]
  return items.length === 0 ? [] : ['> [!WARNING]', '> Personal data:', ...items, '']
}

function grantItems(plan: Plan): string[] {
  const items = grantsOf(plan).map(each => `> - ${code(each.asset)}: ${cell(grantFacts(each).join('; '))}`)
  return items.length === 0 ? [] : ['> [!NOTE]', '> Who may read production:', ...items, '']
}

function driftLines({ contracts, lastLoads }: PlanReport, textOf: TextOf): string[] {
  const items = [
    ...contracts.flatMap(({ asset, drift }) => drift.map(each => driftItem(asset, each, '', textOf))),
    ...lastLoads.flatMap(({ asset, runId, drift }) =>
      drift.map(each => driftItem(asset, each, ` (between pages, in run ${code(runId)})`, textOf)),
    ),
  ].flat()
  return items.length === 0 ? [] : ['> [!NOTE]', '> Sources have changed:', ...items, '']
}

function driftItem(
  asset: string,
  { change, readers, columns }: SourceDrift,
  where: string,
  textOf: TextOf,
): readonly string[] {
  const places = readers.map(each => `>   - \`${placeOf(each, textOf)}\``)
  const breaks = columns.length === 0 ? '' : `; downstream: ${code(columnList(columns))}`
  return [`> - ${code(asset)}: ${cell(driftText(change))}${where}${breaks}`, ...places]
}

function table(changing: readonly PlannedAsset[]): string[] {
  if (changing.length === 0) return []
  const rows = changing.map(
    asset => `| ${code(asset.name)} | ${words[asset.change]} | ${cell(factsOf(asset).join('; '))} |`,
  )
  return ['| asset | | what changes |', '|---|---|---|', ...rows, '']
}

function factsOf(asset: PlannedAsset): string[] {
  return [
    ...(asset.reason === undefined ? [] : [asset.reason]),
    ...(asset.change === 'new' ? [countOf(asset.columns.length, 'column')] : []),
    ...keyChanges(asset),
    ...asset.columnChanges.map(columnText),
  ]
}

function columnText({ kind, column, fromType, toType }: ColumnChange): string {
  if (kind === 'added') return `+ ${code(column)} ${toType ?? ''}`.trimEnd()
  if (kind === 'removed') return `- ${code(column)}`
  return `${code(column)} ${fromType ?? '?'} → ${toType ?? '?'}`
}

function details(asset: PlannedAsset, engine: Engine): string[] {
  const diff = sqlDiff(asset, engine)
  if (diff.length === 0) return []
  const fence = '`'.repeat(Math.max(3, ...diff.map(({ text }) => (/`+/.exec(text)?.[0].length ?? 0) + 1)))
  return [
    `<details><summary>SQL of ${asset.name}</summary>`,
    '',
    `${fence}diff`,
    ...diff.map(diffText),
    fence,
    '',
    '</details>',
    '',
  ]
}

function reach(plan: Plan): string[] {
  const { exposures, leftBehind } = plan
  const lines = reachTexts(plan).flatMap(text => [cell(text), ''])
  if (exposures.length > 0)
    lines.push(
      `Exposures that will see the change: ${exposures.map(({ name, asset }) => `**${cell(name)}** (${code(asset)})`).join(', ')}.`,
      '',
    )
  if (leftBehind.length > 0) lines.push(`Left on their old builds: ${leftBehind.map(code).join(', ')}.`, '')
  return lines
}

function reusedLine(plan: Plan, changing: number): string[] {
  const reused = plan.assets.length - changing
  return reused === 0 ? [] : [`${countOf(reused, 'asset')} reused: same definition, same inputs.`, '']
}

/** Escapes a name, which may contain any character; a bar would end the cell of a table. */
function code(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll('|', '\\|')}\``
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
}
