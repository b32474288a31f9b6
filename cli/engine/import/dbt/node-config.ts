/** What is set for a model or seed, by folders, schema file and its own file. */
import { Dict, toText } from '../jinja/values.ts'
import { Config, setFolderDefaults } from './config.ts'
import type { DbtProject } from './dbt-project.ts'
import type { DbtNode } from './project-index.ts'
import { renderedPart } from './rendered-part.ts'
import type { Part } from './yaml-part.ts'

/** The settings before those of its own file. */
export function outerConfig(project: DbtProject, node: DbtNode): Config {
  const config = new Config()
  // Hooks and the like are texts that are never run here.
  const rendered = (part: Part) => renderedPart(project, node.of, part, (_, text) => text)
  const section = node.kind === 'seed' ? 'seeds' : 'models'
  setFolderDefaults(config, section, node.of, [...node.folders, node.name], project.root, rendered)
  for (const part of [node.properties, node.versionProperties]) {
    for (const key of ['tags', 'meta', 'docs', 'group', 'access', 'alias']) {
      const entry = part?.entries().find(each => each.key === key)
      if (entry !== undefined) config.set(key, { value: rendered(entry.value), site: entry.at })
    }
    config.setAll(part?.get('config'), rendered)
  }
  return config
}

/** How rows are added to a table that is built as a whole is no question here, nor how names are quoted. */
const idle = ['unique_key', 'incremental_strategy', 'on_schema_change', 'quote_columns', 'alias']

/** What is done by hand in svc, or has no counterpart. */
const unlike: Readonly<
  Record<string, readonly ['todo' | 'changed' | 'left_out', string, string | undefined]>
> = {
  pre_hook: ['todo', 'a pre-hook', 'Write its statements under deploy.before.'],
  post_hook: [
    'todo',
    'a post-hook',
    'Write its statements under deploy.after, with {{ this }} for the table.',
  ],
  grants: ['todo', 'grants', 'Where the warehouse has roles, write them under deploy.grants.'],
  database: ['changed', 'a database of its own', 'All assets of a project are in one warehouse.'],
  sql_header: ['todo', 'a header before the SQL', 'Run it before "svc run", or write it into the SQL.'],
}

export function noteConfig(project: DbtProject, config: Config, asset: string): void {
  for (const key of idle) config.get(key)
  noteMeta(project, config)
  for (const { key, site } of config.unread()) {
    const known = Object.hasOwn(unlike, key) ? unlike[key] : undefined
    const [level, what, hint] = known ?? (['left_out', `the setting "${key}"`, undefined] as const)
    // A default of a folder is told once.
    project.notes.add(level, site, what, { hint, asset: level === 'todo' ? asset : undefined })
  }
}

function noteMeta({ notes }: DbtProject, config: Config): void {
  const meta = config.get('meta')
  if (!(meta?.value instanceof Dict)) return
  for (const key of meta.value.entries.keys()) {
    if (key !== 'owner') notes.add('left_out', meta.site, `meta "${key}"`)
  }
}

/** `meta.owner`, else who owns the group. */
export function ownerOf({ index }: DbtProject, config: Config): string | undefined {
  const meta = config.get('meta')?.value
  const owner = meta instanceof Dict ? meta.entries.get('owner') : undefined
  if (owner !== undefined && owner !== null) return toText(owner)
  const name = config.text('group')
  const group = index.others.find(each => each.kind === 'groups' && each.name === name)?.part.get('owner')
  const email = group?.get('email')?.items()[0]?.text
  return email ?? group?.get('name')?.text
}
