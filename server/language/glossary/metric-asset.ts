/**
 * The metrics of the glossary as the catalogue binds them: each like an asset whose SQL is in `glossary.yaml`. The file
 * has them under no name of an asset, so nothing can read one.
 */
import type { Engine } from '../engines/engine.ts'
import { getOrInsertComputed } from '../get-or-insert.ts'
import { noOwnTests } from '../own-tests/own-test.ts'
import { nodeAt } from '../project/locate.ts'
import { parseAsset } from '../project/parse-asset.ts'
import type { Asset, Project } from '../project/project.ts'
import { movedTag } from '../syntax/macro-call.ts'
import type { SqlTemplate, Tag } from '../syntax/template.ts'
import type { PositionMap } from '../text/range.ts'
import { type Glossary, glossaryPath, type Metric } from './glossary.ts'
import { isWholeQuery } from './metric-query.ts'

/** The name under which an analysis has a metric. No asset can have it. */
export function metricKey({ index }: Metric): string {
  return `${keyStart}${index}`
}

const keyStart = 'metric '

export function isMetricKey(name: string): boolean {
  return name.startsWith(keyStart)
}

/** What a cache calls the file of an asset. Metrics share a file, and each has a place of its own in the cache. */
export function cachePath({ name, path }: Pick<Asset, 'name' | 'path'>): string {
  return path === glossaryPath ? `${path} ${name}` : path
}

const known = new WeakMap<Glossary, ReadonlyMap<string, Asset>>()

/** By `metricKey`; without those whose SQL is empty, or has tags that only an asset may use. */
export function metricAssets({
  glossary,
  engine,
}: Pick<Project, 'glossary' | 'engine'>): ReadonlyMap<string, Asset> {
  return getOrInsertComputed(
    known,
    glossary,
    () => new Map(assetsOf(glossary, engine).map(asset => [asset.name, asset])),
  )
}

const knownFiles = new WeakMap<Glossary, Asset>()

/** The file as one whose SQL an editor reads: its blocks are those of all metrics. Undefined if it has no metrics. */
export function glossaryAsset({ glossary, engine }: Pick<Project, 'glossary' | 'engine'>): Asset | undefined {
  const { file, metrics } = glossary
  if (file === undefined || metrics.length === 0) return undefined
  const { text, tree } = file
  return getOrInsertComputed(knownFiles, glossary, () => ({ ...blankAsset(engine), text, tree, name: '' }))
}

function blankAsset(engine: Engine): Asset {
  return {
    ...parseAsset(glossaryPath, 'ingest: none\n', { engine, defaults: [], ownTests: noOwnTests }, () => ''),
    refs: [],
    diagnostics: [],
  }
}

function assetsOf({ metrics, file }: Glossary, engine: Engine): readonly Asset[] {
  const queries = metrics.flatMap(metric => {
    const sql = metricTemplate(metric)
    return sql === undefined ? [] : [{ metric, sql }]
  })
  if (queries.length === 0 || file === undefined) return []
  const blank = blankAsset(engine)
  return queries.map(({ metric, sql }): Asset => {
    const range = nodeAt(file.tree, ['metrics', metric.index, 'sql_definition'])?.range ?? metric.range
    // All that a place in the file depends on, and the SQL.
    const textHash = `${range.start} ${file.text.slice(range.start, range.end)}\n${sql.text}`
    const own = { name: metricKey(metric), text: file.text, textHash, tree: file.tree, sql }
    return { ...blank, ...own }
  })
}

/** The query that is computed; undefined if there is none that could be checked. */
function metricTemplate(metric: Metric): SqlTemplate | undefined {
  const { sql } = metric
  if (sql === undefined || sql.tags.some(({ kind }) => kind !== 'ref' && kind !== 'var')) return undefined
  if (isWholeQuery(sql.text)) return sql
  const [asset, ...others] = metric.sourceAssets
  return asset === undefined || others.length > 0 ? undefined : overAsset(sql, asset)
}

const head = 'SELECT '

/** The SQL around an expression has no place in the file: it maps to the ends of the expression. */
function overAsset({ text, tags, toFile }: SqlTemplate, asset: string): SqlTemplate {
  const before = `${head}${text}\nFROM `
  const tag = `{{ ref('${asset}') }}`
  const start = before.length
  const nameStart = start + tag.indexOf("'") + 1
  const ref: Tag = {
    kind: 'ref',
    name: asset,
    range: { start, end: start + tag.length },
    nameRange: { start: nameStart, end: nameStart + asset.length },
  }
  return {
    text: before + tag,
    tags: [...tags.map(each => movedTag(each, head.length)), ref],
    toFile: shifted(toFile, head.length, text.length),
  }
}

function shifted(map: PositionMap, by: number, length: number): PositionMap {
  const inside = (offset: number): number => Math.min(Math.max(offset - by, 0), length)
  return {
    toOriginal: offset => map.toOriginal(inside(offset)),
    rangeToOriginal: ({ start, end }) => map.rangeToOriginal({ start: inside(start), end: inside(end) }),
  }
}
