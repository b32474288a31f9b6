/** Sources: each table becomes an asset that fetches it from where the profile, or the source itself, says it is. */
import { posix, relative } from 'node:path'
import { databaseExamples } from '@svc/server/language'
import { isTrue, toText, type Value } from '../jinja/values.ts'
import type { AssetDraft, PlainMap } from './asset-draft.ts'
import { columnParts, described } from './columns.ts'
import { Config, setFolderDefaults, tagsOf } from './config.ts'
import { dataTests, type TestSubject } from './data-tests.ts'
import type { DbtProject } from './dbt-project.ts'
import { declaredType } from './dialect.ts'
import { noteUnsure } from './models.ts'
import { orProblem } from './notes.ts'
import type { Profile } from './profile.ts'
import type { DbtSource } from './project-index.ts'
import { renderedPart } from './rendered-part.ts'
import { renderedText } from './unroll.ts'
import type { Part } from './yaml-part.ts'

export interface SourceOptions {
  /** The folder of the new project. */
  readonly output: string
}

export function sourceAsset(project: DbtProject, source: DbtSource, { output }: SourceOptions): AssetDraft {
  const { sourcePart, part, of } = source
  const name = project.nameOf(source)
  const subject: TestSubject = { project, of, asset: name, folders: [...source.folders, source.source] }
  const config = configOf(project, source)
  noteMeta(project, source)
  const { columns, tests } = columnParts(subject, part)
  const tags = [sourcePart, part]
    .flatMap(each => each.get('tags')?.items() ?? [])
    .flatMap(each => each.text ?? [])
  const configured = config.get('tags')
  // Meta is told by its own keys, and a source that is disabled is none.
  for (const key of ['meta', 'enabled']) config.get(key)
  const draft: AssetDraft = {
    name,
    path: posix.join('models/sources', folderName(source.source), `${name}.svc`),
    description: described(subject, part) ?? described(subject, sourcePart),
    owner: (part.get('meta')?.get('owner') ?? sourcePart.get('meta')?.get('owner'))?.text,
    tags: [...new Set([...(configured === undefined ? [] : tagsOf(configured.value).map(toText)), ...tags])],
    ingest: ingestOf(project, source, output),
    contract: contractOf(project, source),
    transform: 'SELECT * FROM {{ source }}',
    columns,
    tests: [...dataTests(subject, part, undefined), ...tests],
    freshness: freshnessOf(project, source, config),
    deploy: {},
    exposures: [],
  }
  for (const { key, site } of config.unread()) project.notes.add('left_out', site, `the setting "${key}"`)
  return draft
}

/** Says it of a source that is disabled. */
export function isDisabled(project: DbtProject, source: DbtSource): boolean {
  const config = configOf(project, source)
  if (config.flag('enabled') !== false) {
    noteUnsure(project.notes, config, `${source.source}.${source.table}`)
    return false
  }
  project.notes.add('left_out', source.part.site, 'a disabled source')
  source.part.settle()
  return true
}

/** The types of columns that the schema file declares. */
function contractOf(project: DbtProject, { part }: DbtSource): PlainMap | undefined {
  const columns = (part.get('columns')?.items() ?? []).flatMap(column => {
    const [name, type] = [column.get('name')?.text, column.get('data_type')?.text]
    return name === undefined || type === undefined ? [] : [[name, declaredType(project, type)] as const]
  })
  return columns.length === 0 ? undefined : { columns: Object.fromEntries(columns) }
}

const metaKeys = ['owner', 'external_location']

function noteMeta({ notes }: DbtProject, { sourcePart, part }: DbtSource): void {
  for (const each of [sourcePart, part]) {
    const metas = [each.get('meta'), each.get('config')?.get('meta')]
    for (const meta of metas) meta?.settle()
    const entries = metas.flatMap(meta => meta?.entries() ?? [])
    for (const { key, at } of entries.filter(meta => !metaKeys.includes(meta.key))) {
      notes.add('left_out', at, `meta "${key}"`)
    }
  }
}

function folderName(text: string): string {
  return text.replace(/[^\w-]+/g, '_')
}

