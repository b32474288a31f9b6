/** Expands the macros in all SQL of an asset. */
import type { Asset, Hash, Hook, Ref } from '../project/project.ts'
import { storedFacts } from '../project/stored-asset.ts'
import { builtTemplates, templatesOf } from '../project/templates.ts'
import { type MacroTag, type SqlTemplate, withNested } from '../syntax/template.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { diagnosticOf } from './create-macros.ts'
import { type ExpandSettings, type Expansion, expandTemplate } from './expand-template.ts'
import { callsIn, type Macro, type Macros } from './macro.ts'

/** Returns the calls of macros in an asset as its file has it, without parsing one that was kept. */
export function macroCalls(asset: Asset): readonly MacroTag[] {
  const facts = storedFacts(asset)
  const lists =
    facts === undefined
      ? templatesOf(asset).map(({ tags }) => tags)
      : [
          facts.tags ?? [],
          ...(facts.testTags ?? []).map(([, tags]) => tags),
          ...(facts.hookTags ?? []).map(([, , tags]) => tags),
        ]
  return lists.flatMap(tags => (tags.some(({ kind }) => kind === 'macro') ? callsIn(tags) : []))
}

/** Returns the asset itself if it calls no macros. */
export function expandAsset(asset: Asset, macros: Macros, settings: ExpandSettings, hash: Hash): Asset {
  return macroCalls(asset).length === 0 ? asset : new ExpandedAsset(asset, macros, settings, hash)
}

/** The asset as its file has it: what an editor changes. */
export function asWritten(asset: Asset): Asset {
  return asset.written ?? asset
}

/** It parses no more than is asked for, as a kept asset does. */
class ExpandedAsset implements Asset {
  readonly written: Asset
  readonly macros: readonly Macro[]
  readonly macroHash: string
  readonly sql: SqlTemplate | undefined
  readonly testSql: ReadonlyMap<number, SqlTemplate>
  readonly hooks: readonly Hook[]
  readonly #expansions: readonly [SqlTemplate, Expansion][]
  #refs: readonly Ref[] | undefined
  #diagnostics: readonly Diagnostic[] | undefined

  constructor(written: Asset, macros: Macros, settings: ExpandSettings, hash: Hash) {
    this.written = written
    const expansions: [SqlTemplate, Expansion][] = []
    const expanded = (template: SqlTemplate): SqlTemplate => {
      if (!template.tags.some(({ kind }) => kind === 'macro')) return template
      const expansion = expandedWhole(template, macros, settings)
      expansions.push([template, expansion])
      return expansion.template
    }
    this.sql = written.sql && expanded(written.sql)
    this.testSql = new Map(Array.from(written.testSql, ([index, template]) => [index, expanded(template)]))
    this.hooks = written.hooks.map(hook => ({ ...hook, template: expanded(hook.template) }))
    this.#expansions = expansions
    this.macros = [...new Set(expansions.flatMap(([, { used }]) => used))]
    this.macroHash = hash(JSON.stringify(expansions.map(([, each]) => groundOf(each))))
  }

  get path() {
    return this.written.path
  }

  get text() {
    return this.written.text
  }

  get textHash() {
    return this.written.textHash
  }

  get tree() {
    return this.written.tree
  }

  get name() {
    return this.written.name
  }

  get definition() {
    return this.written.definition
  }

  get inherited() {
    return this.written.inherited
  }

  get python() {
    return this.written.python
  }

  get hasPython() {
    return this.written.hasPython === true
  }

  get refs() {
    this.#refs ??= [...this.written.refs, ...this.#expandedRefs()]
    return this.#refs
  }

  get diagnostics() {
    this.#diagnostics ??= [...this.written.diagnostics, ...this.#problems()].sort(
      (a, b) => a.range.start - b.range.start || a.range.end - b.range.end,
    )
    return this.#diagnostics
  }

  /** The refs that macros and their arguments bring. */
  *#expandedRefs(): Iterable<Ref> {
    const built = new Set(builtTemplates(this.written))
    for (const [template, { template: expanded }] of this.#expansions) {
      const from = built.has(template) ? 'transform' : 'test'
      const own = new Set(withNested(template.tags).flatMap(tag => (tag.kind === 'ref' ? [tag.name] : [])))
      for (const tag of expanded.tags)
        if (tag.kind === 'ref' && !own.has(tag.name)) {
          own.add(tag.name)
          yield refOf(expanded, tag.name, tag.nameRange, from)
        }
    }
  }

  *#problems(): Iterable<Diagnostic> {
    for (const [template, { problems }] of this.#expansions)
      for (const problem of problems) {
        const range = template.toFile.rangeToOriginal(problem.range)
        const { elsewhere } = template
        // What is wrong in a test of one's own cannot be put right where it is used.
        const { replacement: _replacement, ...rest } = problem
        yield elsewhere === undefined
          ? diagnosticOf(this.path, { ...problem, range })
          : diagnosticOf(this.path, { ...rest, range, message: `${problem.message}, in ${elsewhere.path}` })
      }
  }
}

/** The text of a test of one's own keeps its places in the file of the test. */
function expandedWhole(template: SqlTemplate, macros: Macros, settings: ExpandSettings): Expansion {
  const expansion = expandTemplate(template, macros, settings)
  const { elsewhere } = template
  if (elsewhere === undefined) return expansion
  const atOrigin = expandTemplate({ ...template, toFile: elsewhere.toOrigin }, macros, settings)
  const toOrigin = atOrigin.template.toFile
  return { ...expansion, template: { ...expansion.template, elsewhere: { ...elsewhere, toOrigin } } }
}

function refOf({ toFile }: SqlTemplate, name: string, nameRange: Ref['range'], from: Ref['from']): Ref {
  return {
    name,
    from,
    get range() {
      return toFile.rangeToOriginal(nameRange)
    },
  }
}

/** All that an analysis of the expanded SQL depends on: its text, what is wrong, and the places that messages name. */
function groundOf({ template, problems }: Expansion) {
  const places = template.expanded?.map(({ start, macro, path, place }) => [start, macro, path, place.start])
  return [template.text, places ?? [], problems]
}
