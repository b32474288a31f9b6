/**
 * Finds the expression behind an error that names no place: one is put out of the way and the rest bound again; where
 * the error goes with it, the search goes on inside.
 */
import type { Edit } from '../../language/sql/tree.ts'
import type { BindError } from '../bind-error.ts'
import { render } from '../rendered.ts'
import { nullFor, type Treatment } from './treatment.ts'
import { isExpression, type PlacedNode } from './tree-nodes.ts'

/** For one error: a text of thousands of lines gets fewer tries, so that nobody waits for seconds. */
const mostTrials = 80
const mostCharacters = 400_000

export async function blame(treatment: Treatment, error: BindError): Promise<PlacedNode | undefined> {
  const most = Math.max(3, Math.min(mostTrials, Math.floor(mostCharacters / treatment.statement.template.text.length)))
  const away: Edit[] = []
  let found: PlacedNode | undefined
  let candidates = expressionsBelow(treatment, undefined)
  for (let trial = 0; trial < most; trial++) {
    const next = candidates.shift()
    if (next === undefined) break
    const edit = nullFor(next)
    if (await remains(treatment, error, [...away, edit])) {
      // The same fault may be there twice: what was found guiltless stays away.
      away.push(edit)
      continue
    }
    found = next
    candidates = expressionsBelow(treatment, next)
  }
  return found
}

async function remains(treatment: Treatment, error: BindError, edits: readonly Edit[]): Promise<boolean> {
  const own = treatment.edits.all.filter(
    edit => !edits.some(other => other.start <= edit.start && edit.end <= other.end),
  )
  const { sql } = render(treatment.statement, [...own, ...edits])
  const result = await treatment.binder.bind(sql)
  return 'error' in result && (result.error.message === error.message || result.error.kind === 'syntax')
}

/** The nearest expressions below a node, without those inside them. */
function expressionsBelow({ nodes, edits }: Treatment, top: PlacedNode | undefined): PlacedNode[] {
  return nodes.filter(placed => {
    const { node } = placed
    if (!isExpression(node) || node.start === node.end || isColumnList(placed)) return false
    if (edits.all.some(edit => edit.start <= node.start && node.end <= edit.end)) return false
    let above = placed.parent
    while (above !== undefined && above !== top && (!isExpression(above.node) || isColumnList(above))) above = above.parent
    return above === top
  })
}

/** The call in FROM cannot be a constant, its arguments can; so it is with a star. */
function isColumnList({ node, parent }: PlacedNode): boolean {
  return parent?.node.kind === 'function-table' || node.kind === 'star' || node.kind === 'lambda'
}
