/**
 * Finds the expression that causes an error without a place: expressions are replaced by NULL one at a time
 * and the statement is bound again. If the error disappears, the search continues inside that expression.
 */
import type { Edit } from '../../language/sql/tree.ts'
import type { BindError } from '../bind-error.ts'
import { render } from '../rendered.ts'
import { nullFor, type Treatment } from './treatment.ts'
import { isExpression, type PlacedNode } from './tree-nodes.ts'

/** The limit for one error. Long texts get fewer trials, so that nobody waits for seconds. */
const mostTrials = 80
const mostCharacters = 400_000

export async function blame(treatment: Treatment, error: BindError): Promise<PlacedNode | undefined> {
  const most = Math.max(
    3,
    Math.min(mostTrials, Math.floor(mostCharacters / treatment.statement.template.text.length)),
  )
  const search: Search = { treatment, error, away: [], left: most }
  let found: PlacedNode | undefined
  for (
    let level = expressionsBelow(treatment, undefined);
    level.length > 0;
    level = expressionsBelow(treatment, found)
  ) {
    const [only, other] = await guiltyOf(search, level)
    // If removing either of two expressions removes the error, the error is about their parent.
    if (other !== undefined && found !== undefined) break
    const next: PlacedNode | undefined = only ?? (await lastOfSeveral(search, level))
    if (next === undefined) break
    found = next
  }
  return found
}

interface Search {
  readonly treatment: Treatment
  readonly error: BindError
  /** Edits that remove other occurrences of the same mistake. */
  readonly away: Edit[]
  /** The number of trials that are left. */
  left: number
}

/** Tries calls and operators before plain columns: a column that is only passed on is rarely the cause. */
function callsFirst(level: readonly PlacedNode[]): readonly PlacedNode[] {
  const isPlain = ({ node }: PlacedNode): boolean => node.kind === 'reference'
  return [...level.filter(each => !isPlain(each)), ...level.filter(isPlain)]
}

/** Returns the first two expressions whose removal makes the error disappear. */
async function guiltyOf(search: Search, level: readonly PlacedNode[]): Promise<readonly PlacedNode[]> {
  const guilty: PlacedNode[] = []
  for (const each of callsFirst(level)) {
    if (guilty.length > 1 || search.left <= 0) break
    if (!(await remainsWithout(search, [each]))) guilty.push(each)
  }
  return guilty
}

/**
 * Returns the last of several expressions with the same mistake, found by binary search: the error disappears
 * only with that one. The ones before it are replaced.
 */
async function lastOfSeveral(search: Search, level: readonly PlacedNode[]): Promise<PlacedNode | undefined> {
  if (level.length < 2 || (await remainsWithout(search, level))) return undefined
  let low = 0
  let high = level.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (await remainsWithout(search, level.slice(0, middle))) low = middle
    else high = middle
  }
  search.away.push(...nullsFor(search, level.slice(0, low)))
  return level[low]
}

async function remainsWithout(search: Search, nodes: readonly PlacedNode[]): Promise<boolean> {
  search.left--
  return await remains(search.treatment, search.error, [...search.away, ...nullsFor(search, nodes)])
}

function nullsFor({ treatment }: Search, nodes: readonly PlacedNode[]): Edit[] {
  return nodes.map(node => nullFor(treatment, node))
}

/** Returns whether the same error still occurs. */
export async function remains(
  treatment: Treatment,
  error: BindError,
  edits: readonly Edit[],
): Promise<boolean> {
  const own = treatment.edits.all.filter(
    edit => !edits.some(other => other.start <= edit.start && edit.end <= other.end),
  )
  const { sql } = render(treatment.statement, [...own, ...edits])
  const result = await treatment.binder.bind(sql)
  return 'error' in result && (result.error.message === error.message || result.error.kind === 'syntax')
}

/** Returns the nearest expressions below a node, without the ones nested in them. */
function expressionsBelow({ nodes, edits }: Treatment, top: PlacedNode | undefined): PlacedNode[] {
  return nodes.filter(placed => {
    const { node } = placed
    if (!isExpression(node) || node.start === node.end || isColumnList(placed)) return false
    if (edits.all.some(edit => edit.start <= node.start && node.end <= edit.end)) return false
    let above = placed.parent
    while (above !== undefined && above !== top && (!isExpression(above.node) || isColumnList(above)))
      above = above.parent
    return above === top
  })
}

/**
 * Returns whether NULL cannot replace the node: a call in FROM, a star outside of a select list, or a lambda.
 * What is inside of them can be replaced.
 */
function isColumnList({ node, parent }: PlacedNode): boolean {
  return (
    parent?.node.kind === 'function-table' ||
    (node.kind === 'star' && parent?.node.kind !== 'item') ||
    node.kind === 'lambda'
  )
}
