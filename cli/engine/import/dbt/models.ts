/** Models and seeds: each becomes an asset. */
import { posix } from 'node:path'
import { type MaterializeKind, materializeKinds } from '@svc/server/language'
import type { JinjaProblem, Template } from '../jinja/problem.ts'
import { toText, type Value } from '../jinja/values.ts'
import type { AssetDraft, PlainMap } from './asset-draft.ts'
import { columnParts, described } from './columns.ts'
import { type Config, tagsOf } from './config.ts'
import { withContract } from './contracts.ts'
import { dataTests, type TestSubject } from './data-tests.ts'
import type { DbtProject } from './dbt-project.ts'
import { rewrittenSql } from './dialect.ts'
import { constraintTests } from './generic-tests/constraints.ts'
import { noteConfig, outerConfig, ownerOf } from './node-config.ts'
import { orProblem, startOf } from './notes.ts'
import type { DbtNode } from './project-index.ts'
import { seedParts } from './seeds.ts'
import { storageOf } from './table-storage.ts'
import { Unrolling } from './unroll.ts'
import type { Unrolled } from './unrolled.ts'
import type { Part } from './yaml-part.ts'

export interface NodeAsset {
  readonly node: DbtNode
  readonly draft: AssetDraft
  /** The assets that its SQL reads. */
  readonly reads: ReadonlySet<string>
  /** A file that comes along: from where in the dbt project, and to where. */
  readonly file: { readonly from: string; readonly to: string } | undefined
}

/** Returns undefined for what did not come over, which is noted. */
export function nodeAsset(project: DbtProject, node: DbtNode): NodeAsset | undefined {
  const config = outerConfig(project, node)
  return node.kind === 'seed' ? seedAsset(project, node, config) : modelAsset(project, node, config)
}

/** What the file of a model configures, before any name is known. */
export function configOfNode(project: DbtProject, node: DbtNode): Config {
  const config = outerConfig(project, node)
  if (node.kind === 'model' && /\b(alias|enabled)\b/.test(project.files.read(node.path).text))
    orProblem(
      () => unrolled(project, node, config),
      () => undefined,
    )
  return config
}

/** The name that the warehouse knows a model by; a project may have a macro that says how it is made. */
export function aliasOf(project: DbtProject, node: DbtNode): string | undefined {
  const config = configOfNode(project, node)
  const written = config.text('alias')
  const hasOwn = project.macros.own.get(project.root.name)?.has('generate_alias_name') === true
  if (!hasOwn) return written
  const template = { path: node.path, text: '' }
  return orProblem(
    () => {
      const unrolling = new Unrolling(project, template, { of: node.of, config, name: node.name })
      const given = { positional: [written ?? null, unrolling.node()], named: new Map() }
      return unrolling.callMacro('generate_alias_name', given)?.sql.trim() ?? written
    },
    problem => project.notes.problem(problem, 'the macro generate_alias_name', 'Name the assets by hand.'),
  )
}

function unrolled(project: DbtProject, node: DbtNode, config: Config): Unrolled {
  const template = project.files.read(node.path)
  return new Unrolling(project, template, { of: node.of, config, name: project.nameOf(node) }).sql()
}

function seedAsset(project: DbtProject, node: DbtNode, config: Config): NodeAsset | undefined {
  if (isDisabled(project, node, config)) return undefined
  const { ingest, contract, transform, file } = seedParts(project, node, config)
  const draft = draftOf(project, node, config, {
    ingest,
    contract,
    transform,
    deploy: schemaOf(project, node, config),
  })
  return { node, draft, reads: new Set(), file: { from: node.path, to: file } }
}

