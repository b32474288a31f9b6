/** `svc import dbt`: reads a dbt project and returns the files of a project of svc, and what did not come over as it was. */
import { isRecord, kindOf, usualWarehouse } from '@svc/server/language'
import { type AssetDraft, assetFile, type Plain, type PlainMap, yamlOf } from './asset-draft.ts'
import { type DbtProject, installHint, notInstalled } from './dbt-project.ts'
import { type DbtDialect, dialectOf, engineOfProfile } from './dialect.ts'
import { exposure } from './exposures.ts'
import { noteLeftovers } from './leftovers.ts'
import { readMacros } from './macros.ts'
import { aliasOf, configOfNode, type NodeAsset, nodeAsset, withOwnNames } from './models.ts'
import { nameAssets } from './names.ts'
import { type Note, Notes, startOf } from './notes.ts'
import { missingPackages, readPackages } from './packages.ts'
import { type Profile, type ProfileRequest, readProfile } from './profile.ts'
import { ProjectFiles } from './project-files.ts'
import {
  type DbtNode,
  type DbtSource,
  type Declared,
  indexProject,
  refuseTwice,
  twinsIn,
} from './project-index.ts'
import type { RelationColumns } from './relation-columns.ts'
import { singularTest } from './singular-tests.ts'
import { namedSources } from './source-names.ts'
import { isDisabled, sourceAsset } from './sources.ts'
import { unitTest } from './unit-tests.ts'
import { noteUnread } from './unread-keys.ts'

export interface ImportRequest extends ProfileRequest {
  /** The folder of the dbt project. */
  readonly project: string
  /** The time in milliseconds, which stands for that of a run of dbt. */
  readonly now: number
}

export interface ImportedAsset {
  readonly name: string
  readonly kind: 'model' | 'seed' | 'source'
  readonly path: string
  /** The file of the dbt project that it comes from. */
  readonly from: string
  readonly tests: number
}

/** A file of the new project: its text, or the file that it is a copy of. */
export type ImportedFile = { readonly path: string } & (
  | { readonly text: string }
  | { readonly copyOf: string; readonly from: string }
)

export interface DbtImport {
  /** The name of the dbt project. */
  readonly name: string
  readonly target: string
  /** The display name of the engine that the SQL is for. */
  readonly engine: string
  readonly assets: readonly ImportedAsset[]
  readonly files: readonly ImportedFile[]
  readonly counts: ImportCounts
  readonly notes: readonly Note[]
  /** The assets whose columns templates asked for. */
  readonly wanted: readonly string[]
  /** The columns that schema files list of sources, with and without a type, by asset. */
  readonly listed: ReadonlyMap<string, readonly string[]>
}

export interface ImportCounts {
  readonly models: number
  readonly seeds: number
  readonly sources: number
  readonly tests: number
  readonly unit_tests: number
  readonly exposures: number
}

interface Imported {
  readonly kind: ImportedAsset['kind']
  readonly draft: AssetDraft
  readonly from: string
}

/**
 * Throws SvcError for a project that cannot be read; all else is a note. Writes nothing. `known`: the columns of assets, for
 * templates that ask for them.
 */
export function importDbt(request: ImportRequest, known: RelationColumns['known'] = new Map()): DbtImport {
  const { project, docs } = openProject(request, known)
  const nodes = project.index.nodes.flatMap(node => nodeAsset(project, node) ?? [])
  const sources = project.index.sources.map(source => {
    const draft = sourceAsset(project, source, { output: request.output })
    return { kind: 'source' as const, draft, from: source.part.template.path }
  })
  const all: Imported[] = [
    ...sources,
    ...nodes.map(({ node, draft }) => ({ kind: node.kind, draft, from: node.path })),
  ]
  const byName = new Map(all.map(({ draft }) => [draft.name, draft]))
  const unit_tests = addUnitTests(project, byName)
  addSingularTests(project, byName, buildOrder(all, nodes))
  const exposures = addExposures(project, byName)
  noteAskedSources(project, nodes)
  noteLeftovers(project)
  noteUnread(project)
  noteOutside(project)
  noteMissingPackages(project)
  notePassword(project)
  noteWarehouse(project)
  noteReaders(project, nodes, byName)
  const overview = project.index.docs.get('__overview__')
  return {
    name: project.root.name,
    target: project.profile.target,
    engine: project.engine.label,
    assets: all.map(({ kind, draft, from }) => ({
      name: draft.name,
      kind,
      path: draft.path,
      from,
      tests: draft.tests.length,
    })),
    files: [
      { path: 'svc.yaml', text: settingsFile(project) },
      ...(overview?.of.isRoot === true ? [{ path: 'README.md', text: `${overview.text}\n` }] : []),
      ...all.map(({ draft }) => ({
        path: draft.path,
        text: assetFile({ ...draft, tests: withOwnNames(draft.tests) }),
      })),
      ...nodes.flatMap(({ file }) =>
        file === undefined ? [] : [{ path: file.to, copyOf: project.files.full(file.from), from: file.from }],
      ),
    ],
    counts: { ...countsOf(all), unit_tests, exposures },
    notes: notesWithDocs(project, docs),
    wanted: [...project.columns.wanted],
    listed: listedColumns(project),
  }
}

