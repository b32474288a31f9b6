/** How dbt keeps the table of a model: its indexes, and whether it is in the server's log. */
import { type MaterializeKind, materializationOf } from '@svc/server/language'
import { Dict, isList, isTrue, toText, type Value } from '../jinja/values.ts'
import type { PlainMap } from './asset-draft.ts'
import type { Config, Setting } from './config.ts'
import type { DbtProject } from './dbt-project.ts'

const indexKeys = ['columns', 'unique', 'type']

/** Returns the keys of `deploy`; what a view or the engine cannot have is noted. */
export function storageOf(
  project: DbtProject,
  config: Config,
  { asset, materialize }: { readonly asset: string; readonly materialize: MaterializeKind },
): PlainMap {
  const { notes, engine } = project
  const isView = materializationOf(materialize).relation === 'view'
  const indexes = config.get('indexes')
  const unlogged = config.get('unlogged')
  const wanted = unlogged !== undefined && isTrue(unlogged.value)
  if (isView) {
    for (const [key, setting] of [
      ['indexes', indexes],
      ['unlogged', wanted ? unlogged : undefined],
    ] as const)
      if (setting !== undefined)
        notes.add('left_out', setting.site, `"${key}" of ${asset}, which is no table`)
    return {}
  }
  if (wanted && engine.storage.tableOptions === undefined)
    notes.add('left_out', unlogged.site, `"unlogged", which ${engine.label} does not have`)
  const made = indexes === undefined ? [] : indexesOf(project, indexes, asset)
  const after = made.flatMap(each => (typeof each === 'string' ? [each] : []))
  const named = made.filter(each => typeof each !== 'string')
  return {
    ...(named.length > 0 && { indexes: named }),
    ...(wanted && engine.storage.tableOptions !== undefined && { unlogged: true }),
    ...(after.length > 0 && { after }),
  }
}

/** An index of columns is a mapping; one of expressions is a statement, which dbt writes as it stands. */
function indexesOf(
  { notes, engine }: DbtProject,
  { value, site }: Setting,
  asset: string,
): (PlainMap | string)[] {
  return (isList(value) ? value : [value]).flatMap(each => {
    const columns = each instanceof Dict ? each.entries.get('columns') : undefined
    if (!(each instanceof Dict) || columns === undefined) {
      notes.add('todo', site, `an index of ${asset} without columns`, { asset })
      return []
    }
    for (const key of each.entries.keys())
      if (!indexKeys.some(each => each === key))
        notes.add('left_out', site, `"${String(key)}" of an index of ${asset}`)
    const texts = (isList(columns) ? columns : [columns]).map(toText)
    const unique = isTrue(each.entries.get('unique') ?? false)
    const method = methodOf(each.entries.get('type'))
    const { indexMethods } = engine.storage
    if (method !== undefined && !indexMethods.includes(method)) {
      notes.add('changed', site, `an index of ${asset} is by ${indexMethods[0]}, not ${method}`, { asset })
      return [indexOf(texts, unique, undefined)]
    }
    return [indexOf(texts, unique, method === indexMethods[0] ? undefined : method)]
  })
}

function methodOf(value: Value | undefined): string | undefined {
  return value === undefined || value === null ? undefined : toText(value).toLowerCase()
}

function indexOf(columns: readonly string[], unique: boolean, method: string | undefined): PlainMap | string {
  if (!columns.every(column => /^[a-z_][a-z0-9_]*$/.test(column))) {
    const using = method === undefined ? '' : ` USING ${method}`
    return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ON {{ this }}${using} (${columns.join(', ')})`
  }
  return { columns, ...(unique && { unique }), ...(method !== undefined && { method }) }
}
