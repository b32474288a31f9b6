import { described } from './columns.ts'
import type { DbtProject } from './dbt-project.ts'
import { orProblem } from './notes.ts'
import type { Declared } from './project-index.ts'
import { renderedText } from './unroll.ts'

const types: Readonly<Record<string, string>> = {
  dashboard: 'dashboard',
  notebook: 'notebook',
  analysis: 'report',
  ml: 'ml',
  application: 'application',
}

/** Returns undefined for one that is disabled, which is noted. */
export function exposure(project: DbtProject, { of, part, name }: Declared) {
  const { notes } = project
  if ((part.get('config')?.get('enabled') ?? part.get('enabled'))?.text === 'false') {
    notes.add('left_out', part.site, 'a disabled exposure')
    part.settle()
    return undefined
  }
  const type = part.get('type')?.text ?? 'other'
  const owner = part.get('owner')
  // One of the two is enough.
  owner?.settle()
  const assets = (part.get('depends_on')?.items() ?? []).flatMap(item => {
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
      owner: owner?.get('email')?.items()[0]?.text ?? owner?.get('name')?.text,
      description: described({ project, of, asset: name, folders: [] }, part),
    },
  }
}