function openProject(request: ImportRequest, known: RelationColumns['known']) {
  const files = new ProjectFiles(request.project)
  const packages = readPackages(files)
  const [root] = packages
  if (root === undefined) throw new Error('a dbt project is a package of its own')
  const notes = new Notes()
  const written = indexProject(files, packages, notes)
  const profile = readProfile(files, root, request)
  const docs = new Set<string>(['__overview__'])
  const engine = engineOfProfile(profile.type)
  const dialect = dialectOf(engine)
  const parts = {
    missing: missingPackages(files, packages),
    ...{ files, root, packages, profile, notes, env: request.env, now: request.now },
    macros: readMacros(files, packages, dialect, notes),
    columns: { known, wanted: new Set<string>(), told: new Set<string>() },
    engine,
    dialect,
    schema: productionSchema(profile, dialect),
    vars: new Map<string, string | number | boolean>(),
    usesDoc: (name: string) => void docs.add(name),
  }
  const first = { ...parts, index: written, nameOf: unaliased }
  const named = namedSources(first, written.sources)
  const disabled = new Set(
    named.filter(source => isDisabled({ ...first, index: { ...written, sources: named } }, source)),
  )
  const sources = named.filter(source => !disabled.has(source))
  const index = { ...written, sources, disabled: [...disabled], nodes: [...written.nodes] }
  const shared = { ...parts, index }
  // Aliases are known when the models were unrolled once; what that finds to say is said the second time.
  const scratch = { ...shared, notes: new Notes(), vars: new Map(), nameOf: unaliased }
  for (const node of twinsIn(written.nodes)) {
    if (configOfNode(scratch, node).flag('enabled') !== false) continue
    notes.add('left_out', startOf({ path: node.path, text: '' }), `a disabled ${node.kind}`)
    index.nodes.splice(index.nodes.indexOf(node), 1)
  }
  refuseTwice(index.nodes)
  const aliases = new Map(index.nodes.map(node => [node, aliasOf(scratch, node)]))
  const names = nameAssets(index, node => aliases.get(node), notes)
  const nameOf = (what: DbtNode | DbtSource) =>
    ('table' in what ? names.ofSource.get(what) : names.ofNode.get(what)) ?? unaliased(what)
  return { project: { ...shared, nameOf }, docs }
}

function unaliased(what: DbtNode | DbtSource): string {
  return 'table' in what ? `${what.source}_${what.table}` : what.name
}

/**
 * The schema of a target for development is one person's; that of production is the project's. In a warehouse that dbt writes to
 * as well, it has the tables of dbt.
 */
function productionSchema({ target, schema, type }: Profile, { adapter }: DbtDialect): string {
  const isProduction = /^prod/i.test(target) && schema !== undefined && /^[a-z_]\w*$/i.test(schema)
  const isFree = isProduction && !/^(main|svc|information_schema)$/i.test(schema)
  if (adapter !== type || type === usualAdapter) return isFree ? schema.toLowerCase() : usualSchema
  return schema?.toLowerCase() === usualSchema ? `${usualSchema}_svc` : usualSchema
}

const usualSchema = 'analytics'
const usualAdapter = kindOf(usualWarehouse)

function settingsFile(project: DbtProject): string {
  const { root, schema, vars } = project
  const name = root.name
    .toLowerCase()
    .replace(/\W+/g, '_')
    .replace(/^[^a-z]+/, '')
  return yamlOf({
    name: name === '' ? 'project' : name,
    warehouse: warehouseOf(project),
    default_schema: schema,
    vars: vars.size === 0 ? undefined : Object.fromEntries(vars),
  })
}

