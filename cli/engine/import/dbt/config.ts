/** What is set for a model, seed or test: folder defaults of dbt_project.yml, then its schema file, then its own file. */

import type { Site } from '../jinja/problem.ts'
import { fromData, isList, isTrue, toText, type Value } from '../jinja/values.ts'
import type { DbtPackage } from './packages.ts'
import type { Part } from './yaml-part.ts'

export interface Setting {
  readonly value: Value
  readonly site: Site
}

export class Config {
  readonly #settings = new Map<string, Setting>()
  readonly #asked = new Set<string>()

  /** Tags and meta are added to those that are there; all else takes the place of what was there. */
  set(key: string, { value, site }: Setting): void {
    const name = key.replace(/^\+/, '').replaceAll('-', '_')
    const before = this.#settings.get(name)?.value
    const isAdded = name === 'tags' && before !== undefined
    const whole = isAdded ? [...tagsOf(before), ...tagsOf(value)] : value
    this.#settings.set(name, { value: whole, site })
  }

  /** Adds all entries of a mapping, rendered. */
  setAll(part: Part | undefined, rendered: (part: Part) => Value): void {
    for (const { key, at, value } of part?.entries() ?? [])
      this.set(key, { value: rendered(value), site: at })
  }

  get(name: string): Setting | undefined {
    this.#asked.add(name)
    return this.#settings.get(name)
  }

  /** What is set and nobody has asked for. */
  unread(): readonly (Setting & { readonly key: string })[] {
    return [...this.#settings].flatMap(([key, setting]) =>
      this.#asked.has(key) || isNothing(setting.value) ? [] : [{ key, ...setting }],
    )
  }

  text(name: string): string | undefined {
    const value = this.get(name)?.value
    return value === undefined || value === null ? undefined : toText(value)
  }

  flag(name: string): boolean | undefined {
    const text = this.text(name)?.trim().toLowerCase()
    // A template that could not be rendered says neither.
    return text === undefined || text.includes('{{') ? undefined : text === 'true'
  }
}

/** A setting that is switched off, or empty, asks for nothing. */
function isNothing(value: Value): boolean {
  return value === null || value === false || (typeof value !== 'number' && !isTrue(value))
}

export function tagsOf(value: Value): readonly Value[] {
  return isList(value) ? value : [value]
}

/** Keys that are settings although they have no plus, as older projects write them. */
const settings = new Set([
  ...'materialized schema database alias tags enabled meta docs persist_docs full_refresh pre-hook'.split(
    ' ',
  ),
  ...'post-hook pre_hook post_hook grants group access contract severity where quote_columns'.split(' '),
  ...'indexes unlogged column_types delimiter unique_key incremental_strategy on_schema_change store_failures'.split(
    ' ',
  ),
  ...'warn_if error_if limit quoting transient bind event_time freshness'.split(' '),
])

/**
 * Sets the folder defaults for something of a package: what its package says, then what the project says. `names`:
 * the folders below the package, and the name.
 */
export function setFolderDefaults(
  config: Config,
  section: string,
  of: DbtPackage,
  names: readonly string[],
  root: DbtPackage,
  rendered: (part: Part) => Value,
): void {
  const packages = of.isRoot ? [root] : [of, root]
  for (const each of packages) descend(config, each.settings.get(section), [of.name, ...names], rendered)
}

function descend(
  config: Config,
  part: Part | undefined,
  names: readonly string[],
  rendered: (part: Part) => Value,
): void {
  const [next, ...rest] = names
  for (const entry of part?.entries() ?? []) {
    const { key, at } = entry
    const isPlain = key.startsWith('+') || (settings.has(key) && !(key === next && entry.isMap))
    // What is no folder is a setting, with a plus or without.
    if (isPlain || !entry.isMap) config.set(key, { value: rendered(entry.value), site: at })
  }
  const below = next === undefined ? undefined : part?.get(next)
  if (below?.isMap === true) descend(config, below, rest, rendered)
}

export function dataValue(part: Part): Value {
  return fromData(part.data())
}
