/**
 * Parses the statements around builds (`deploy.before` and `deploy.after`) with the grammar of the engine. Their
 * names are not bound: a statement may read tables that another one makes.
 */
import type { Asset, Diagnostic } from '../language/index.ts'
import { atATime, type BindContext } from './bind-level.ts'
import { findingsToDiagnostics } from './diagnose/finding.ts'
import { syntaxFinding } from './diagnose/syntax-findings.ts'
import { BinderLost } from './limits.ts'
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
  const problems = await parsedTogether(context, statements)
  const found = new Map<string, Diagnostic[]>()
  for (const asset of assets) {
    const refused = asset.hooks.flatMap(({ template }) =>
      isTooLarge(template) ? [tooLarge(asset, template)] : [],
    )
    if (refused.length > 0) found.set(asset.name, refused)
  }
  for (const [index, { asset }] of statements.entries())
    found.set(asset.name, [...(found.get(asset.name) ?? []), ...(problems[index] ?? [])])
  return found
}

/** A text of comments alone is no statement that could be wrong. */
function statementsOf({ world }: BindContext, asset: Asset): Statement[] {
  return asset.hooks.flatMap(({ when, index, template }) => {
    if (isTooLarge(template)) return []
    if (world.engine.tokens(template.text).every(({ kind }) => kind === 'comment')) return []
    const reader = `${asset.name} ${when} ${index}`
    return [prepareStatement({ asset, template, reader, allowThis: true }, world)]
  })
}

/** If one of the statements loses the database, each is parsed alone, which finds the one. */
async function parsedTogether(
  context: BindContext,
  statements: readonly Statement[],
): Promise<readonly (readonly Diagnostic[])[]> {
  const { guard } = context
  const found: (readonly Diagnostic[])[] = []
  if (!statements.some(statement => guard.lossOf(statement) !== undefined)) {
    try {
      await sideBySide([...statements.entries()], atATime, async ([index, statement]) => {
        found[index] = await parsed(context, statement)
      })
      return found
    } catch (error) {
      if (!(error instanceof BinderLost)) throw error
      guard.recover()
    }
  }
  for (const [index, statement] of statements.entries()) found[index] = await parsedAlone(context, statement)
  return found
}

async function parsedAlone(context: BindContext, statement: Statement): Promise<readonly Diagnostic[]> {
  const { guard } = context
  const lost = guard.lossOf(statement)
  if (lost !== undefined) return [lossOf(context, statement, lost)]
  try {
    return await parsed(context, statement)
  } catch (error) {
    if (!(error instanceof BinderLost)) throw error
    guard.recover()
    guard.remember(statement, error.reason)
    return [lossOf(context, statement, error.reason)]
  }
}

function lossOf(
  { guard }: BindContext,
  { asset, template }: Statement,
  loss: BinderLost['reason'],
): Diagnostic {
  return lossDiagnostic(asset, firstLine(template), loss, guard)
}

async function parsed({ binder }: BindContext, statement: Statement): Promise<readonly Diagnostic[]> {
  const error = await binder.syntaxError(render(statement, []).sql)
  return error === undefined ? [] : findingsToDiagnostics([syntaxFinding(error, { statement })], statement)
}
