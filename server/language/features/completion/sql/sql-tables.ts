/**
 * Offers tables: assets, the source, CTEs, table functions. Assets and sources are inserted as template tags.
 */
import type { Asset, Project } from '../../../project/project.ts'
import type { Range } from '../../../text/range.ts'
import type { Knowledge } from '../../knowledge.ts'
import { ctesAt, namedColumns } from '../../sql/tables-in-sight.ts'
import { type ItemList, sortKey } from '../completion.ts'
import { tableFunctionItems } from './sql-functions.ts'
import { mayMatch, type SqlAsk, type SqlItem } from './sql-offer.ts'

/** More than anybody scrolls through; the list is requested again after each letter. */
const mostAssets = 300

export function tablesInSight(ask: SqlAsk): ItemList<SqlItem> {
  const { scope, place } = ask
  const ctes = ctesAt(scope).map(
    ({ cte, columns }, index): SqlItem => ({
      label: cte.name.text,
      kind: 'cte',
      detail: namesOf(namedColumns(columns)),
      insert: place.engine.quoteIfNeeded(cte.name.text),
      sort: sortKey('a', index),
    }),
  )
  const assets = assetItems(ask.knowledge, place.asset, ask.prefix, name => `{{ ref('${name}') }}`)
  const items = [
    ...ctes,
    ...sourceItems(ask),
    ...assets.items,
    ...tableFunctionItems(ask),
    {
      label: '(SELECT …)',
      kind: 'snippet',
      insert: '(SELECT $1)$0',
      isSnippet: true,
      sort: sortKey('h'),
      filter: '(SELECT',
    } as const,
  ]
  return { items, isIncomplete: assets.isIncomplete || ask.knowledge.functions.size === 0 }
}

/** Offers `{{ source }}` and its child tables, if the asset has a source. */
function sourceItems({ knowledge, place }: SqlAsk): readonly SqlItem[] {
  const { asset } = place
  const isTest = place.block.path[0] === 'tests'
  const own: SqlItem[] = isTest
    ? [
        {
          label: 'this',
          kind: 'tag',
          detail: 'the asset itself',
          insert: '{{ this }}',
          sort: sortKey('a', 900),
        },
      ]
    : []
  return [
    ...own,
    ...sourceNames(knowledge, asset).map(({ child, detail }, index): SqlItem => {
      const tag = sourceTag(child)
      return {
        label: tag,
        kind: 'source',
        detail,
        insert: `{{ ${tag} }}`,
        sort: sortKey('a', 910 + index),
        filter: child ?? 'source',
      }
    }),
  ]
}

interface SourceName {
  /** Undefined for the source itself. */
  readonly child: string | undefined
  readonly detail: string
}

export function sourceTag(child: string | undefined): string {
  return child === undefined ? 'source' : `source('${child}')`
}

export function sourceNames(knowledge: Knowledge, asset: Asset): readonly SourceName[] {
  if (asset.definition.ingest.type === 'none') return []
  const tables = knowledge.sources.get(asset.name) ?? []
  const children = tables.flatMap(({ child, columns }): SourceName[] => {
    return child === undefined ? [] : [{ child, detail: namesOf(columns) }]
  })
  return [
    { child: undefined, detail: `the ${asset.definition.ingest.type} source of ${asset.name}` },
    ...children,
  ]
}

/**
 * Offers assets by name. Assets that read this one come last: reading them would be a cycle. `written` turns
 * a name into the inserted text.
 */
export function assetItems(
  knowledge: Knowledge,
  self: Asset | undefined,
  prefix: string,
  written: (name: string) => string,
  range?: Range,
): ItemList<SqlItem> {
  const { project } = knowledge
  const readers = new Set(self === undefined ? [] : project.children(self.name))
  const parents = new Set(self === undefined ? [] : project.parents(self.name))
  const names = namesLike(project, prefix).filter(name => name !== self?.name)
  const items = names.slice(0, mostAssets).map((name, index): SqlItem => {
    const description = firstLine(project.byName.get(name)?.definition.description)
    const group = readers.has(name) ? 'e' : parents.has(name) ? 'b' : 'c'
    const detail = readers.has(name) ? 'reads this asset' : description
    return {
      label: name,
      kind: 'asset',
      ...(detail !== '' && { detail }),
      about: { kind: 'asset', name },
      insert: written(name),
      filter: name,
      sort: sortKey(group, index),
      ...(range !== undefined && { range }),
    }
  })
  return { items, isIncomplete: names.length > mostAssets }
}

/** Puts the names that start with the typed text first, so that the limit never removes them. */
function namesLike(project: Project, prefix: string): readonly string[] {
  const matches: string[] = []
  const others: string[] = []
  for (const name of project.byName.keys()) {
    if (name.toLowerCase().startsWith(prefix)) matches.push(name)
    else if (mayMatch(prefix, name)) others.push(name)
  }
  return [...matches, ...others]
}

function namesOf(columns: readonly { readonly name: string }[]): string {
  return columns.map(({ name }) => name).join(', ')
}

function firstLine(text: string | undefined): string {
  return (text ?? '').trim().split('\n', 1)[0] ?? ''
}