function configOf(project: DbtProject, { of, folders, source, table, sourcePart, part }: DbtSource): Config {
  const config = new Config()
  const rendered = (each: Part): Value => textOr(project, of, each)
  setFolderDefaults(config, 'sources', of, [...folders, source, table], project.root, rendered)
  for (const each of [sourcePart, part]) {
    config.setAll(each.get('config'), rendered)
    for (const key of ['freshness', 'loaded_at_field', 'loaded_at_query']) {
      const value = each.entries().find(entry => entry.key === key)
      if (value !== undefined) config.set(key, { value: rendered(value.value), site: value.at })
    }
  }
  return config
}

function textOr(project: DbtProject, of: DbtSource['of'], part: Part): Value {
  return renderedPart(project, of, part, (_, text) => text)
}

// ---------------------------------------------------------------- where it is

function ingestOf(project: DbtProject, source: DbtSource, output: string): PlainMap {
  const { profile, notes } = project
  const external = externalLocation(source)
  const file = external === undefined ? undefined : fileIngest(project, external, output)
  if (file !== undefined) return file
  const rendered = (part: Part | undefined) => partOfPlace(project, source, part)
  const schema = rendered(source.sourcePart.get('schema')) ?? source.source
  const table = rendered(source.part.get('identifier')) ?? source.table
  const resource = `${schema}.${table}`
  // What the models read from the warehouse itself stays where it is.
  noteDatabase(project, source, external)
  if (!profile.isFile && project.dialect.adapter === profile.type && external === undefined)
    return { type: 'warehouse', resource }
  const password =
    profile.passwordVariable === undefined ? {} : { credentials: `env:${profile.passwordVariable}` }
  if (profile.endpoint !== undefined && external === undefined) {
    return {
      type: 'sql',
      endpoint: profile.endpoint,
      resource,
      ...(profile.isFile ? {} : password),
      ...asWritten,
    }
  }
  const variable = `${source.source.toUpperCase().replace(/\W+/g, '_')}_DATABASE`
  const site = external === undefined ? source.sourcePart.site : source.part.site
  notes.share('todo', site, `where the rows of the source ${source.source} come from`, {
    hint: unknownHint(profile, variable, external),
    asset: project.nameOf(source),
  })
  return { type: 'sql', endpoint: `env:${variable}`, resource, ...asWritten }
}

/** The address is that of the profile's database; a source may be in another one. */
function noteDatabase(project: DbtProject, source: DbtSource, external: string | undefined): void {
  const { profile, notes, nameOf } = project
  const part = source.sourcePart.get('database') ?? source.sourcePart.get('catalog')
  const database = partOfPlace(project, source, part)?.trim() ?? ''
  const isThere = profile.endpoint !== undefined && external === undefined
  const own = profile.database ?? /([^/\\]+?)(\.\w+)?$/.exec(profile.endpoint ?? '')?.[1]
  if (part === undefined || !isThere || database === '' || database === own) return
  notes.share('todo', part.site, `the source ${source.source} is in the database ${database}`, {
    hint: 'Write its address in ingest.endpoint, where it is another one than that of the profile.',
    asset: nameOf(source),
  })
}

/** Returns a name of the source's place; undefined for one that only dbt could tell, which is noted. */
function partOfPlace(project: DbtProject, source: DbtSource, part: Part | undefined): string | undefined {
  if (part === undefined) return undefined
  const asset = project.nameOf(source)
  return orProblem(
    () => renderedText(project, source.of, part.text ?? '', part.site).trim(),
    problem =>
      project.notes.problem(problem, `where the rows of ${asset} are`, 'Write it in ingest.resource.', asset),
  )
}

/** The SQL of the models has the names of the source. */
const asWritten = { naming: 'source' } as const

function unknownHint({ type, isReadable }: Profile, variable: string, external: string | undefined): string {
  if (external !== undefined)
    return `Its location is ${external}: bring it as a local file, with ingest: {type: file, …}.`
  const known = `set ${variable} to an address such as ${databaseExamples}`
  if (type === undefined)
    return `No profile was found: ${known}, or name the folder of profiles.yml with --profiles-dir.`
  if (isReadable) return `The profile does not have the whole address: ${known}.`
  return `svc does not read ${type}: export the table to files (ingest: {type: file, …}), or ${known}.`
}

