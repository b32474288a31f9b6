/** Writes the synthetic project as an `svc` project, or as bare statements for DuckDB alone. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  columns,
  columnTypes,
  layeredModels,
  type Model,
  modelSql,
  sourceCount,
  sourceName,
  sourceRow,
  sourceRows,
  statuses,
} from './layered-project.ts'

export interface Statements {
  /** Load the sources from the CSV files, in the schema `raw`. */
  readonly sources: readonly string[]
  /** In build order, in the schema `mart`. */
  readonly models: readonly {
    readonly name: string
    readonly create: string
    readonly tests: readonly string[]
  }[]
}

/** The types of the sources where the warehouse is PostgreSQL. */
export const postgresTypes = { ...columnTypes, amount: 'double precision' } as const

/** A project of `count` models with its source files in `folder`. */
export function writeSvcProject(folder: string, count: number, postgres?: string): void {
  const warehouse = postgres ?? 'duckdb:./warehouse.duckdb'
  const types = postgres === undefined ? columnTypes : postgresTypes
  write(join(folder, 'svc.yaml'), `name: layered\nwarehouse: ${warehouse}\ndefault_schema: mart\n`)
  writeSources(join(folder, 'data'))
  for (let source = 0; source < sourceCount; source++) {
    write(join(folder, 'models', 'sources', `${sourceName(source)}.svc`), sourceAsset(source, types))
  }
  for (const model of layeredModels(count)) write(modelPath(folder, model), modelAsset(model))
}

/** Where a model's file is: by layer, fifty to a folder. */
export function modelPath(folder: string, model: Model): string {
  const group = `d${String(Math.floor(model.index / 50)).padStart(3, '0')}`
  return join(folder, 'models', `l${model.layer}`, group, `${model.name}.svc`)
}

/** The same work as plain SQL; `dataFolder` holds the source files. Each test counts what is wrong. */
export function plainStatements(dataFolder: string, count: number): Statements {
  const relation = (name: string) => (name.startsWith('src_') ? `raw.${name}` : `mart.${name}`)
  const types = Object.entries(columnTypes).map(([name, type]) => `'${name}': '${type}'`)
  return {
    sources: Array.from({ length: sourceCount }, (_, source) => {
      const file = join(dataFolder, `${sourceName(source)}.csv`)
      return `CREATE TABLE raw.${sourceName(source)} AS FROM read_csv('${file}', columns = {${types.join(', ')}})`
    }),
    models: layeredModels(count).map(model => ({
      name: relation(model.name),
      create: `CREATE TABLE ${relation(model.name)} AS ${modelSql(model, relation)}`,
      tests: plainTests(model, relation(model.name)),
    })),
  }
}

export function writeSources(folder: string): void {
  for (let source = 0; source < sourceCount; source++) {
    const rows = Array.from({ length: sourceRows }, (_, row) => sourceRow(source, row).join(','))
    write(join(folder, `${sourceName(source)}.csv`), `${[columns.join(','), ...rows].join('\n')}\n`)
  }
}

function sourceAsset(source: number, columnTypes: Readonly<Record<string, string>>): string {
  const types = Object.entries(columnTypes).map(([name, type]) => `    ${name}: ${type}\n`)
  return `name: ${sourceName(source)}
ingest: {type: file, endpoint: ./data, resource: ${sourceName(source)}.csv}
contract:
  columns:
${types.join('')}transform: SELECT ${columns.join(', ')} FROM {{ source }}
`
}

function modelAsset(model: Model): string {
  const sql = modelSql(model, name => `{{ ref('${name}') }}`).replace(/^/gm, '  ')
  const second =
    model.secondTest === 'unique' ? 'unique: id' : `accepted_values: {status: [${statuses.join(', ')}]}`
  return `name: ${model.name}
description: Model ${model.name} of layer ${model.layer}, synthetic
ingest: {type: none}
transform: |
${sql}
tests:
  - not_null: id
  - ${second}
`
}

function plainTests(model: Model, relation: string): readonly string[] {
  const second =
    model.secondTest === 'unique'
      ? `SELECT count(*) FROM (SELECT id FROM ${relation} GROUP BY id HAVING count(*) > 1)`
      : `SELECT count(*) FROM ${relation} WHERE status NOT IN (${statuses.map(status => `'${status}'`).join(', ')})`
  return [`SELECT count(*) FROM ${relation} WHERE id IS NULL`, second]
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
