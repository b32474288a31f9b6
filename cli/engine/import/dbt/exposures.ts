import { described } from './columns.ts'
import { Config, dataValue, setFolderDefaults } from './config.ts'
import type { DbtProject } from './dbt-project.ts'
import { orProblem } from './notes.ts'
import type { Declared } from './project-index.ts'
import { renderedText } from './unroll.ts'
import type { Part } from './yaml-part.ts'

const types: Readonly<Record<string, string>> = {
  dashboard: 'dashboard',
  notebook: 'notebook',
  analysis: 'report',
  ml: 'ml',
  application: 'application',
}

/** Returns undefined for one that is disabled, which is noted. */
export function exposure(project: DbtProject, { of, part, name, folders }: Declared) {
  const { notes } = project
  const config = new Config()
  setFolderDefaults(config, 'exposures', of, [...folders, name], project.root, dataValue)
  const enabled = part.get('config')?.get('enabled') ?? part.get('enabled')
  const isEnabled = enabled === undefined ? config.flag('enabled') !== false : enabled.text !== 'false'
  for (const { key, site } of config.unread()) notes.add('left_out', site, `the setting "${key}"`)
  if (!isEnabled) {
    notes.add('left_out', part.site, 'a disabled exposure')
    part.settle()
    return undefined
  }
  const type = part.get('type')?.text ?? 'other'
  const owner = ownerIn(notes, part)
  const assets = (part.get('depends_on')?.items() ?? []).flatMap(item => {
    if (/^\s*metric\s*\(/.test(item.text ?? '')) {
      notes.add('left_out', item.site, `the exposure ${name} depends on ${item.text}`)
      return []
    }
    const text = orProblem(
      () => renderedText(project, of, `{{ ${item.text ?? ''} }}`, item.site),
      problem => notes.problem(problem, `the exposure ${name}`, 'Name a model that is there.'),
    )
    const asset = /^\{\{ ref\('(\w+)'\) \}\}$/.exec(text ?? '')?.[1]
    if (text !== undefined && asset === undefined)
      notes.add('left_out', item.site, `the exposure ${name} depends on ${item.text ?? 'nothing'}`)
    return asset ?? []
  })
  if (assets.length === 0) {
    notes.add('todo', part.site, `the exposure ${name} depends on no model`, {
      hint: 'List it under "exposures" in the file of an asset that it uses.',
    })
  }
  return {
    assets,
    exposure: {
      name: part.get('label')?.text ?? name,
      type: Object.hasOwn(types, type) ? types[type] : 'other',
      url: part.get('url')?.text,
      owner,
      description: described({ project, of, asset: name, folders: [] }, part),
    },
  }
}

/** The address of an owner, else the name; all else that is said of the owner has no place. */
export function ownerIn(notes: DbtProject['notes'], part: Part): string | undefined {
  const owner = part.get('owner')
  const [email, ...others] = owner?.get('email')?.items() ?? []
  const name = owner?.get('name')?.text
  for (const { key, at } of owner?.entries() ?? [])
    if (key !== 'name' && key !== 'email') notes.add('left_out', at, `"${key}" of owner`)
  for (const each of others)
    notes.add('left_out', each.site, `another address of an owner: ${each.text ?? ''}`)
  owner?.settle()
  return email?.text ?? name
}
