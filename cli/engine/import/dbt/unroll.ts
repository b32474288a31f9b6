/**
 * Unrolls one template of a dbt project into SQL of svc: loops, conditions and macros are carried out, references
 * become svc's own tags, and what the template configures is collected.
 */
import { bound, one, textArgument } from '../jinja/arguments.ts'
import { Scope } from '../jinja/evaluate.ts'
import { itemsOf } from '../jinja/iterate.ts'
import { momentNow, timeModules } from '../jinja/moments.ts'
import { CallProblem, JinjaProblem, type Site, type Template } from '../jinja/problem.ts'
import { Renderer } from '../jinja/render.ts'
import { parseTemplate } from '../jinja/statements.ts'
import { type Arguments, Dict, fn, JinjaObject, toText, type Value } from '../jinja/values.ts'
import { Config } from './config.ts'
import { type DbtProject, missingPackage, packageNamed, searchOrder, variable } from './dbt-project.ts'
import type { Macro } from './macros.ts'
import { DraftMarks } from './marks.ts'
import type { DbtPackage } from './packages.ts'
import type { DbtSource } from './project-index.ts'
import { assetOf, nodeFor, relation, sourceFor, tagOf } from './references.ts'
import { columnsOfTable, columnValue } from './relation-columns.ts'
import { star } from './star.ts'
import { asking, envVar, fixedName, slugify, targetOf } from './template-names.ts'
import type { Unrolled, UnrollOptions } from './unrolled.ts'
import type { Part } from './yaml-part.ts'

export class Unrolling {
  readonly reads = new Set<string>()
  readsItself: Site | undefined
  readonly #project: DbtProject
  readonly #template: Template
  readonly #options: UnrollOptions
  readonly #config: Config
  readonly #renderer = new Renderer()
  readonly #macros = new Map<Macro, JinjaObject>()

  constructor(project: DbtProject, template: Template, options: UnrollOptions) {
    this.#project = project
    this.#template = template
    this.#options = options
    this.#config = options.config ?? new Config()
  }

