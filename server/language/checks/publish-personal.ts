import { publishedColumns, readTarget, targetNames } from '../destinations/target.ts'
import { watchesDoor } from '../personal/at-the-door.ts'
import { breachText, forbids } from '../personal/breach.ts'
import { policyMarking } from '../personal/marking.ts'
import { projectFlow } from '../personal/project-flow.ts'
import { locate, nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { ProjectCheck } from './check.ts'

/** Policies that apply to the asset itself are the business of `policy-breach`. */
export const publishPersonal: ProjectCheck = {
  code: 'publish-personal',
  doc: 'A target under `publish` would get personal data that a policy of `glossary.yaml` keeps from it.',
  *run(asset, context) {
    const { project, analysis, others } = context
    const policies = project.glossary.policies.filter(({ enforcement }) => enforcement !== 'off')
    if (policies.length === 0 || analysis === undefined) return
    const columns = analysis.columns.map(({ name }) => name)
    for (const name of targetNames(asset)) {
      const { target } = readTarget(asset, name, project.settings)
      if (target === undefined) continue
      for (const policy of policies.filter(each => watchesDoor(each, name))) {
        const flow = projectFlow(project, others, policyMarking(policy))
        for (const column of publishedColumns(target, columns, project.engine)) {
          const mark = flow.of(asset.name, column)
          if (mark === undefined || !forbids(policy, mark)) continue
          yield {
            range: placeOf(asset, name, column),
            severity: policy.severity,
            message: `${breachText(project.engine, asset.name, { policy, column, mark })} keeps it from ${name}`,
            hint: `Leave it out with publish.${name}.fields, or say pii: false under columns where it is harmless.`,
          }
        }
      }
    }
  },
}

function placeOf(asset: Asset, target: string, column: string) {
  const { fields = {} } = asset.definition.publish[target] ?? {}
  const field = Object.keys(fields).find(name => fields[name] === column)
  const path = ['publish', target, 'fields', field ?? '']
  return field !== undefined && nodeAt(asset.tree, path) !== undefined
    ? locate(asset, path)
    : locate(asset, ['publish', target], 'key')
}