/** A warehouse on a server is that of the profile, without the password. */
function warehouseOf({ root, profile, dialect }: DbtProject): string {
  if (dialect.adapter === usualAdapter) return usualWarehouse
  return profile.endpoint ?? `env:${root.name.toUpperCase().replace(/\W+/g, '_')}_WAREHOUSE`
}

function noteWarehouse(project: DbtProject): void {
  const { dialect, engine, profile, notes, root } = project
  if (dialect.adapter === usualAdapter) return
  const address = warehouseOf(project)
  if (profile.endpoint === undefined) {
    const what = 'where the warehouse is: the profile does not have the whole address'
    const hint = `Set ${address.slice('env:'.length)} to an address such as ${engine.address.example}.`
    notes.add('todo', root.settings.site, what, { hint })
  } else if (profile.passwordAt !== undefined) {
    const what = 'the password of the warehouse is in no file of the new project'
    const hint =
      'Set PGPASSWORD before a run, or write warehouse: env:NAME and put the address with it there.'
    notes.add('changed', profile.passwordAt, what, { hint })
  }
}

function notePassword({ index, profile, notes, dialect }: DbtProject): void {
  if (profile.password === undefined || profile.endpoint === undefined || index.sources.length === 0) return
  if (dialect.adapter !== usualAdapter) return
  notes.add('changed', profile.password, 'the password of the profile is in no file of the new project', {
    hint: `Set ${profile.passwordVariable} before a run.`,
  })
}

// ---------------------------------------------------------------- tests and exposures

type Drafts = ReadonlyMap<string, AssetDraft>

function addUnitTests(project: DbtProject, drafts: Drafts): number {
  let count = 0
  for (const declared of project.index.unitTests) {
    const found = unitTest(project, declared)
    const draft = found === undefined ? undefined : drafts.get(found.asset)
    if (found === undefined || draft === undefined) continue
    if (asksForTime(project, draft.transform)) {
      const what = `the unit test ${declared.name} did not come over: its model asks for the time`
      const hint = 'Write it with the time that now() is: "now: 2024-01-31 09:30:00" (docs/unit-tests.md).'
      project.notes.add('todo', declared.part.site, what, { hint, asset: found.asset })
      continue
    }
    noteUnknownTypes(project, declared, found.test, drafts)
    draft.tests.push(found.test)
    count++
  }
  return count
}

/** What a database has is known after the first run alone, so that rows given of it are texts until then. */
function noteUnknownTypes(
  { notes }: DbtProject,
  { part, name }: Declared,
  test: PlainMap,
  drafts: Drafts,
): void {
  const { given = {} } = test['unit'] as { readonly given?: PlainMap }
  const unknown = Object.keys(given).filter(input => {
    const draft = drafts.get(input)
    return draft !== undefined && draft.contract === undefined && isDatabase(draft.ingest)
  })
  if (unknown.length === 0) return
  const what = `the types that the unit test ${name} gives to ${unknown.join(', ')} are not known`
  const hint = 'If it fails, declare the types of its columns: contract: {columns: {opened_at: timestamp}}.'
  notes.add('changed', part.site, what, { hint })
}

function isDatabase(ingest: Plain): boolean {
  return isRecord(ingest) && ['sql', 'warehouse'].includes(String(ingest['type']))
}

function asksForTime({ engine }: DbtProject, sql: string): boolean {
  return engine
    .tokens(sql)
    .some(
      ({ kind, start, end }) => kind === 'word' && isOfTheMoment(engine, sql.slice(start, end).toLowerCase()),
    )
}

function isOfTheMoment({ functions }: DbtProject['engine'], word: string): boolean {
  return functions.valueWords.has(word) || [undefined, 1].some(n => functions.effectOf(word, n) === 'moment')
}

function addSingularTests(project: DbtProject, drafts: Drafts, order: readonly string[]): void {
  for (const each of project.index.singularTests) {
    const found = singularTest(project, each, order)
    if (found !== undefined) drafts.get(found.asset)?.tests.push(found.test)
  }
}

function addExposures(project: DbtProject, drafts: Drafts): number {
  const all = project.index.exposures.flatMap(declared => exposure(project, declared) ?? [])
  for (const { assets, exposure: keys } of all)
    for (const asset of assets) drafts.get(asset)?.exposures.push(keys)
  return all.length
}

/** Folders that settings name, and links: nothing outside the project is read, and nothing of it is lost in silence. */
function noteOutside({ files, notes }: DbtProject): void {
  for (const path of files.outside) {
    const what = `${path} leads outside the dbt project, and nothing of it came over`
    const hint = 'Copy what it holds into the dbt project, or make a package of it, and import again.'
    notes.add('todo', startOf({ path, text: '' }), what, { hint })
  }
}

