/** The hover card of an asset: its kind, its columns, what it reads, its readers, its last run. */
import type { Column } from '../../analysis.ts'
import { inheritedKeys, inheritedValue } from '../../project/folder-defaults.ts'
import type { Asset } from '../../project/project.ts'
import type { Freshness } from '../../schema/definition.ts'
import { sourceKindOf } from '../../sources/index.ts'
import { outcomeWord } from '../code-lenses.ts'
import type { Knowledge, LastRun } from '../knowledge.ts'
import { outputColumns } from '../known-columns.ts'
import { asCell, asCode, asCodeCell, asMarkdown, counted, paragraphs, table } from '../markdown.ts'
import { descriptionOf, personalBy, termOfColumn } from './column-facts.ts'
import { secondsText, timeText } from './time-text.ts'

export function assetCard(knowledge: Knowledge, asset: Asset): string {
  const { definition } = asset
  return paragraphs([
    `**${asMarkdown(asset.name)}** · ${kindText(asset)}`,
    definition.description === undefined ? '' : asMarkdown(definition.description),
    labelText(asset),
    inheritedText(knowledge, asset),
    columnTable(knowledge, asset),
    neighbourText(knowledge, asset),
    runText(knowledge.lastRuns.get(asset.name)),
  ])
}

/** Returns the card of the asset, or says why there is none. */
export function assetCardNamed(knowledge: Knowledge, name: string): string {
  const asset = knowledge.project.byName.get(name)
  return asset === undefined ? missingAssetCard(knowledge, name) : assetCard(knowledge, asset)
}

export function missingAssetCard(knowledge: Knowledge, name: string): string {
  const disabled = [...knowledge.project.assets.values()].some(asset => asset.name === name)
  return disabled
    ? `${asCode(name)} is disabled (${asCode('deploy.enabled: false')}): nothing can read it.`
    : knowledge.isWhole === false
      ? `Nothing is known of ${asCode(name)}: the project is still being read, or this file is in none (a project has an ${asCode('svc.yaml')} or a folder ${asCode('models')}).`
      : `There is no asset ${asCode(name)} in this project.`
}

function kindText({ definition }: Asset): string {
  const { ingest, deploy } = definition
  const from = ingest.type === 'none' ? '' : ` from ${sourceKindOf(ingest).inWords}`
  return `${deploy.materialize}${from}${deploy.enabled ? '' : ' · disabled'}`
}

function labelText({ definition }: Asset): string {
  const owner = definition.owner === undefined ? [] : [`owner ${asMarkdown(definition.owner)}`]
  const tags = definition.tags.length === 0 ? [] : [definition.tags.map(asCode).join(' ')]
  return [...owner, ...tags].join(' · ')
}

/** Tells what comes from `defaults`, and from which pattern. */
function inheritedText({ project }: Knowledge, asset: Asset): string {
  if (asset.inherited === undefined) return ''
  const keys = inheritedKeys(asset, project.settings).map(
    key => `- ${asCode(`${key.path.join('.')}: ${inheritedValue(key.node)}`)} from ${asCode(key.pattern)}`,
  )
  return keys.length === 0
    ? ''
    : [`Inherited from ${asCode('defaults')} in ${asCode('svc.yaml')}:`, '', ...keys].join('\n')
}

// ---------------------------------------------------------------- columns

const mostColumns = 40

function columnTable(knowledge: Knowledge, asset: Asset): string {
  const columns = outputColumns(knowledge, asset)
  const analysis = knowledge.analysis.of(asset.name)
  if (columns.length === 0)
    return `*Columns of ${asCode(asset.name)} are not known yet: ${whyUnknown(knowledge, asset)}.*`
  const shown = columns.slice(0, mostColumns).map(column => columnRow(knowledge, asset, column))
  const more = columns.length - shown.length
  return paragraphs([
    table(['column', 'type', 'meaning'], shown),
    more > 0 ? `*and ${counted(more, 'column')} more*` : '',
    analysis?.complete === false ? `*There may be more columns: ${whyUnknown(knowledge, asset)}.*` : '',
  ])
}

function columnRow(knowledge: Knowledge, asset: Asset, { name, type }: Column): readonly string[] {
  const origin = { asset: asset.name, column: name }
  const term = termOfColumn(knowledge, origin)?.term.name
  const marks = [
    personalBy(knowledge, origin).length > 0 ? '**personal**' : '',
    term === undefined ? '' : `*${asCell(term)}*`,
    asCell(descriptionOf(knowledge, origin)?.text ?? ''),
  ]
  return [
    asCodeCell(name),
    type === undefined ? '?' : asCodeCell(type),
    marks.filter(mark => mark !== '').join(' · '),
  ]
}

export function whyUnknown(knowledge: Knowledge, asset: Asset): string {
  const analysis = knowledge.analysis.of(asset.name)
  if (asset.sql === undefined) return 'it has no SQL'
  if (analysis === undefined) return 'the project is still being read'
  if (analysis.diagnostics.some(({ severity }) => severity === 'error')) return 'its SQL has errors'
  const { ingest } = asset.definition
  const isOpen = knowledge.sources.get(asset.name)?.every(({ complete }) => complete) !== true
  if (ingest.type !== 'none' && isOpen) {
    return `its source was not loaded yet (${asCode(`svc run ${asset.name}`)} does, ${asCode('contract.columns')} can tell them)`
  }
  const parents = knowledge.project.parents(asset.name)
  if (parents.every(name => knowledge.analysis.of(name)?.complete === true))
    return `the data decide which there are (${asCode(`svc run ${asset.name}`)} finds out)`
  return 'they depend on assets whose columns are not known'
}

// ---------------------------------------------------------------- around it

function neighbourText({ project }: Knowledge, asset: Asset): string {
  const { definition } = asset
  const parts = [
    `reads ${listed(project.parents(asset.name))}`,
    `read by ${listed(project.children(asset.name))}`,
    ...(definition.tests.length === 0 ? ['no tests'] : [counted(definition.tests.length, 'test')]),
    ...(definition.exposures.length === 0 ? [] : [counted(definition.exposures.length, 'exposure')]),
    ...(definition.freshness === undefined ? [] : [freshnessText(definition.freshness)]),
  ]
  return parts.join(' · ')
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'nothing'
  const shown = names.slice(0, 4).map(asCode).join(', ')
  return names.length > 4 ? `${shown} and ${names.length - 4} more` : shown
}

function freshnessText({ warnAfterMs, errorAfterMs }: Freshness): string {
  const parts = [
    ...(warnAfterMs === undefined ? [] : [`warning after ${durationText(warnAfterMs)}`]),
    ...(errorAfterMs === undefined ? [] : [`error after ${durationText(errorAfterMs)}`]),
  ]
  return parts.join(', ')
}

function durationText(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ] as const
  const unit = units.find(([name, size]) => ms % size === 0 && !(name === 'd' && ms === size))
  return unit === undefined ? `${ms}ms` : `${ms / unit[1]}${unit[0]}`
}

function runText(run: LastRun | undefined): string {
  if (run === undefined) return ''
  const parts = [
    outcomeWord(run.status),
    ...(run.rows === undefined || run.status !== 'deployed' ? [] : [counted(run.rows, 'row')]),
    ...(run.seconds === undefined ? [] : [`in ${secondsText(run.seconds)}`]),
    ...(run.finishedAt === undefined ? [] : [timeText(run.finishedAt)]),
  ]
  const again = run.repaired === undefined ? '' : `\n\nThat run made it again: ${asMarkdown(run.repaired)}.`
  return `Last run in ${asCode(run.environment)}: ${asMarkdown(parts.join(', '))}${again}`
}
