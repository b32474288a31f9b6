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
    // Where either of two takes the error away, it is about both.
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
  /** What is put out of the way because the same fault is there too. */
  readonly away: Edit[]
  /** Tries that are left. */
  left: number
}

/** A column that is only passed on is rarely what is wrong: who does something with it is asked before. */
function callsFirst(level: readonly PlacedNode[]): readonly PlacedNode[] {
  const isPlain = ({ node }: PlacedNode): boolean => node.kind === 'reference'
  return [...level.filter(each => !isPlain(each)), ...level.filter(isPlain)]
}

/** Of those that take the error away, one by one, the first two. */
async function guiltyOf(search: Search, level: readonly PlacedNode[]): Promise<readonly PlacedNode[]> {
  const guilty: PlacedNode[] = []
  for (const each of callsFirst(level)) {
    if (guilty.length > 1 || search.left <= 0) break
    if (!(await remainsWithout(search, [each]))) guilty.push(each)
  }
  return guilty
}

/** The same fault may be there more than once: then it goes with the last of them. */
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

/** Whether the same error still comes. */
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

/** The nearest expressions below a node, without those inside them. */
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

/** The call in FROM cannot be a constant, its arguments can; so it is with a star. */
function isColumnList({ node, parent }: PlacedNode): boolean {
  return (
    parent?.node.kind === 'function-table' ||
    (node.kind === 'star' && parent?.node.kind !== 'item') ||
    node.kind === 'lambda'
  )
}
