/** Makes the summary of a project for the extension's trees and pickers. */
import { basename, dirname } from 'node:path/posix'
import { pathToFileURL } from 'node:url'
import { type AssetFacts, assetLook, assetStateOf, assetWords } from '../../contract/verdicts.ts'
import type { LastRun } from '../../language/features/knowledge.ts'
import type { Asset, Diagnostic, Glossary } from '../../language/index.ts'
import { freshnessVerdict, glossaryPath, listsOf } from '../../language/index.ts'
import { rangeAt } from '../convert/positions.ts'
import type { AssetSummary, GlossaryEntry, ProjectSummary } from '../protocol.ts'
import type { Session } from '../session.ts'
import type { LiveProject } from './live-project.ts'

export function summaryOf(session: Session, live: LiveProject): ProjectSummary {
  const { project, lastRuns } = live.knowledge()
  const { settings } = project
  const assets = [...project.assets.values()].map(asset => assetSummary(session, live, asset, lastRuns))
  const all = [...live.published.paths()].flatMap(path => live.published.of(path)?.diagnostics ?? [])
  return {
    root: pathToFileURL(live.root).href,
    name: settings.file === undefined ? basename(live.root) : settings.name,
    environments: [...new Set(['dev', 'prod', ...Object.keys(settings.environments)])],
    assets,
    glossary: glossaryEntries(session, live, project.glossary),
    ...(live.checking !== undefined && { checking: live.checking }),
    problems: { errors: countOf(all, 'error'), warnings: countOf(all, 'warning') },
  }
}

function assetSummary(
  session: Session,
  live: LiveProject,
  asset: Asset,
  lastRuns: ReturnType<LiveProject['knowledge']>['lastRuns'],
): AssetSummary {
  const { definition, name, path } = asset
  const problems = live.published.of(path)?.diagnostics ?? []
  const last = lastRuns.get(name)
  const models = live.project.settings.models
  const folder = dirname(path.slice(models.length))
  return {
    name,
    uri: session.uriOf(live, path),
    layer: folder === '.' ? '' : folder,
    kind: definition.ingest.type === 'none' ? 'model' : 'source',
    description: definition.description ?? '',
    tags: definition.tags,
    ...publishesOf(asset),
    errors: countOf(problems, 'error'),
    warnings: countOf(problems, 'warning'),
    state: stateOf(countOf(problems, 'error'), last, Date.now()),
    lastRun: last && {
      environment: last.environment,
      status: last.status,
      finishedAt: last.finishedAt,
      rows: last.rows,
    },
  }
}

function publishesOf({ definition }: Asset): Pick<AssetSummary, 'publishes'> {
  const publishes = Object.keys(definition.publish)
  return publishes.length === 0 ? {} : { publishes }
}

/** Returns the word for the asset, as every page has it. */
export function stateOf(errors: number, last: LastRun | undefined, nowMs: number): AssetSummary['state'] {
  const freshness = freshnessOf(last, nowMs)
  const state = assetStateOf({
    last: lastOf(last?.status),
    isLive: last?.isLive === true,
    errors,
    isGone: last?.gone !== undefined,
    freshness,
    // A warning of a publish is about what was sent.
    warnings: (last?.warnings ?? []).filter(({ target }) => target === undefined).length,
  })
  return { word: assetWords(state, freshness), role: assetLook(state, freshness).role }
}

function lastOf(status: string | undefined): AssetFacts['last'] {
  return status === 'deployed' || status === 'Failed' || status === 'skipped' ? status : null
}

function freshnessOf(last: LastRun | undefined, nowMs: number): AssetFacts['freshness'] {
  const { freshness } = last ?? {}
  if (freshness === undefined) return null
  const { loadedAt, newestRow } = freshness
  const ageOf = (time: string) => nowMs - Date.parse(time)
  const row = newestRow === undefined ? [] : [newestRow === null ? undefined : ageOf(newestRow)]
  return freshnessVerdict([ageOf(loadedAt), ...row], freshness)
}

function countOf(diagnostics: readonly Diagnostic[], severity: Diagnostic['severity']): number {
  return diagnostics.filter(each => each.severity === severity).length
}

function glossaryEntries(session: Session, live: LiveProject, glossary: Glossary): GlossaryEntry[] {
  const text = glossary.file?.text ?? ''
  const uri = session.uriOf(live, glossaryPath)
  return listsOf(glossary).flatMap(([kind, entries]) =>
    entries.map(({ id, name, description, range }) => ({
      kind,
      name,
      description,
      uri,
      range: rangeAt(text, range),
      links: kind === 'term' ? linksTo(glossary, [id, name]) : [],
    })),
  )
}

function linksTo({ links }: Glossary, names: readonly string[]): string[] {
  return links
    .filter(({ term }) => names.includes(term))
    .map(({ asset, column }) => (column === undefined ? asset : `${asset}.${column}`))
}
