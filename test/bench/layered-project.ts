/**
 * A synthetic project of any size: five layers of models over twenty sources. A model reads one to three others (the
 * first one from the layer below), has a CTE, LEFT JOINs and eight columns; every fifth one aggregates; each has a
 * description and two tests. The same size gives the same project everywhere.
 */
import { between, randomFrom } from './random.ts'

export interface Model {
  readonly name: string
  readonly layer: number
  /** Names of sources or models, the main one first. */
  readonly reads: readonly string[]
  readonly aggregates: boolean
  readonly secondTest: 'unique' | 'accepted_values'
  readonly index: number
}

export const sourceCount = 20
export const sourceRows = 1_000
export const layerCount = 5

/** Columns of every source and every model. */
export const columnTypes = {
  id: 'bigint',
  k1: 'bigint',
  k2: 'bigint',
  name: 'varchar',
  status: 'varchar',
  amount: 'double',
  qty: 'bigint',
  ts: 'timestamp',
} as const

export const columns: readonly string[] = Object.keys(columnTypes)
export const statuses = ['a', 'b', 'c', 'd'] as const

export function sourceName(index: number): string {
  return `src_${String(index).padStart(2, '0')}`
}

/** `count` models in build order; a multiple of five gives layers of equal size. */
export function layeredModels(count: number): readonly Model[] {
  const random = randomFrom(42)
  const layerSize = Math.max(1, Math.floor(count / layerCount))
  return Array.from({ length: count }, (_, index) => {
    const layer = Math.min(Math.floor(index / layerSize), layerCount - 1)
    return {
      index,
      name: modelName(index),
      layer,
      reads:
        layer === 0
          ? sourcesRead(random, 1 + (index % 3))
          : modelsRead(random, layer, layerSize, 1 + (index % 3)),
      aggregates: index % 5 === 4,
      secondTest: index % 2 === 0 ? 'unique' : 'accepted_values',
    }
  })
}

/** The SQL of a model; `relation` says how a source or model is written. */
export function modelSql(model: Model, relation: (name: string) => string): string {
  const [main = '', ...joined] = model.reads.map(relation)
  const joins = joined.map((name, at) => `\nLEFT JOIN ${name} AS j${at + 1} ON b.id = j${at + 1}.id`).join('')
  return `WITH base AS (
  SELECT ${columns.join(', ')}
  FROM ${main}
  WHERE id IS NOT NULL AND qty >= ${(model.index % 3) - 3}
)
SELECT
${selectList(model, joined.length)}
FROM base AS b${joins}${model.aggregates ? '\nGROUP BY b.id' : ''}`
}

/** One row of source `source`, as text. */
export function sourceRow(source: number, row: number): readonly string[] {
  const time = `${String(Math.floor(row / 60) % 24).padStart(2, '0')}:${String(row % 60).padStart(2, '0')}`
  return [
    String(row),
    String((row * 7 + source) % 100),
    String((row * 13 + source) % 10),
    `name_${(row * (source + 3)) % 1000}`,
    statuses[(row + source) % 4] ?? 'a',
    String(((row * (source + 1)) % 9973) / 7),
    String((row + source) % 50),
    `2024-01-01 ${time}:00`,
  ]
}

/** Indexes of the model and of all that read it, near or far. */
export function descendants(models: readonly Model[], index: number): ReadonlySet<number> {
  const touched = new Set([index])
  const names = new Set([modelName(index)])
  for (const model of models) {
    if (!model.reads.some(name => names.has(name))) continue
    touched.add(model.index)
    names.add(model.name)
  }
  return touched
}

function modelName(index: number): string {
  return `m_${String(index).padStart(5, '0')}`
}

function sourcesRead(random: () => number, count: number): readonly string[] {
  const chosen = new Set<string>()
  while (chosen.size < count) chosen.add(sourceName(between(random, 0, sourceCount)))
  return [...chosen]
}

function modelsRead(
  random: () => number,
  layer: number,
  layerSize: number,
  count: number,
): readonly string[] {
  const chosen = new Set([modelName(between(random, (layer - 1) * layerSize, layer * layerSize))])
  for (let more = 1; more < count; more++) chosen.add(modelName(between(random, 0, layer * layerSize)))
  return [...chosen]
}

function selectList(model: Model, joinCount: number): string {
  const joins = Array.from({ length: joinCount }, (_, at) => at + 1)
  const status =
    joinCount === 0 ? 'b.status' : `COALESCE(${joins.map(at => `j${at}.status`).join(', ')}, b.status)`
  const amount = ['b.amount', ...joins.map(at => `COALESCE(j${at}.amount, 0) * 0.${at}`)].join(' + ')
  const of = (wrap: (name: string, value: string) => string) => [
    '  b.id AS id',
    `  ${wrap('MAX', 'b.k1')} AS k1`,
    `  ${wrap('MIN', 'b.k2')} AS k2`,
    `  ${model.aggregates ? 'MAX(b.name)' : 'UPPER(b.name)'} AS name`,
    `  ${wrap('MAX', status)} AS status`,
    `  ${wrap('SUM', amount)} AS amount`,
    `  CAST(${wrap('SUM', 'b.qty')} AS BIGINT) AS qty`,
    `  ${wrap('MAX', 'b.ts')} AS ts`,
  ]
  return of(model.aggregates ? (name, value) => `${name}(${value})` : (_, value) => value).join(',\n')
}
