/** Renders what an upload stored, or would store. */
import type { ContextPack } from '@svc/server/contract'
import type { HostedTarget } from '../engine/upload/hosted-target.ts'
import type { UploadAnswer } from '../engine/upload/upload.ts'
import { countOf } from './numbers.ts'
import type { Style } from './style.ts'
import { wrap } from './width.ts'

const mostNames = 10
const mostWarnings = 5

interface Sent {
  readonly pack: ContextPack
  readonly target: HostedTarget
}

export function renderUpload(answer: UploadAnswer, { pack, target }: Sent, style: Style): string[] {
  const { upload } = answer
  const place = `project ${target.project} at ${new URL(target.url).host}`
  const counts = [
    countOf(answer.assets_synced, 'asset'),
    countOf(answer.lineage_edges_synced, 'lineage edge'),
    countOf(answer.schemas_synced, 'schema'),
    countOf(answer.tests_synced, 'test'),
  ].join(', ')
  const isDry = upload?.dry_run === true
  const head = isDry ? `Would upload to ${place}` : `Uploaded to ${place}`
  return [
    isDry ? head : style.green(head),
    ...wrap(counts, style.width),
    ...changesLine(answer),
    ...changeLines(answer, style),
    ...warningLines(answer, pack, style),
  ]
}

/** Whether the changes of a dry run break a reader, or a policy that is kept now. */
export function breaksSomething({ changes }: UploadAnswer): boolean {
  if (changes === undefined) return false
  return changes.breaking.length > 0 || changes.policies.some(policy => newBreaches(policy).length > 0)
}

/** A store that answers with counts alone does not say what has changed. */
function changesLine({ upload }: UploadAnswer): string[] {
  if (upload === undefined) return []
  if (upload.unchanged) return ['Nothing has changed since the last upload.']
  const glossary =
    upload.glossary_synced > 0
      ? `, ${countOf(upload.glossary_synced, 'glossary entry', 'glossary entries')}`
      : ''
  return [`${upload.added} added, ${upload.changed} changed, ${upload.removed} removed${glossary}`]
}

/** Renders the changes of a dry run. */
function changeLines({ changes }: UploadAnswer, style: Style): string[] {
  if (changes === undefined) return []
  const names = (what: string, list: readonly string[]) =>
    list.length === 0 ? [] : wrap(`${what}: ${some(list)}`, style.width)
  return [
    ...names('added', changes.added),
    ...names(
      'changed',
      changes.changed.map(each => each.asset),
    ),
    ...names('removed', changes.removed),
    ...changes.breaking.slice(0, mostNames).flatMap(each => breakingLines(each, style)),
    ...more(changes.breaking.length, mostNames, 'breaking change'),
    ...changes.policies.flatMap(policy => policyLines(policy, style)),
  ]
}

type Breaking = NonNullable<UploadAnswer['changes']>['breaking'][number]

function breakingLines({ asset, column, change, old, new: now, affected }: Breaking, style: Style): string[] {
  const words = change === 'removed' ? 'goes away' : `${change}: ${String(old)} → ${String(now)}`
  const hit = [
    ...affected.columns.map(each => `${each.asset}.${each.column}`),
    ...affected.assets,
    ...affected.exposures.map(name => `${name} (exposure)`),
  ]
  const who = hit.length === 0 ? 'no known readers' : `hits ${some(hit)}`
  return wrap(`${style.yellow('breaks')} ${asset}.${column} ${words}; ${who}`, style.width)
}

type BrokenPolicy = NonNullable<UploadAnswer['changes']>['policies'][number]

function newBreaches({ breaches }: BrokenPolicy): BrokenPolicy['breaches'] {
  return breaches.filter(each => each.new)
}

function policyLines(policy: BrokenPolicy, style: Style): string[] {
  const { name, breaches } = policy
  const news = newBreaches(policy)
  const columns = news.map(({ asset, column }) => `${asset}.${column}`)
  const old = breaches.length - news.length
  const before = old > 0 ? ` (and ${old} that it already is)` : ''
  return news.length === 0
    ? []
    : wrap(`${style.yellow('policy')} "${name}" is broken by ${some(columns)}${before}`, style.width)
}

function warningLines({ upload }: UploadAnswer, pack: ContextPack, style: Style): string[] {
  const warnings = upload?.warnings ?? []
  return [
    ...warnings
      .slice(0, mostWarnings)
      .flatMap(warning => wrap(`${style.yellow('warning')} ${warningText(warning, pack)}`, style.width)),
    ...more(warnings.length, mostWarnings, 'warning'),
  ]
}

type Warning = NonNullable<UploadAnswer['upload']>['warnings'][number]

/** The store speaks of requests, and says by a pointer into the pack what it means. */
function warningText({ code, detail, pointer }: Warning, pack: ContextPack): string {
  const text =
    code === 'glossary_kept'
      ? 'It was edited in the hosted glossary and stays as it is there: svc glossary pull and push bring the two together, --overwrite-glossary takes the one of glossary.yaml.'
      : detail
  const name = nameAt(pack, (pointer ?? '').replace(/^\/context_pack(?=\/)/, ''))
  return name === undefined ? text : `${name}: ${text}`
}

/** Returns what people call the entry at a pointer: its identifier, its name, or where a link leads. */
function nameAt(pack: ContextPack, pointer: string): string | undefined {
  let value: unknown = pack
  for (const step of pointer.split('/').slice(1)) value = (value as Entry | null | undefined)?.[step]
  const { identifier, id, name, asset, column } = (value ?? {}) as Entry
  const link = typeof asset === 'string' ? [asset, column].filter(part => part != null).join('.') : undefined
  return [identifier, name, id, link].find(each => typeof each === 'string')
}

type Entry = Readonly<Record<string, unknown>>

function some(names: readonly string[]): string {
  const rest = names.length - mostNames
  return [...names.slice(0, mostNames), ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
}

function more(count: number, shown: number, what: string): string[] {
  return count > shown ? [`and ${countOf(count - shown, `more ${what}`)} (--json lists all)`] : []
}