  /** Throws JinjaProblem for what cannot be unrolled. */
  sql(): Unrolled {
    const marks = new DraftMarks(this.#project)
    const statements = parseTemplate(this.#template, { tidy: true })
    const scope = new Scope(name => this.#find(name, this.#options.of))
    const draft = this.#renderer.render(statements, this.#template, scope, marks)
    const sql = this.#withNames(marks.finish(draft))
    this.#refuseTags(sql)
    return { sql, reads: this.reads, readsItself: this.readsItself }
  }

  /** In a text of SQL a tag is no table: the name of the asset is written there. */
  #withNames(sql: string): string {
    const tags: string[] = []
    // The quotes of a tag would end the text around it.
    const plain = sql.replace(/\{\{ (?:ref\('\w+'\)|this) \}\}/g, tag => `\uE003${tags.push(tag) - 1}\uE004`)
    if (tags.length === 0) return sql
    const mark = /\uE003(\d+)\uE004/g
    const tagOfMark = (_: string, index: string) => tags[Number(index)] ?? ''
    let [named, done] = ['', 0]
    for (const { kind, start, end } of this.#project.engine.tokens(plain)) {
      if (kind !== 'string') continue
      const text = plain.slice(start, end)
      const other = text.replace(mark, (_, index) => this.#nameIn(tags[Number(index)] ?? ''))
      if (other === text) continue
      const site = { template: this.#template, at: 0 }
      this.#changed(
        'a table within a text is the name of its asset',
        'dbt writes its database and schema, too.',
        site,
      )
      named += plain.slice(done, start) + other
      done = end
    }
    return (named + plain.slice(done)).replace(mark, tagOfMark)
  }

  #nameIn(tag: string): string {
    return /ref\('(\w+)'\)/.exec(tag)?.[1] ?? this.#options.name ?? 'this'
  }

  /** Text that looks like a tag of svc and is none. */
  #refuseTags(sql: string): void {
    const foreign = [...sql.matchAll(/\{\{[\s\S]*?(\}\}|$)/g)].find(([tag]) => !ownTag.test(tag))
    if (foreign === undefined) return
    const at = Math.max(0, this.#template.text.indexOf(foreign[0]))
    const what = `its SQL has ${foreign[0].slice(0, 60)} as a text, which svc would read as a tag`
    throw new JinjaProblem(
      what,
      { template: this.#template, at },
      'Put the braces together in SQL, or write it in another way.',
    )
  }

  /** The value of a text that is one expression; the text that it makes otherwise. */
  value(): Value {
    const statements = parseTemplate(this.#template, { tidy: false })
    const scope = new Scope(name => this.#find(name, this.#options.of))
    const [only, ...others] = statements
    if (only?.kind !== 'output' || others.length > 0) {
      return this.#renderer.render(statements, this.#template, scope)
    }
    return this.#renderer.evaluate(only.value, scope, this.#template)
  }

  /** Calls a macro of the project with values; a test is one. */
  callMacro(name: string, given: Arguments): Unrolled | undefined {
    const macro = this.#macroNamed(name, this.#options.of)
    if (macro === undefined) return undefined
    const site = { template: this.#template, at: 0 }
    const value = this.#renderer.at(site, () => this.#renderer.call(this.#function(macro), given, site))
    const sql = this.#withNames(new DraftMarks(this.#project).finish(toText(value)))
    return { sql, reads: this.reads, readsItself: this.readsItself }
  }

  /** What dbt hands to a macro such as `generate_schema_name` as `node`. */
  node(): JinjaObject {
    return this.#model()
  }

  // -------------------------------------------------------------- names

  #find(name: string, of: DbtPackage): Value | undefined {
    const macro = this.#macroNamed(name, of)
    // A project may have its own ref and source, which call those of dbt as builtins.
    if (macro !== undefined && replaceable.has(name) && macro.package === this.#project.root.name)
      return this.#function(macro)
    const own = this.#own(name, of)
    if (own !== undefined) return own
    if (macro !== undefined) return this.#function(macro)
    return fixedName(name) ?? this.#namespace(name)
  }

  /** Names that depend on the file that is unrolled. */
  #own(name: string, of: DbtPackage): Value | undefined {
    // A macro of another package asks in the name of the model that calls it.
    const own = this.#options.of
    switch (name) {
      case 'ref':
        return fn(name, given => this.#relation(this.#project.nameOf(nodeFor(this.#project, own, given))))
      case 'source':
        return fn(name, given => this.#sourceRelation(sourceFor(this.#project, own, given)))
      case 'var':
        return this.#variables(own)
      case 'env_var':
        return fn(name, (given, site) => this.#environment(given, site))
      case 'config':
        return this.#configuration()
      case 'this':
        return this.#itself()
      case 'model':
        return this.#model()
      case 'target':
        return targetOf(this.#project)
      case 'load_relation':
        return fn(name, given => {
          const table = one(given, name)
          return assetOf(table) === this.#options.name ? null : table
        })
      case 'doc':
        return fn(name, given => this.#doc(given))
      case 'adapter':
        return this.#adapter(of)
      case 'builtins':
        return new JinjaObject({ name, member: member => this.#own(member, of) })
      case 'schema':
        return this.#project.profile.schema ?? this.#project.schema
      case 'database':
        return this.#project.profile.database ?? 'warehouse'
      case 'run_started_at':
        return momentNow(() => this.#present())
      case 'modules':
        return this.#modules()
      case 'project_name':
        return this.#project.root.name
      default:
        return undefined
    }
  }

  /** A template is unrolled once, so that a time stays that of the import. */
  #present(): number {
    const { notes, now } = this.#project
    const at = Math.max(0, this.#template.text.search(/\b(run_started_at|modules)\b/))
    const message = 'the time of the import is written where dbt has the time of each run'
    const hint = 'Write now() in its place where each run is to have its own.'
    notes.share('changed', { template: this.#template, at }, message, { hint, asset: this.#options.name })
    return now
  }

  #modules(): JinjaObject {
    const known = timeModules(() => this.#present())
    return new JinjaObject({ name: 'modules', member: name => known.get(name) ?? asking(`modules.${name}`) })
  }

  #relation(
    asset: string,
    parts: { readonly identifier?: string; readonly schema?: string } = {},
  ): JinjaObject {
    this.reads.add(asset)
    return relation({ tag: () => tagOf(asset), asset, ...this.#place, ...parts })
  }

  get #place(): { readonly schema: string; readonly database: string } {
    const { profile, schema } = this.#project
    return { schema: profile.schema ?? schema, database: profile.database ?? 'warehouse' }
  }

  #sourceRelation(source: DbtSource): JinjaObject {
    return this.#relation(this.#project.nameOf(source), this.#placeOf(source))
  }

  #placeOf({ part, sourcePart, of, source, table }: DbtSource) {
    const text = (part: Part | undefined, otherwise: string) =>
      part?.text === undefined ? otherwise : renderedText(this.#project, of, part.text, part.site)
    const database = sourcePart.get('database') ?? sourcePart.get('catalog')
    return {
      identifier: text(part.get('identifier'), table).trim(),
      schema: text(sourcePart.get('schema'), source).trim(),
      ...(database !== undefined && { database: text(database, '') }),
    }
  }

  /** Only what is written of it reads the table: its name is nothing but a name. */
  #itself(): JinjaObject {
    const tag = () => {
      this.readsItself ??= { template: this.#template, at: 0 }
      return '{{ this }}'
    }
    return relation({ tag, asset: this.#options.name ?? 'this', ...this.#place })
  }

  #variables(of: DbtPackage): JinjaObject {
    const find = (name: string) => variable(this.#project, of, name)
    return new JinjaObject({
      name: 'var',
      call: given => {
        const [name, usual] = bound(given, ['name', 'default'], 'var')
        const found = find(textArgument(name, 'var'))
        if (found !== undefined) return this.#renderedVariable(found, of)
        if (usual !== undefined) return usual
        throw new CallProblem(`the variable "${toText(name ?? '')}" has no value and no default`, varHint)
      },
      member: name =>
        name === 'has_var'
          ? fn(name, ({ positional: [key] }) => find(toText(key ?? '')) !== undefined)
          : undefined,
    })
  }

  /** A variable may be a template, which is rendered where it is used. */
  #renderedVariable(value: Value, of: DbtPackage): Value {
    if (typeof value !== 'string' || !/\{[{%#]/.test(value)) return value
    const template = { path: this.#project.root.settings.template.path, text: value }
    const scope = new Scope(name => this.#find(name, of))
    return this.#renderer.budget.inside(() =>
      this.#renderer.render(parseTemplate(template, { tidy: false }), template, scope),
    )
  }

  #environment(given: Arguments, site: Site): Value {
    const { value, read } = envVar(given, this.#project)
    if (read !== undefined) {
      const message = `the value that the variable ${read} has here is written into the new project`
      this.#changed(
        message,
        'Write it as a variable of svc.yaml where it differs by environment: docs/assets.md.',
        site,
      )
    }
    return value
  }

  #configuration(): JinjaObject {
    const get = (given: Arguments): Value => {
      const [name, usual] = bound(given, ['name', 'default', 'validator'], 'config.get')
      const setting = this.#config.get(textArgument(name, 'config.get'))
      return setting === undefined ? (usual ?? null) : setting.value
    }
    return new JinjaObject({
      name: 'config',
      call: ({ positional: [first], named }, site) => {
        const all = [...(first instanceof Dict ? first.entries : []), ...named]
        for (const [key, value] of all) this.#config.set(String(key), { value, site })
        return ''
      },
      member: name => (['get', 'require', 'meta_get'].includes(name) ? fn(name, get) : undefined),
    })
  }

  #model(): JinjaObject {
    const { name = '', of } = this.#options
    const members = new Map<string, Value>([
      ['name', name],
      ['alias', this.#config.text('alias') ?? name],
      ['package_name', of.name],
      ['schema', this.#project.schema],
      ['config', this.#configuration()],
    ])
    return new JinjaObject({ name: 'model', member: member => members.get(member) })
  }

  #doc({ positional }: Arguments): Value {
    const name = toText(positional.at(-1) ?? '')
    const block = this.#project.index.docs.get(name)
    this.#project.usesDoc(name)
    if (block !== undefined) return block.text
    throw new CallProblem(`no {% docs ${name} %} block is there`)
  }

  // -------------------------------------------------------------- macros

  #macroNamed(name: string, of: DbtPackage): Macro | undefined {
    const { own, library } = this.#project.macros
    return (
      own.get(of.name)?.get(name) ??
      own.get(this.#project.root.name)?.get(name) ??
      library.get('dbt')?.get(name)
    )
  }

  /** A macro sees the names of its own package. */
  #function(macro: Macro): JinjaObject {
    const known = this.#macros.get(macro)
    if (known !== undefined) return known
    const of = packageNamed(this.#project, macro.package) ?? this.#options.of
    const plain = this.#renderer.macro(
      macro,
      macro.template,
      name =>
        // What a library calls without a package is its own.
        this.#libraryName(macro, name) ?? this.#find(name, of),
    )
    const made = fn(macro.name, (given, site) => {
      try {
        return plain.parts.call?.(given, site) ?? null
      } catch (error) {
        if (error instanceof JinjaProblem) error.calledAt = site
        throw error
      }
    })
    this.#macros.set(macro, made)
    return made
  }

  #libraryName({ package: owner }: Macro, name: string): Value | undefined {
    if (packageNamed(this.#project, owner) !== undefined) return undefined
    if (owner === 'dbt_utils' && name === 'slugify') return slugify
    const found = this.#project.macros.library.get(owner)?.get(name)
    return found === undefined ? undefined : this.#function(found)
  }

  /** `some_package.some_macro`. */
  #namespace(name: string): Value | undefined {
    const { own, library } = this.#project.macros
    const isAsked = this.#project.missing.some(each => [name, `dbt_${name}`].includes(each.name))
    if (!own.has(name) && !library.has(name) && !isAsked) return undefined
    return new JinjaObject({ name, member: member => this.#packageMacro(name, member) })
  }

  #packageMacro(name: string, member: string): Value {
    const full = `${name}.${member}`
    if (full === 'dbt_utils.slugify') return slugify
    if (full === 'dbt_utils.star')
      return star(this.#project, (message, hint, site) => this.#changed(message, hint, site))
    const { own, library } = this.#project.macros
    const replaced = this.#replaced(name, member)
    if (replaced !== undefined) return this.#function(replaced)
    const { preferred, askingMacros } = this.#project.dialect
    const installed = preferred.has(full) ? undefined : own.get(name)?.get(member)
    const supplied =
      library.get(name)?.get(member) ?? (name === 'dbt_utils' ? library.get('dbt')?.get(member) : undefined)
    const isAsking = askingMacros.has(full) && supplied === undefined
    const macro = isAsking ? undefined : (installed ?? supplied)
    if (macro !== undefined) return this.#function(macro)
    if (isAsking)
      throw new CallProblem(`${full} asks the warehouse for what to write`, askingMacros.get(full))
    if (own.has(name)) throw new CallProblem(`the package ${name} has no macro "${member}"`)
    if (name === 'dbt') throw new CallProblem(`the macro ${full} is not known here`)
    throw missingPackage(this.#project, name)
  }

  /** A macro of a package that the project says to be looked for elsewhere first, under `dispatch`. */
  #replaced(owner: string, name: string): Macro | undefined {
    const order = searchOrder(this.#project, owner) ?? (owner === 'dbt' ? [this.#project.root.name] : [])
    const { adapter } = this.#project.dialect
    const before = order.includes(owner) ? order.slice(0, order.indexOf(owner)) : order
    for (const each of before) {
      const macros = this.#project.macros.own.get(each)
      const found = macros?.get(`${adapter}__${name}`) ?? macros?.get(`default__${name}`)
      if (found !== undefined) return found
    }
    return undefined
  }

  #changed(message: string, hint: string, site: Site): void {
    this.#project.notes.add('changed', site, message, { hint, asset: this.#options.name })
  }

  #adapter(of: DbtPackage): JinjaObject {
    return new JinjaObject({
      name: 'adapter',
      member: member => {
        if (member === 'quote') return fn(member, ({ positional: [name] }) => `"${toText(name ?? '')}"`)
        if (member === 'type') return fn(member, () => this.#project.dialect.adapter)
        if (member === 'get_columns_in_relation')
          return fn(member, given => columnsOfTable(this.#project, one(given, member)).map(columnValue))
        if (member === 'get_relation') return fn(member, given => this.#relationNamed(given))
        return member === 'dispatch'
          ? fn(member, given => this.#dispatched(given, of))
          : asking(`adapter.${member}`)
      },
    })
  }

  /** A table that is there once everything has run; the own one is not there before, as in a first run. */
  #relationNamed(given: Arguments): Value {
    const [, place, name] = bound(given, ['database', 'schema', 'identifier'], 'adapter.get_relation')
    const wanted = textArgument(name, 'adapter.get_relation').toLowerCase()
    const schema = place === undefined || place === null ? '' : toText(place).toLowerCase()
    if (wanted === this.#options.name?.toLowerCase()) return null
    const { nodes, sources } = this.#project.index
    const named = sources.filter(source => this.#placeOf(source).identifier.toLowerCase() === wanted)
    const exact = named.find(source => this.#placeOf(source).schema.toLowerCase() === schema)
    if (exact !== undefined) return this.#sourceRelation(exact)
    const node = nodes.find(each => this.#project.nameOf(each).toLowerCase() === wanted)
    if (node !== undefined) return this.#relation(this.#project.nameOf(node))
    const [other] = named
    if (other !== undefined) return this.#sourceRelation(other)
    throw new CallProblem(
      `whether there is a table ${wanted} is known to the warehouse alone`,
      'Write out what it gives, and import again.',
      { message: 'whether there is a table is known to the warehouse alone' },
    )
  }

  /** The variant of a macro for DuckDB, else the general one; those of the project come first. */
  #dispatched(given: Arguments, of: DbtPackage): Value {
    const parameters = ['macro_name', 'macro_namespace', 'packages']
    const [macro, namespace, listed] = bound(given, parameters, 'adapter.dispatch')
    const name = textArgument(macro, 'adapter.dispatch')
    const owner = namespace === undefined || namespace === null ? of.name : toText(namespace)
    // Older packages list where to look.
    const others = listed === undefined || listed === null ? [] : itemsOf(listed).map(toText)
    const { own, library } = this.#project.macros
    const full = `${owner}.${name}`
    const { adapter, preferred } = this.#project.dialect
    if (preferred.has(full)) return this.#packageMacro(owner, name)
    const order = searchOrder(this.#project, owner)
    const names = [...others, ...(order ?? [this.#project.root.name]), owner, of.name]
    for (const macros of names.map(each => own.get(each))) {
      const found = macros?.get(`${adapter}__${name}`) ?? macros?.get(`default__${name}`)
      if (found !== undefined) return this.#function(found)
    }
    const supplied = library.get(owner)?.get(name)
    if (supplied !== undefined) return this.#function(supplied)
    if (this.#project.missing.some(each => each.name === owner)) throw missingPackage(this.#project, owner)
    throw new CallProblem(
      `the macro ${name} has no variant for ${this.#project.engine.label}`,
      `Write ${adapter}__${name} or default__${name}.`,
    )
  }
}

/** The names of dbt that a macro of the project may take the place of. */
const replaceable = new Set(['ref', 'source', 'config'])

/** The tags that the import itself writes. */
const ownTag = /^\{\{ (this|(ref|var)\('[^']*'\)) \}\}$/

const varHint = 'Give it one under vars of dbt_project.yml.'

/** Renders a text of a schema file if it has a template in it. */
export function renderedText(project: DbtProject, of: DbtPackage, text: string, site: Site): string {
  return toText(renderedValue(project, of, text, site))
}

/** The same, where one expression may be more than a text, as dbt takes the arguments of tests. */
export function renderedValue(project: DbtProject, of: DbtPackage, text: string, site: Site): Value {
  if (!/\{[{%#]/.test(text)) return text
  const template: Template = { path: site.template.path, text }
  try {
    return new Unrolling(project, template, { of }).value()
  } catch (error) {
    if (error instanceof JinjaProblem) throw new JinjaProblem(error.message, site, error.hint, error.shared)
    throw error
  }
}
