/**
 * Parses the statements around builds (`deploy.before` and `deploy.after`) with the grammar of the engine. Their
 * names are not bound: a statement may read tables that another one makes.
 */
import type { Asset, Diagnostic } from '../language/index.ts'
import { atATime, type BindContext } from './bind-level.ts'
import { findingsToDiagnostics } from './diagnose/finding.ts'
import { syntaxFinding } from './diagnose/syntax-findings.ts'
import { togetherOrAlone } from './guard.ts'
import { render } from './rendered.ts'
import { sideBySide } from './side-by-side.ts'
import { prepareStatement, type Statement } from './statement.ts'
import { lossDiagnostic } from './too-expensive.ts'
import { firstLine, isTooLarge, tooLarge } from './too-large.ts'

/** Returns the diagnostics of each asset that has statements around its build, by its name. */
export async function badHooks(
  context: BindContext,
  assets: readonly Asset[],
): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  const statements = assets.flatMap(asset => statementsOf(context, asset))
  const { guard } = context
  const problems = await togetherOrAlone(
    guard,
    statements.map(statement => ({ statement })),
    some => parsed(context, some),
    ({ statement: { asset, template } }, loss) => [lossDiagnostic(asset, firstLine(template), loss, guard)],
  )
  const found = new Map<string, Diagnostic[]>()
  for (const asset of assets) {
    const refused = asset.hooks.flatMap(({ template }) =>
      isTooLarge(template, guard.limits) ? [tooLarge(asset, template, guard.limits)] : [],
    )
    if (refused.length > 0) found.set(asset.name, refused)
  }
  for (const [index, { asset }] of statements.entries())
    found.set(asset.name, [...(found.get(asset.name) ?? []), ...(problems[index] ?? [])])
  return found
}

/** A text of comments alone is no statement that could be wrong. */
function statementsOf({ world, guard }: BindContext, asset: Asset): Statement[] {
  return asset.hooks.flatMap(({ when, index, template }) => {
    if (isTooLarge(template, guard.limits)) return []
    if (world.engine.tokens(template.text).every(({ kind }) => kind === 'comment')) return []
    const reader = `${asset.name} ${when} ${index}`
    return [prepareStatement({ asset, template, reader, allowThis: true }, world)]
  })
}

async function parsed(
  { binder }: BindContext,
  statements: readonly { readonly statement: Statement }[],
): Promise<readonly (readonly Diagnostic[])[]> {
  const found: (readonly Diagnostic[])[] = []
  await sideBySide([...statements.entries()], atATime, async ([index, { statement }]) => {
    const error = await binder.syntaxError(render(statement, []).sql)
    found[index] =
      error === undefined ? [] : findingsToDiagnostics([syntaxFinding(error, { statement })], statement)
  })
  return found
}
