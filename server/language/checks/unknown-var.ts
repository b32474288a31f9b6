import { writtenNames } from '../names/written-names.ts'
import { oncePer } from '../once.ts'
import { settingsPath } from '../project/parse-settings.ts'
import type { Asset, Settings } from '../project/project.ts'
import { templatesOf } from '../project/templates.ts'
import { addBlock, addEntry } from '../project/yaml-edits.ts'
import { settingsShape } from '../schema/settings-schema.ts'
import type { SqlTemplate, Tag } from '../syntax/template.ts'
import { nameIndexOf } from '../text/name-index.ts'
import type { Finding, ProjectCheck } from './check.ts'
import { type Problem, type Remedy, remedy, written } from './fix.ts'
import { nameList, suggestName, suggestOneOf } from './suggestion.ts'

type VarTag = Extract<Tag, { kind: 'var' }>

export const unknownVar: ProjectCheck = {
  code: 'unknown-var',
  doc: 'The SQL asks for a variable that `svc.yaml` does not define, or not for every environment.',
  *run(asset, { project }) {
    for (const sql of templatesOf(asset)) {
      for (const tag of sql.tags) {
        if (tag.kind !== 'var' || Object.hasOwn(project.settings.vars, tag.name)) continue
        yield describe(asset, sql, tag, project.settings)
      }
    }
  },
  fix: defineVariable,
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
  const known = variableNames(settings)
  const rest = nameList('svc.yaml defines', known) || 'Define it under vars in svc.yaml.'
  return {
    range,
    message: `no variable is called "${tag.name}"`,
    ...suggestName(tag.name, known, { path: asset.path, range }, rest),
  }
}

/** The variables of the project and of its environments. */
export const variableNames = oncePer((settings: Settings): readonly string[] => [
  ...new Set([settings, ...Object.values(settings.environments)].flatMap(({ vars }) => Object.keys(vars))),
])

/** Finds variables of environments that are none of the project: production would compute with the others. */
export function variablesInSettings({ vars, file }: Settings): readonly Finding[] {
  const known = Object.keys(vars)
  return writtenNames(settingsShape, file?.tree, 'variable').flatMap(({ name, range }) => {
    if (Object.hasOwn(vars, name)) return []
    const near = nameIndexOf(known).nearest(name)
    const place = { path: settingsPath, range }
    const rest =
      near.length > 0 ? '' : `Give "${name}" a value for all other environments under vars in svc.yaml.`
    return {
      range,
      ...(near.length === 0 && { severity: 'warning' as const }),
      message: `"${name}" has a value in an environment, and is no variable of the project`,
      ...suggestOneOf(near, place, rest),
    }
  })
}

function defineVariable(problem: Problem): readonly Remedy[] {
  const name = written(problem)
  const { file } = problem.knowledge.project.settings
  if (!/^[\w-]+$/.test(name)) return []
  const isNowhere = problem.diagnostic.severity === 'error'
  const title = isNowhere ? `Define "${name}" in svc.yaml` : `Give "${name}" a value everywhere`
  if (file === undefined)
    return [{ title, edits: [], creates: [{ path: settingsPath, text: `vars:\n  ${name}: null\n` }] }]
  const above = ['name', 'warehouse', 'default_schema', 'models', 'environments']
  const edit = addEntry(file, ['vars'], name, 'null') ?? addBlock(file, ['vars:', `  ${name}: null`], above)
  return remedy(title, settingsPath, edit)
}