function modelAsset(project: DbtProject, node: DbtNode, config: Config): NodeAsset | undefined {
  const { notes } = project
  const name = project.nameOf(node)
  const template = project.files.read(node.path)
  const failed = (problem: JinjaProblem) => {
    if (config.flag('enabled') === false) return
    const { calledAt, site } = problem
    const isOurs = !project.files.has(site.template.path)
    const place = isOurs && calledAt !== undefined ? calledAt : site
    const where = place.template.path === node.path ? '' : ` (called in ${node.path})`
    notes.lost({
      kind: 'model',
      site: place,
      message: `the model ${name} did not come over: ${problem.message}${where}`,
      hint: problem.hint ?? 'Write its SQL without that, and import again.',
      shared: problem.shared,
      asset: name,
    })
  }
  const whole = orProblem(() => unrolled(project, node, config), failed)
  if (whole === undefined) settle(node)
  if (isDisabled(project, node, config) || whole === undefined) return undefined
  if (whole.sql.trim() === '') {
    notes.add('todo', startOf(template), `the model ${name} did not come over: it has no SQL`, {
      asset: name,
    })
    return undefined
  }
  if (whole.readsItself !== undefined) {
    const at = Math.max(0, template.text.search(/\bthis\b/))
    notes.add('todo', { template, at }, `the model ${name} reads its own table`, {
      hint: 'An asset of svc is made anew from others: take {{ this }} out of its SQL.',
      asset: name,
    })
  }
  const { sql, functions } = rewrittenSql(project, whole.sql)
  if (functions.length > 0) {
    const at = Math.max(0, template.text.search(new RegExp(`\\b${functions[0]}\\b`, 'i')))
    const what = `${functions.join(', ')} in ${name} written as ${project.engine.label} has it`
    const hint = 'Compare its rows with those of the other warehouse.'
    notes.add('changed', { template, at }, what, { hint, asset: name })
  }
  const stored = materialization(project, node, config, template)
  const materialize = (stored['materialize'] ?? 'table') as MaterializeKind
  const deploy = {
    ...stored,
    ...schemaOf(project, node, config),
    ...storageOf(project, config, { asset: name, materialize }),
  }
  const draft = draftOf(project, node, config, {
    ingest: 'none',
    contract: undefined,
    transform: withContract(project, node, config, sql),
    deploy,
  })
  return { node, draft, reads: whole.reads, file: undefined }
}

/** A template that could not be rendered stays a text. */
export function noteUnsure(notes: DbtProject['notes'], config: Config, name: string): void {
  const enabled = config.get('enabled')
  if (enabled === undefined || !toText(enabled.value).includes('{{')) return
  const what = `whether ${name} is enabled is not known here: it came over`
  notes.add('todo', enabled.site, what, { hint: 'Take its file away if it is not to be there.' })
}

function isDisabled({ notes }: DbtProject, node: DbtNode, config: Config): boolean {
  if (config.flag('enabled') !== false) {
    noteUnsure(notes, config, node.name)
    return false
  }
  notes.add('left_out', startOf({ path: node.path, text: '' }), `a disabled ${node.kind}`)
  settle(node)
  return true
}

/** What is described of something that does not come over is told with it. */
function settle({ properties, versionProperties }: DbtNode): void {
  properties?.settle()
  versionProperties?.settle()
}

type Given = Pick<AssetDraft, 'ingest' | 'contract' | 'transform' | 'deploy'>

function draftOf(project: DbtProject, node: DbtNode, config: Config, given: Given): AssetDraft {
  const name = project.nameOf(node)
  const { of, folders } = node
  const subject: TestSubject = { project, of, asset: name, folders: [...folders, node.name] }
  const parts = [node.properties, node.versionProperties].filter(part => part !== undefined)
  const columns = new Map<string, PlainMap>()
  const tests: PlainMap[] = []
  const own = columnParts(subject, node.properties, node.versionProperties)
  for (const [column, facts] of own.columns) columns.set(column, facts)
  for (const part of partsWithTests(node)) tests.push(...dataTests(subject, part, undefined))
  tests.push(...own.tests)
  for (const part of parts) tests.push(...constraintTests(subject, part.get('constraints')?.items() ?? []))
  const draft: AssetDraft = {
    name,
    path: pathOf(node, name),
    description: parts.map(part => described(subject, part)).findLast(Boolean),
    owner: ownerOf(project, config),
    tags: uniqueTexts(tagsOf(config.get('tags')?.value ?? [])),
    columns,
    tests: withOwnNames(tests),
    freshness: undefined,
    exposures: [],
    ...given,
  }
  noteConfig(project, config, name)
  return draft
}

