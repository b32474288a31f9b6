/** The synthetic project as dbt and SQLMesh want it: the same SQL, the same descriptions, the same two tests a model. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  columnTypes,
  layeredModels,
  type Model,
  modelSql,
  sourceCount,
  sourceName,
  statuses,
} from './layered-project.ts'

const values = statuses.map(status => `'${status}'`).join(', ')
const sources = Array.from({ length: sourceCount }, (_, source) => sourceName(source))

export function writeDbtProject(folder: string, count: number, threads: number): void {
  const models = layeredModels(count)
  write(
    join(folder, 'dbt_project.yml'),
    `name: layered
version: '1.0'
profile: layered
model-paths: [models]
flags: {send_anonymous_usage_stats: false, version_check: false}
models: {layered: {+materialized: table}}
`,
  )
  write(
    join(folder, 'profiles.yml'),
    `layered:
  target: prod
  outputs:
    prod: {type: duckdb, path: warehouse.duckdb, schema: mart, threads: ${threads}}
`,
  )
  const tables = sources.map(name => `      - name: ${name}\n`).join('')
  write(
    join(folder, 'models', 'sources.yml'),
    `version: 2\nsources:\n  - name: raw\n    schema: raw\n    tables:\n${tables}`,
  )
  const reference = (name: string) =>
    name.startsWith('src_') ? `{{ source('raw', '${name}') }}` : `{{ ref('${name}') }}`
  for (const model of models) write(sqlPath(folder, model), `${modelSql(model, reference)}\n`)
  for (const [path, group] of byFolder(folder, models)) {
    write(join(path, 'schema.yml'), `version: 2\nmodels:\n${group.map(dbtModel).join('')}`)
  }
}

export function writeSqlmeshProject(folder: string, count: number, threads: number): void {
  write(
    join(folder, 'config.yaml'),
    `gateways:
  local:
    connection: {type: duckdb, database: warehouse.duckdb, concurrent_tasks: ${threads}}
default_gateway: local
model_defaults: {dialect: duckdb, start: '2024-01-01'}
disable_anonymized_analytics: true
`,
  )
  const columns = Object.entries(columnTypes).map(([name, type]) => `    ${name}: ${type}\n`)
  write(
    join(folder, 'external_models.yaml'),
    sources.map(name => `- name: raw.${name}\n  columns:\n${columns.join('')}`).join(''),
  )
  const reference = (name: string) => (name.startsWith('src_') ? `raw.${name}` : `mart.${name}`)
  for (const model of layeredModels(count)) {
    write(sqlPath(folder, model), `${sqlmeshHead(model)}\n${modelSql(model, reference)}\n`)
  }
}

/** By layer, fifty to a folder, as our own. */
export function sqlPath(folder: string, model: Model): string {
  const group = `d${String(Math.floor(model.index / 50)).padStart(3, '0')}`
  return join(folder, 'models', `l${model.layer}`, group, `${model.name}.sql`)
}

function dbtModel(model: Model): string {
  const second =
    model.secondTest === 'unique'
      ? '          - unique\n'
      : `      - name: status
        data_tests:
          - accepted_values: {arguments: {values: [${values}]}}
`
  return `  - name: ${model.name}
    description: Model ${model.name} of layer ${model.layer}, synthetic
    columns:
      - name: id
        data_tests:
          - not_null
${second}`
}

function sqlmeshHead(model: Model): string {
  const second =
    model.secondTest === 'unique'
      ? 'unique_values(columns := (id))'
      : `accepted_values(column := status, is_in := (${values}))`
  return `MODEL (
  name mart.${model.name},
  kind FULL,
  description 'Model ${model.name} of layer ${model.layer}, synthetic',
  audits (not_null(columns := (id)), ${second})
);
`
}

function byFolder(folder: string, models: readonly Model[]): ReadonlyMap<string, readonly Model[]> {
  const groups = new Map<string, Model[]>()
  for (const model of models) {
    const path = dirname(sqlPath(folder, model))
    const group = groups.get(path) ?? []
    groups.set(path, group)
    group.push(model)
  }
  return groups
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
