/** Writes the file of a discovered source: its address, a contract of its columns, a SELECT and tests that hold. */
import { type Engine, yamlText } from '@svc/server/language'
import type { SampledColumn, SampledSource } from './sample-source.ts'

export interface DiscoveredSource extends Pick<SampledSource, 'columns' | 'children'> {
  readonly name: string
  readonly description: string
  /** The keys of `ingest` in order, without `type`, as YAML. */
  readonly ingest: readonly (readonly [key: string, yaml: string])[]
  /** The column of the last change, where it only looks like one that runs can go by. */
  readonly maybeCursor?: string | undefined
  /** What the first page says of more, where no way of paging was found: `"total" is 250`. */
  readonly more?: string | undefined
  /** The asset or destination whose login was taken. */
  readonly loginOf?: string | undefined
  readonly type: 'rest_api' | 'sql' | 'file' | 'warehouse'
  /** Columns of the new table. */
  readonly primaryKey: readonly string[]
  readonly required: readonly string[]
  readonly descriptions: ReadonlyMap<string, string>
}

export function assetText(source: DiscoveredSource, engine: Engine): string {
  const { name, description, type, ingest, children } = source
  return [
    `name: ${name}`,
    `description: ${yamlText(description)}`,
    '',
    'ingest:',
    `  type: ${type}`,
    ...ingest.map(([key, yaml]) => `  ${key}: ${yaml}`),
    ...morePages(source),
    ...cursorComment(source),
    '',
    ...contract(source),
    '',
    ...children.map(child => `# A list inside each record is a table of its own: {{ source('${child}') }}.`),
    ...transform(source, engine),
    ...tests(source),
    '',
  ].join('\n')
}

function morePages({ more }: DiscoveredSource): readonly string[] {
  if (more === undefined) return []
  return [
    `  # The first page says that there is more: ${more.replace(/\s+/g, ' ')}. Nothing showed how to ask for it, so that runs load that`,
    '  # page alone and warn (more-pages). Say with paginate how the next page is asked for, as the documentation of the service has it:',
    '  # paginate: {type: page, param: page}',
  ]
}

/** What nothing proves is for a person to decide. */
function cursorComment({ maybeCursor, primaryKey, type }: DiscoveredSource): readonly string[] {
  if (maybeCursor === undefined) return []
  return [
    `  # "${maybeCursor}" looks like the time of the last change. If every change of a record moves it, runs can ask for those alone:`,
    ...(type === 'rest_api'
      ? ['  # params: {updated_since: "{cursor}"}     # the parameter that the service takes']
      : []),
    '  # write: merge',
    ...(primaryKey.length === 0 ? ['  # primary_key: id'] : []),
    `  # incremental: {cursor: ${yamlText(maybeCursor)}}`,
  ]
}

function contract({ columns, primaryKey, required, descriptions }: DiscoveredSource): readonly string[] {
  const known = columns.filter(({ type }) => type !== undefined)
  const unknown = columns.filter(({ type }) => type === undefined)
  return [
    'contract:',
    ...(primaryKey.length === 0 ? [] : [`  required_columns: [${primaryKey.map(yamlText).join(', ')}]`]),
    '  columns:',
    ...known.map(column => {
      const isRequired = required.includes(column.name)
      return `    ${column.name}: ${columnYaml(column, isRequired, descriptions.get(column.name))}`
    }),
    ...unknown.map(
      ({ name }) => `    # ${name}: every value that was seen is NULL, so its type is not known yet`,
    ),
  ]
}

function columnYaml(
  { type = '', isPersonal }: SampledColumn,
  isRequired: boolean,
  description?: string,
): string {
  const facts = [
    ...(isRequired ? ['nullable: false'] : []),
    ...(isPersonal ? ['pii: true'] : []),
    ...(description === undefined ? [] : [`description: ${JSON.stringify(description)}`]),
  ]
  const written = /^[\w ]+$/.test(type) ? type.toLowerCase() : JSON.stringify(type.toLowerCase())
  return facts.length === 0 ? written : `{type: ${written}, ${facts.join(', ')}}`
}

function transform({ columns }: DiscoveredSource, engine: Engine): readonly string[] {
  const names = columns.map(({ name }) => `    ${engine.quoteIfNeeded(name)}`)
  return ['transform: |', '  SELECT', names.join(',\n'), '  FROM {{ source }}']
}

function tests({ primaryKey: [key, ...others] }: DiscoveredSource): readonly string[] {
  if (key === undefined || others.length > 0) return []
  return ['', 'tests:', `  - unique: ${key}`, `  - not_null: ${key}`]
}

export function yamlList(values: readonly string[]): string {
  const [only, ...others] = values
  if (only !== undefined && others.length === 0) return yamlText(only)
  return `[${values.map(yamlText).join(', ')}]`
}