/** dbt-duckdb reads files as sources: `meta: {external_location: "data/{name}.csv"}`. */
function externalLocation({ sourcePart, part, table }: DbtSource): string | undefined {
  const metas = [part, sourcePart].flatMap(each => [each.get('meta'), each.get('config')?.get('meta'), each])
  const location = metas
    .map(meta => meta?.get('external_location') ?? meta?.get('external')?.get('location'))
    .find(Boolean)
  return location?.text
    ?.replaceAll('{name}', table)
    .replaceAll('{identifier}', part.get('identifier')?.text ?? table)
}

function fileIngest(project: DbtProject, location: string, output: string): PlainMap | undefined {
  const call = /^read_(csv|parquet|json)(_auto)?\(\s*'([^']+)'\s*\)$/i.exec(location.trim())
  const path = call?.[3] ?? location.trim().replace(/^'|'$/g, '')
  if (
    /^\w{2,}:/.test(path) ||
    !/\.(csv|tsv|parquet|json|ndjson|jsonl)(\.gz)?$/i.test(path) ||
    /[(){}]/.test(path)
  )
    return undefined
  const full = posix.isAbsolute(path) ? path : project.files.full(path)
  const folder = relative(output, posix.dirname(full)).replaceAll('\\', '/')
  const endpoint = folder.startsWith('.') ? folder : `./${folder}`
  return { type: 'file', endpoint, resource: posix.basename(path), ...asWritten }
}

// ---------------------------------------------------------------- freshness

/** The whole was read to see whether it asks for something. */
function noteOthers(notes: DbtProject['notes'], part: Part | undefined, known: readonly string[]): void {
  for (const { key, at } of part?.entries() ?? [])
    if (!known.includes(key)) notes.add('left_out', at, `"${key}" of freshness`)
}

const units: Readonly<Record<string, string>> = { minute: 'm', hour: 'h', day: 'd' }

function freshnessOf(
  { notes, engine, nameOf }: DbtProject,
  source: DbtSource,
  config: Config,
): PlainMap | undefined {
  const setting = config.get('freshness')
  const field = config.text('loaded_at_field')
  const parts =
    setting === undefined
      ? undefined
      : (source.part.get('freshness') ??
        source.part.get('config')?.get('freshness') ??
        source.sourcePart.get('freshness') ??
        source.sourcePart.get('config')?.get('freshness'))
  if (setting === undefined || !isTrue(setting.value) || parts === undefined) return undefined
  noteOthers(notes, parts, ['warn_after', 'error_after', 'filter'])
  for (const key of ['warn_after', 'error_after']) noteOthers(notes, parts.get(key), ['count', 'period'])
  const after = (key: string) => {
    const part = parts.get(key)
    const [count, period] = [part?.get('count')?.text, part?.get('period')?.text ?? '']
    const unit = Object.hasOwn(units, period) ? units[period] : undefined
    if (part !== undefined && (count === undefined || unit === undefined)) {
      const what = `the freshness of ${nameOf(source)} has no count with a period of minute, hour or day`
      notes.add('todo', part.site, what, { hint: 'dbt refuses it, too: write freshness by hand.' })
    }
    return count === undefined || unit === undefined ? undefined : `${count}${unit}`
  }
  const [warn, error] = [after('warn_after'), after('error_after')]
  if (warn === undefined && error === undefined) return undefined
  const filter = parts.get('filter')
  if (filter !== undefined)
    notes.add('changed', filter.site, `the freshness of ${nameOf(source)} looks at all rows`, {
      hint: 'svc has no filter for it.',
    })
  const query = config.get('loaded_at_query')
  if (query !== undefined)
    notes.add('changed', query.site, `the freshness of ${nameOf(source)} counts from its last load`, {
      hint: 'svc has no query for it: name a column in freshness.column.',
    })
  const column = field?.replace(/::\w+$/, '').replace(/^"(.*)"$/, '$1')
  if (column === undefined || engine.quoteIfNeeded(column) === column)
    return { warn_after: warn, error_after: error, column }
  notes.add('changed', setting.site, `the freshness of ${nameOf(source)} counts from its last load`, {
    hint: `"${field}" is no column: make it one in transform, and name it in freshness.column.`,
  })
  return { warn_after: warn, error_after: error }
}
