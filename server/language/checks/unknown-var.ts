import type { Asset, Settings } from '../project/project.ts'
import type { SqlTemplate, Tag } from '../syntax/template.ts'
import type { Finding, ProjectCheck } from './check.ts'
import { nameList, suggestName } from './suggestion.ts'

type VarTag = Extract<Tag, { kind: 'var' }>

export const unknownVar: ProjectCheck = {
  code: 'unknown-var',
  severity: 'error',
  scope: 'project',
  doc: 'The SQL asks for a variable that `svc.yaml` does not define, or not for every environment.',
  *run(asset, { project }) {
    for (const sql of templates(asset)) {
      for (const tag of sql.tags) {
        if (tag.kind !== 'var' || Object.hasOwn(project.settings.vars, tag.name)) continue
        yield describe(asset, sql, tag, project.settings)
      }
    }
  },
}

function templates(asset: Asset): readonly SqlTemplate[] {
  return asset.sql === undefined ? [...asset.testSql.values()] : [asset.sql, ...asset.testSql.values()]
}

function describe(asset: Asset, sql: SqlTemplate, tag: VarTag, settings: Settings): Finding {
  const range = sql.toFile.rangeToOriginal(tag.nameRange)
  const environments = Object.entries(settings.environments)
  const defining = environments
    .filter(([, environment]) => Object.hasOwn(environment.vars, tag.name))
    .map(([name]) => name)
  if (defining.length > 0) {
    return {
      range,
      severity: 'warning',
      message: `the variable "${tag.name}" has a value only in ${defining.join(', ')}`,
      hint: 'Give it one for all other environments under vars in svc.yaml.',
    }
  }
  const known = [
    ...new Set([settings, ...environments.map(([, env]) => env)].flatMap(it => Object.keys(it.vars))),
  ]
  const rest = nameList('svc.yaml defines', known) || 'Define it under vars in svc.yaml.'
  return {
    range,
    message: `no variable is called "${tag.name}"`,
    ...suggestName(tag.name, known, { path: asset.path, range }, rest),
  }
}
