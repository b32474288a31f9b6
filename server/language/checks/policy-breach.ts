import type { ColumnOrigin } from '../analysis.ts'
import type { Policy } from '../glossary/glossary.ts'
import { appliesTo } from '../glossary/terms.ts'
import { breachText, forbids, isOwnColumn, ruleOf } from '../personal/breach.ts'
import type { Mark } from '../personal/flow.ts'
import { policyMarking } from '../personal/marking.ts'
import { projectFlow } from '../personal/project-flow.ts'
import { locate, nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import { promisePath } from '../source/table-contract.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { CheckContext, Finding, ProjectCheck } from './check.ts'
import { type OutputPlace, outputPlaces } from './output-places.ts'

/** Follows personal columns through the lineage (docs/glossary.md). */
export const policyBreach: ProjectCheck = {
  code: 'policy-breach',
  doc: 'An asset delivers personal data that a policy of `glossary.yaml` keeps out of it.',
  run: breachesIn,
}

/** The part of a check's context that policies need. */
type PolicyContext = Pick<CheckContext, 'project' | 'analysis' | 'others' | 'rawTables'>

function* breachesIn(asset: Asset, context: PolicyContext): Generator<Finding> {
  const { glossary } = context.project
  if (glossary.policies.length === 0 || context.analysis === undefined) return
  const policies = glossary.policies.filter(
    policy => policy.enforcement !== 'off' && appliesTo(policy, context.project, asset),
  )
  let places: ((column: string) => OutputPlace) | undefined
  for (const policy of policies) {
    const flow = projectFlow(context.project, context.others, policyMarking(policy))
    for (const { name } of context.analysis.columns) {
      const mark = flow.of(asset.name, name)
      if (mark === undefined || !forbids(policy, mark)) continue
      places ??= outputPlaces(asset, context)
      yield findingOf(asset, context, { policy, column: name, mark, place: places(name) })
    }
  }
}

// ---------------------------------------------------------------- what is said of it

interface Breach {
  readonly policy: Policy
  readonly column: string
  readonly mark: Mark
  readonly place: OutputPlace
}

function findingOf(asset: Asset, context: PolicyContext, { policy, column, mark, place }: Breach): Finding {
  const isOwn = isOwnColumn(context.project.engine, asset.name, column, mark)
  const related = isOwn ? [] : relatedTo(context, mark.root)
  const way = mark.grade === 'derived' ? 'Leave it out' : 'Leave it out, count it'
  return {
    range: place.range,
    severity: policy.severity,
    message: breachText(context.project.engine, asset.name, { policy, column, mark }),
    hint: `${ruleOf(policy)}${way}, or say pii: false under columns.`,
    ...(related.length > 0 && { related }),
  }
}

function relatedTo({ project }: PolicyContext, root: ColumnOrigin): NonNullable<Diagnostic['related']> {
  const asset = project.byName.get(root.asset)
  if (asset === undefined) return []
  const { source, column } = root
  const mark = source === undefined ? ['columns', column] : promisePath(source, column)
  const path = nodeAt(asset.tree, mark) === undefined ? ['transform'] : mark
  return [
    { path: asset.path, range: locate(asset, path, 'key'), message: 'the personal data comes from here' },
  ]
}
