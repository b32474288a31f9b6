/** Seeds: CSV files that come along, with the types that dbt finds in them. */
import { posix } from 'node:path'
import { toSnakeCase } from '@svc/server/language'
import { Dict, toText } from '../jinja/values.ts'
import type { Plain } from './asset-draft.ts'
import type { Config } from './config.ts'
import { readCsv } from './csv.ts'
import type { DbtProject } from './dbt-project.ts'
import { declaredType } from './dialect.ts'
import { startOf } from './notes.ts'
import type { DbtNode } from './project-index.ts'

export function seedParts(project: DbtProject, node: DbtNode, config: Config) {
  const delimiter = config.text('delimiter') ?? ','
  const { text } = project.files.read(node.path)
  const [header = [], ...rows] = readCsv(text.replace(/^\uFEFF/, ''), delimiter)
  const types = columnTypes(project, header, rows, config)
  const folder = posix.join('seeds', node.of.isRoot ? '' : node.of.name, ...node.folders)
  const name = posix.basename(node.path)
  if (header.length === 0)
    project.notes.add('todo', startOf({ path: node.path, text: '' }), 'the seed is empty')
  // Names of dbt stay as they are; the usual names of svc would differ.
  const naming = header.every(each => toSnakeCase(each) === each.toLowerCase()) ? {} : { naming: 'source' }
  const options = delimiter === ',' ? {} : { options: { delimiter } }
  return {
    ingest: { type: 'file', endpoint: `./${folder}`, resource: name, ...options, ...naming },
    contract: { columns: Object.fromEntries(types) },
    transform: 'SELECT * FROM {{ source }}',
    // Where the file goes, relative to the new project's root.
    file: posix.join(folder, name),
  }
}

function columnTypes(
  project: DbtProject,
  header: readonly string[],
  rows: readonly (readonly string[])[],
  config: Config,
): readonly (readonly [string, Plain])[] {
  const given = config.get('column_types')?.value
  const declared = new Map<string, string>()
  if (given instanceof Dict) {
    for (const [name, type] of given.entries)
      declared.set(String(name).toLowerCase(), declaredType(project, toText(type)))
  }
  return header.map((name, index) => {
    const values = rows.map(row => row[index] ?? '')
    return [name, declared.get(name.toLowerCase()) ?? project.dialect.type(foundType(values))] as const
  })
}

/** The kinds of values in the order in which dbt tries them: as Python reads a number, a day, a moment in one of two forms. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^[+-]?(\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(e[+-]?\d+)?$/i, 'number'],
  [/^\d{4}-\d{1,2}-\d{1,2}$/, 'date'],
  [/^\d{4}-\d{1,2}-\d{1,2} \d{1,2}:\d{1,2}:\d{1,2}$/, 'timestamp'],
  [
    /^(\d{4}-\d{2}-\d{2}T\d{2}(:\d{2}(:\d{2}([.,]\d+)?)?)?|\d{8}T\d{2}(\d{2}(\d{2}([.,]\d+)?)?)?)(Z|[+-]\d{2}(:?\d{2})?)?$/,
    'timestamp',
  ],
  [/^(true|false)$/i, 'boolean'],
]

const largestInteger = 2_147_483_647

function foundType(values: readonly string[]): string {
  const given = values
    .map(value => value.trim())
    .filter(value => value !== '' && value.toLowerCase() !== 'null')
  const found = kinds.find(([pattern]) => given.every(value => pattern.test(value)))
  if (found === undefined || given.length === 0) return given.length === 0 ? 'integer' : 'varchar'
  if (found[1] !== 'number') return found[1]
  const numbers = given.map(value => value.replaceAll('_', ''))
  // A fraction of zeros is none.
  if (!numbers.every(value => Number.isInteger(Number(value)))) return 'double'
  // dbt would end with an error where an INTEGER is too small.
  return numbers.some(value => Math.abs(Number(value)) > largestInteger) ? 'bigint' : 'integer'
}