/** Tests of a version, also none, take the place of those of its model. */
function partsWithTests({ properties, versionProperties }: DbtNode): readonly Part[] {
  const keys = ['data_tests', 'tests']
  const hasOwn = versionProperties?.entries().some(({ key }) => keys.includes(key)) === true
  if (hasOwn) for (const key of keys) properties?.get(key)?.settle()
  const part = hasOwn ? versionProperties : properties
  return part === undefined ? [] : [part]
}

function uniqueTexts(values: readonly Value[]): readonly string[] {
  return [...new Set(values.map(toText))].filter(text => text !== '')
}

/** Two tests of one name get numbers. */
export function withOwnNames(tests: readonly PlainMap[]): PlainMap[] {
  const seen = new Set<string>()
  return tests.map(test => {
    const name = test['name']
    if (typeof name !== 'string') return test
    let own = name
    for (let count = 2; seen.has(own); count++) own = `${name}_${count}`
    seen.add(own)
    return { ...test, name: own }
  })
}

function pathOf({ kind, of, folders }: DbtNode, name: string): string {
  const base = kind === 'seed' ? ['models/seeds'] : ['models']
  return posix.join(...base, of.isRoot ? '' : of.name, ...folders, `${name}.svc`)
}

function isMaterializeKind(kind: string): boolean {
  return materializeKinds.some(each => each === kind)
}

/** dbt makes a view where nothing is said; svc a table. */
function materialization(project: DbtProject, node: DbtNode, config: Config, template: Template): PlainMap {
  const setting = config.get('materialized')
  const kind = setting === undefined ? 'view' : toText(setting.value)
  if (isMaterializeKind(kind)) return kind === materializeKinds[0] ? {} : { materialize: kind }
  const hints: Readonly<Record<string, string>> = {
    incremental: 'svc has no incremental models yet: each run that finds a change builds the whole table.',
    materialized_view: 'svc builds it anew when what it reads has changed.',
  }
  const hint = Object.hasOwn(hints, kind) ? hints[kind] : 'svc has table, view and ephemeral.'
  const asset = project.nameOf(node)
  const site = setting?.site ?? startOf(template)
  project.notes.add('changed', site, `${asset} is a table, not ${kind}`, { hint, asset })
  return {}
}

/** A plain name, and none of the schemas of svc and of the warehouse. */
const schemaName = /^(?!svc$|svc_samples|svc_g_|information_schema$|pg_catalog$)[a-z_][a-z0-9_]*$/

/** dbt puts a schema of its own behind that of the target, unless the project has a macro that says otherwise. */
function schemaOf(project: DbtProject, node: DbtNode, config: Config): PlainMap {
  const own = config.text('schema')
  if (own === undefined) return {}
  const template = { path: node.path, text: '' }
  const written = orProblem(
    () => {
      const unrolling = new Unrolling(project, template, { of: node.of, config, name: node.name })
      const given = { positional: [own, unrolling.node()], named: new Map() }
      return unrolling.callMacro('generate_schema_name', given)?.sql.trim()
    },
    problem => project.notes.problem(problem, 'the macro generate_schema_name', 'Set deploy.schema by hand.'),
  )
  const schema = (written ?? `${project.schema}_${own.trim()}`).toLowerCase()
  if (!schemaName.test(schema)) {
    const what = `the schema "${schema}" of ${project.nameOf(node)}, which svc or the warehouse cannot use`
    project.notes.add('todo', startOf({ path: node.path, text: '' }), what, {
      hint: 'Set deploy.schema by hand.',
    })
    return {}
  }
  return schema === project.schema ? {} : { schema }
}
