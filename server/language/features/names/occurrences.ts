/** Finds every place of a file that names something that the editor can describe. */

import { getOrInsertComputed } from '../../get-or-insert.ts'
import { glossaryPath } from '../../glossary/glossary.ts'
import { glossaryAsset } from '../../glossary/metric-asset.ts'
import { findTerm } from '../../glossary/terms.ts'
import { groupBy } from '../../lists.ts'
import { asWritten } from '../../macros/expand-asset.ts'
import { oncePer } from '../../once.ts'
import { settingsPath } from '../../project/parse-settings.ts'
import type { Asset } from '../../project/project.ts'
import { templatesOf } from '../../project/templates.ts'
import type { Target } from '../../sql/binder/model.ts'
import { type SqlTemplate, withNested } from '../../syntax/template.ts'
import { isWithin, type Range } from '../../text/range.ts'
import type { Knowledge } from '../knowledge.ts'
import { boundBlocks } from '../sql/bound-sql.ts'
import { glossaryOccurrences } from './glossary-occurrences.ts'
import { listedColumns } from './listed-columns.ts'
import { callsOfAsset, macroOccurrences } from './macro-occurrences.ts'
import { fileRange, transformOf } from './mentions.ts'
import { ownTestOccurrences, ownTestUses } from './own-test-occurrences.ts'
import { settingsOccurrences } from './settings-occurrences.ts'
import { type Occurrence, reads, subjectKey, subjectOf } from './subjects.ts'
import { unitCteMentions } from './unit-occurrences.ts'
import { yamlOccurrences } from './yaml-occurrences.ts'

const filesOf = oncePer((_: Knowledge) => new Map<string, readonly Occurrence[]>())

/** Returns the occurrences in text order; none for a file that the project does not have. */
export function occurrencesIn(knowledge: Knowledge, path: string): readonly Occurrence[] {
  return getOrInsertComputed(filesOf(knowledge), path, () => inTextOrder(findIn(knowledge, path)))
}

const byKey = oncePer((all: readonly Occurrence[]) => groupBy(all, ({ subject }) => subjectKey(subject)))

/** Returns the occurrences of the subjects with these keys, in text order. */
export function occurrencesOf(
  knowledge: Knowledge,
  path: string,
  keys: ReadonlySet<string>,
): readonly Occurrence[] {
  const lookup = byKey(occurrencesIn(knowledge, path))
  const lists = [...keys].map(key => lookup.get(key) ?? [])
  return lists.length === 1 ? (lists[0] ?? []) : inTextOrder(lists.flat())
}

/**
 * Returns the occurrence that touches an offset: the narrowest, and among equal ones the one that starts
 * there.
 */
export function occurrenceAt(knowledge: Knowledge, path: string, offset: number): Occurrence | undefined {
  const touching = occurrencesIn(knowledge, path).filter(({ range }) => isWithin(range, offset))
  return touching.sort(
    (a, b) => length(a) - length(b) || Number(b.range.start === offset) - Number(a.range.start === offset),
  )[0]
}

/** Returns all occurrences at a place: a column that is listed without an alias is a use and a definition. */
export function occurrencesAt(knowledge: Knowledge, path: string, offset: number): readonly Occurrence[] {
  const nearest = occurrenceAt(knowledge, path, offset)
  if (nearest === undefined) return []
  const { start, end } = nearest.range
  const all = occurrencesIn(knowledge, path).filter(({ range }) => range.start === start && range.end === end)
  return [nearest, ...all.filter(other => other !== nearest)]
}

function length({ range }: Occurrence): number {
  return range.end - range.start
}

function findIn(knowledge: Knowledge, path: string): readonly Occurrence[] {
  if (path === settingsPath) return settingsOccurrences(knowledge.project.settings)
  if (path === glossaryPath) {
    const metrics = glossaryAsset(knowledge.project)
    const inSql = metrics === undefined ? [] : sqlOccurrences(knowledge, metrics)
    return [...glossaryOccurrences(knowledge.project), ...inSql]
  }
  const macros = knowledge.project.macros.files.get(path)
  if (macros !== undefined) return macroOccurrences(macros)
  const asset = knowledge.project.assets.get(path)
  if (asset === undefined) return ownTestOccurrences(knowledge.project.settings.ownTests.files.get(path))
  return [
    ...yamlOccurrences(asset, written => findTerm(knowledge.glossary, written)?.id),
    ...ownTestUses(asset),
    ...tagOccurrences(asset),
    ...sqlOccurrences(knowledge, asset),
    ...cteOccurrences(knowledge, asset),
  ]
}

function inTextOrder(list: readonly Occurrence[]): readonly Occurrence[] {
  return [...list].sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end)
}

/** Returns the occurrences of `{{ ref('x') }}`, `{{ var('x') }}` and `{{ source('x') }}`. */
function tagOccurrences(given: Asset): readonly Occurrence[] {
  const asset = asWritten(given)
  const refs = asset.refs
    .filter(({ isElsewhere }) => isElsewhere !== true)
    .map(({ range, name }) => reads(range, { kind: 'asset', name }))
  const written = templatesOf(asset).filter(({ elsewhere }) => elsewhere === undefined)
  return [...refs, ...callsOfAsset(asset), ...written.flatMap(template => otherTags(asset, template))]
}

function otherTags(asset: Asset, template: SqlTemplate): readonly Occurrence[] {
  return withNested(template.tags).flatMap((tag): readonly Occurrence[] => {
    const place = (range: Range) => template.toFile.rangeToOriginal(range)
    if (tag.kind === 'var') return [reads(place(tag.nameRange), { kind: 'var', name: tag.name })]
    if (tag.kind !== 'source' || tag.child === undefined || tag.nameRange === undefined) return []
    return [reads(place(tag.nameRange), { kind: 'child', asset: asset.name, child: tag.child })]
  })
}

function cteOccurrences(knowledge: Knowledge, asset: Asset): readonly Occurrence[] {
  const transform = transformOf(knowledge, asset)
  return unitCteMentions(asset, transform).flatMap(({ range, target }) =>
    transform === undefined ? [] : [reads(range, subjectOf(transform, target))],
  )
}

function sqlOccurrences(knowledge: Knowledge, asset: Asset): readonly Occurrence[] {
  return boundBlocks(knowledge, asset).flatMap(named => [
    ...named.bound.mentions
      .filter(({ target }) => isOne(target))
      .map(({ span, target, role }) => ({
        range: fileRange(named, span),
        subject: subjectOf(named, target),
        role,
      })),
    ...listedColumns(named),
  ])
}

/** Returns false if the name may mean any of several columns, which only the data or the engine can tell. */
function isOne(target: Target): boolean {
  return target.kind !== 'column' || (target.column.spread === undefined && target.column.name !== '')
}
