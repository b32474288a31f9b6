import type { ColumnLineage, ColumnOrigin } from '../analysis.ts'
import type { Engine } from '../engines/engine.ts'
import type { Policy } from '../glossary/glossary.ts'
import { appliesTo } from '../glossary/terms.ts'
import { locate, nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { CheckContext, Finding, ProjectCheck } from './check.ts'
import { type OutputPlace, outputPlaces } from './output-places.ts'

/** Follows personal columns through the lineage (docs/glossary.md). */
export const policyBreach: ProjectCheck = {
  code: 'policy-breach',
  severity: 'error',
  scope: 'project',
  doc: 'An asset delivers personal data that a policy of `glossary.yaml` keeps out of it.',
  *run(asset, context) {
    const { glossary } = context.project
    if (glossary.policies.length === 0 || context.analysis === undefined) return
    const policies = glossary.policies.filter(
      policy => policy.enforcement !== 'off' && appliesTo(policy, context.project, asset),
    )
    let places: ((column: string) => OutputPlace) | undefined
    for (const policy of policies) {
      for (const { name } of context.analysis.columns) {
        const root = personalRoot(context, policy, asset.name, name, new Set())
        if (root === undefined) continue
        places ??= outputPlaces(asset, context)
        yield findingOf(asset, context, { policy, column: name, root, place: places(name) })
      }
    }
  },
}

/** Returns the origin of the personal data in a column; undefined if it has none. */
function personalRoot(
  context: CheckContext,
  policy: Policy,
  name: string,
  column: string,
  seen: Set<string>,
): ColumnOrigin | undefined {
  const { engine } = context.project
  const key = `${name}\0${engine.fold(column)}`
  const asset = context.project.byName.get(name)
  if (asset === undefined || seen.has(key) || isDeclaredHarmless(asset, column, engine)) return undefined
  seen.add(key)
  const line = context.others?.of(name)?.lineage.find(each => engine.sameName(each.column, column))
  for (const origin of readableOrigins(line)) {
    const root =
      origin.source === undefined
        ? personalRoot(context, policy, origin.asset, origin.column, seen)
        : isPersonal(context, policy, origin)
          ? origin
          : undefined
    if (root !== undefined) return root
  }
  const own = { asset: name, column }
  if (isMarked(asset, column, engine) && policy.piiColumns.length === 0) return own
  // The name of a constant or a count does not matter.
  return readableOrigins(line).length > 0 && isPersonal(context, policy, own) ? own : undefined
}

/** Returns the origins whose values can be read in the column. */
function readableOrigins(line: ColumnLineage | undefined): readonly ColumnOrigin[] {
  if (line?.hidden === undefined) return line?.from ?? []
  const { from, hidden } = line
  return from.filter(
    origin =>
      !hidden.some(
        each => each.asset === origin.asset && each.column === origin.column && each.source === origin.source,
      ),
  )
}

function isPersonal(context: CheckContext, policy: Policy, { asset, column, source }: ColumnOrigin): boolean {
  const { sameName } = context.project.engine
  if (policy.piiColumns.length > 0)
    return policy.piiColumns.some(
      written => sameName(written, column) || sameName(written, `${asset}.${column}`),
    )
  const definition = context.project.byName.get(asset)?.definition
  const columns =
    source === undefined ? definition?.columns : source === '' ? definition?.contract?.columns : undefined
  return Object.entries(columns ?? {}).some(([name, { pii }]) => pii && sameName(name, column))
}

function isMarked(asset: Asset, column: string, { sameName }: Engine): boolean {
  return Object.entries(asset.definition.columns).some(([name, { pii }]) => pii && sameName(name, column))
}

/** Returns whether the file says `columns: {x: {pii: false}}`, which a reviewer has seen. */
function isDeclaredHarmless(asset: Asset, column: string, { sameName }: Engine): boolean {
  const key = Object.keys(asset.definition.columns).find(name => sameName(name, column))
  if (key === undefined || asset.definition.columns[key]?.pii !== false) return false
  const node = nodeAt(asset.tree, ['columns', key, 'pii'])
  return node?.kind === 'scalar' && node.value === false
}

// ---------------------------------------------------------------- what is said of it

interface Breach {
  readonly policy: Policy
  readonly column: string
  readonly root: ColumnOrigin
  readonly place: OutputPlace
}

function findingOf(asset: Asset, context: CheckContext, { policy, column, root, place }: Breach): Finding {
  const { sameName } = context.project.engine
  const isOwn = root.asset === asset.name && root.source === undefined && sameName(root.column, column)
  const from =
    root.source === undefined
      ? `${root.asset}.${root.column}`
      : `${root.column} from the source of ${root.asset}`
  const rule = policy.rule === '' ? '' : `${sentence(policy.rule)} `
  const related = isOwn ? [] : relatedTo(context, root)
  return {
    range: place.range,
    severity: policy.severity,
    message: isOwn
      ? `"${column}" is personal data: policy "${policy.name}"`
      : `"${column}" carries personal data, ${from}: policy "${policy.name}"`,
    hint: `${rule}Leave it out, count it, or say pii: false under columns.`,
    ...(related.length > 0 && { related }),
  }
}

function sentence(rule: string): string {
  const text = rule.trim().replace(/\s+/g, ' ')
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function relatedTo({ project }: CheckContext, root: ColumnOrigin): NonNullable<Diagnostic['related']> {
  const asset = project.byName.get(root.asset)
  if (asset === undefined) return []
  const columns = root.source === undefined ? ['columns'] : ['contract', 'columns']
  const path =
    nodeAt(asset.tree, [...columns, root.column]) === undefined ? ['transform'] : [...columns, root.column]
  return [
    { path: asset.path, range: locate(asset, path, 'key'), message: 'the personal data comes from here' },
  ]
}
