/** Seeds: CSV files that come along, with the types that dbt finds in them. */
import { posix } from 'node:path'
import { toSnakeCase } from '@svc/server/language'
import type { Site } from '../jinja/problem.ts'
import { Dict, toText } from '../jinja/values.ts'
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
  const site = startOf({ path: node.path, text: '' })
  const types = columnTypes(project, header, rows, config, site)
  const folder = posix.join('seeds', node.of.isRoot ? '' : node.of.name, ...node.folders)
  const name = posix.basename(node.path)
  if (header.length === 0)
    project.notes.add('todo', startOf({ path: node.path, text: '' }), 'the seed is empty')
  // Names of dbt stay as they are; the usual names of svc would differ.
  const naming = header.every(each => toSnakeCase(each) === each.toLowerCase()) ? {} : { naming: 'source' }
  const options = delimiter === ',' ? {} : { options: { delimiter } }
  return {
    ingest: { type: 'file', endpoint: `./${folder}`, resource: name, ...options, ...naming },
    contract: { columns: Object.fromEntries(types.map(({ name, raw }) => [name, raw])) },
    transform: transformOf(project, node, types),
    // Where the file goes, relative to the new project's root.
    file: posix.join(folder, name),
  }
}

function columnTypes(
  project: DbtProject,
  header: readonly string[],
  rows: readonly (readonly string[])[],
  config: Config,
  site: Site,
): readonly SeedColumn[] {
  const given = config.get('column_types')?.value
  const declared = new Map<string, string>()
  if (given instanceof Dict) {
    for (const [name, type] of given.entries)
      declared.set(String(name).toLowerCase(), declaredType(project, toText(type)))
  }
  const names = new Set(header.map(name => name.toLowerCase()))
  for (const name of declared.keys())
    if (!names.has(name))
      project.notes.add(
        'left_out',
        config.get('column_types')?.site ?? site,
        `the type of "${name}", which the seed does not have`,
      )
  return header.map((name, index) => {
    const values = rows.map(row => row[index] ?? '')
    noteValues(project, site, name, values)
    const type = declared.get(name.toLowerCase())
    if (type === undefined) {
      const found = project.dialect.type(foundType(values))
      return { name, raw: found, type: found }
    }
    return { name, raw: isReadOtherwise(type, values) ? 'varchar' : type, type }
  })
}

interface SeedColumn {
  readonly name: string
  /** The type that the file is read with. */
  readonly raw: string
  readonly type: string
}

/** A number that is rounded and a text that is a document are read as texts, and become what was declared by a cast, as in dbt. */
function isReadOtherwise(type: string, values: readonly string[]): boolean {
  if (type === 'json') return true
  const decimal = /^(?:numeric|decimal)(?:\(\s*\d+\s*(?:,\s*(\d+)\s*)?\))?$/.exec(type)
  if (decimal === null) return false
  const places = type.includes('(') ? Number(decimal[1] ?? 0) : 3
  return values.some(value => (/\.(\d+)/.exec(value)?.[1]?.length ?? 0) > places)
}

function transformOf(
  { engine, dialect, notes }: DbtProject,
  node: DbtNode,
  types: readonly SeedColumn[],
): string {
  const cast = types.filter(({ raw, type }) => raw !== type)
  if (cast.length === 0) return 'SELECT * FROM {{ source }}'
  const expression = ({ name, type }: SeedColumn) =>
    `CAST(${engine.quoteIfNeeded(name)} AS ${type}) AS ${engine.quoteIfNeeded(name)}`
  if (dialect.excluded !== undefined)
    return `SELECT * REPLACE (${cast.map(expression).join(', ')}) FROM {{ source }}`
  notes.add(
    'changed',
    startOf({ path: node.path, text: '' }),
    `the types of ${cast.map(({ name }) => name).join(', ')}`,
    {
      hint: 'They are texts here: cast them in transform.',
    },
  )
  return 'SELECT * FROM {{ source }}'
}

/** Values that dbt and the warehouse read in another way than svc. */
function noteValues({ notes }: DbtProject, site: Site, name: string, values: readonly string[]): void {
  if (values.some(value => /^\s*[+-]?\d+(_\d+)+\s*$/.test(value)))
    notes.add('todo', site, `numbers with "_" in the column ${name} are not read`, {
      hint: 'Write them without it in the file.',
    })
  if (
    values.some(value => /T\d{2}.*[+-]\d{2}(:?\d{2})?$/.test(value) && /^\s*\d{4}-\d{2}-\d{2}T/.test(value))
  )
    notes.add('changed', site, `times of the column ${name} are kept in UTC`, {
      hint: 'dbt drops what they have as an offset.',
    })
}

/** The kinds of values in the order in which dbt tries them: as Python reads a number, a day, a moment in one of two forms. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^[+-]?((\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(e[+-]?\d+)?|nan|inf(inity)?)$/i, 'number'],
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
  const numbers = given.map(value => value.replaceAll('_', '')).filter(value => !/[ni]/i.test(value))
  const isWhole = numbers.length === given.length
  // A fraction of zeros is none.
  if (!isWhole || !numbers.every(value => Number.isInteger(Number(value)))) return 'double'
  // dbt would end with an error where an INTEGER is too small.
  return numbers.some(value => Math.abs(Number(value)) > largestInteger) ? 'bigint' : 'integer'
}