/** A package may have models and sources, of which nothing else here would tell. */
function noteMissingPackages({ missing, macros, notes }: DbtProject): void {
  for (const { name, site } of missing) {
    const isOfMacros = macros.library.has(name) || name === 'dbt_expectations'
    const what = `${notInstalled(name)}, and nothing of it came over`
    const isTold = [name, name.replace(/^dbt_/, '')].some(each => notes.isCause(notInstalled(each)))
    if (!isOfMacros && !isTold) notes.add('todo', site, what, { hint: installHint })
  }
}

/** Each asset after those that it reads. */
function buildOrder(all: readonly Imported[], nodes: readonly NodeAsset[]): readonly string[] {
  const reads = new Map(nodes.map(node => [node.draft.name, node.reads]))
  const order = new Set<string>()
  const seen = new Set<string>()
  const visit = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    for (const parent of reads.get(name) ?? []) visit(parent)
    order.add(name)
  }
  for (const { draft } of all) visit(draft.name)
  return [...order]
}

/** Says which assets read something that did not come over: `svc validate` will say that it is not there. */
function noteReaders(
  { notes, index, nameOf }: DbtProject,
  nodes: readonly NodeAsset[],
  drafts: Drafts,
): void {
  const paths = new Map(index.nodes.map(node => [nameOf(node), node.path]))
  const readers = new Map<string, NodeAsset[]>()
  for (const each of nodes) {
    const missing = [...each.reads].filter(name => !drafts.has(name)).map(name => paths.get(name) ?? name)
    const key = shortened([...new Set(missing)].sort())
    if (missing.length > 0) readers.set(key, [...(readers.get(key) ?? []), each])
  }
  for (const [missing, all] of readers) {
    const isOne = all.length === 1
    const what = isOne ? `${all[0]?.draft.name} reads` : `${all.length} assets read`
    const site = startOf({ path: all[0]?.node.path ?? '', text: '' })
    for (const { draft } of all) {
      const details = { hint: `Bring ${missing} first.`, asset: draft.name }
      notes.share('todo', site, `${what} what did not come over`, details)
    }
  }
}

const mostNamed = 5

function shortened(names: readonly string[]): string {
  const more = names.length - mostNamed
  return `${names.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** A schema file need not have all columns of a source, and only those that it lists are known. */
function noteAskedSources({ index, columns, notes, nameOf }: DbtProject, nodes: readonly NodeAsset[]): void {
  const asked = withParents([...columns.told], nodes)
  for (const source of index.sources) {
    const asset = nameOf(source)
    if (!asked.has(asset) || columnNames(source).length === 0) continue
    const what = `the columns of ${asset}, which templates ask for, are those that its schema file lists`
    notes.add('changed', source.part.site, what, { hint: 'Look whether it has them all.', asset })
  }
}

function listedColumns({ index, nameOf }: DbtProject): ReadonlyMap<string, readonly string[]> {
  return new Map(index.sources.map(source => [nameOf(source), columnNames(source)]))
}

function columnNames({ part }: DbtSource): readonly string[] {
  return (part.get('columns')?.items() ?? []).flatMap(column => column.get('name')?.text ?? [])
}

/** What some assets read, and all that these read. */
function withParents(names: readonly string[], nodes: readonly NodeAsset[]): ReadonlySet<string> {
  const reads = new Map(nodes.map(node => [node.draft.name, node.reads]))
  const all = new Set(names)
  for (const name of all) for (const parent of reads.get(name) ?? []) all.add(parent)
  return all
}

function notesWithDocs({ index, notes }: DbtProject, used: ReadonlySet<string>): readonly Note[] {
  for (const { name, site, of } of index.docs.values()) {
    if (of.isRoot && !used.has(name))
      notes.add('left_out', site, `the text "${name}", which no description uses`)
  }
  return notes.all()
}

function countsOf(all: readonly Imported[]): Omit<ImportCounts, 'unit_tests' | 'exposures'> {
  const of = (kind: ImportedAsset['kind']) => all.filter(each => each.kind === kind)
  const tests = all.flatMap(({ draft }) => draft.tests.filter(test => test['unit'] === undefined))
  return {
    models: of('model').length,
    seeds: of('seed').length,
    sources: of('source').length,
    tests: tests.length,
  }
}
