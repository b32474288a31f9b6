/**
 * Finds literals that fail for every row (`qty = 'abc'`, `DATE 'foo'`), which engines report only at run
 * time. The type of a literal is read from the engine's plan, and the engine tries the cast, so that it stays
 * the judge.
 */

import { once } from '../../language/once.ts'
import type { BoundSql } from '../../language/sql/binder/model.ts'
import type { Expression } from '../../language/sql/tree.ts'
import { type Binder, type BoundCast, literalMark } from '../binder.ts'
import type { Finding } from '../diagnose/finding.ts'
import { isInside, type PlacedNode, type TreeNode } from '../diagnose/tree-nodes.ts'
import type { Rendered } from '../rendered.ts'
import type { Statement } from '../statement.ts'
import { failuresOf } from './judge.ts'
import { literalFinding } from './literal-finding.ts'
import { type Check, mayHaveSpots, type Spot, spotsOf, type TypeOfColumn } from './spots.ts'

/** A statement that binds, or the repaired rest of one. */
export interface Subject {
  readonly statement: Pick<Statement, 'inputs' | 'template' | 'engine'>
  readonly rendered: Rendered
  /** The nodes that were replaced. */
  readonly repaired: ReadonlySet<TreeNode>
  readonly bound: () => BoundSql
  readonly nodes: () => readonly PlacedNode[]
}

export async function badLiterals(binder: Binder, subjects: readonly Subject[]): Promise<Finding[][]> {
  const cases = subjects.map(caseOf)
  const failure = await failuresOf(
    binder,
    cases.flatMap(each => each?.spots.flatMap(spot => spot.checks) ?? []),
  )
  const fails = (check: Check): boolean => failure(check) !== undefined
  const asked = cases.flatMap(each => {
    const spots = each?.spots.filter(
      spot => spot.needsPlan && (spot.checks.length === 0 || spot.checks.some(fails)),
    )
    return each && spots && spots.length > 0 ? [{ ...each, spots }] : []
  })
  const cast = await findingsFromPlans(binder, asked)
  return cases.map(each => {
    if (each === undefined) return []
    const direct = each.spots.filter(spot => !spot.needsPlan)
    const found = direct.flatMap(spot => {
      const check = spot.checks.find(fails)
      const error = check && failure(check)
      return check && error ? [literalFinding(...placeOf(each, spot, check), error, rangeOf(each, spot))] : []
    })
    return [...found, ...(cast.get(each.subject) ?? [])]
  })
}

interface Case {
  readonly subject: Subject
  readonly spots: readonly Spot[]
  /** Nodes of unknown type, listed once: a statement may have thousands of literals. */
  readonly unknown: () => readonly PlacedNode[]
}

function caseOf(subject: Subject): Case | undefined {
  const { statement } = subject
  if (!mayHaveSpots(statement.template.text)) return undefined
  const isGone = ({ literal }: Spot): boolean => [...subject.repaired].some(node => holds(node, literal))
  const spots = spotsOf(statement, subject.nodes(), typesOf(subject)).filter(spot => !isGone(spot))
  return spots.length === 0 ? undefined : { subject, spots, unknown: once(() => unknownNodes(subject)) }
}

function holds(node: TreeNode, inner: TreeNode): boolean {
  return node.kind !== 'call' && node.start <= inner.start && inner.end <= node.end
}

/** Returns a function that gives the types of columns which are passed on unchanged. */
function typesOf({ statement, bound }: Subject): TypeOfColumn {
  let types: ReadonlyMap<string, string | undefined> | undefined
  return reference => {
    const value = bound().values.get(reference)
    if (value === undefined) return undefined
    if (value.unknown) return 'unknown'
    const [origin, ...more] = value.origins
    if (!value.direct || origin === undefined || more.length > 0) return undefined
    types ??= new Map(
      [...statement.inputs.values()].flatMap(({ shape, origin: originOf }) =>
        shape.columns.map(({ name, type }) => [originKey(originOf(name)), type] as const),
      ),
    )
    return types.get(originKey(origin))
  }
}

function originKey({ asset, column, source }: { asset: string; column: string; source?: string }): string {
  return `${asset}\0${source ?? '\0'}\0${column}`
}

/** Returns the range of the literal; for `DATE '…'` the quoted text alone. */
function rangeOf({ subject }: Case, { literal }: Spot) {
  if (literal.typeName === undefined) return { start: literal.start, end: literal.end }
  const quote = subject.statement.template.text.indexOf("'", literal.typeName.end)
  return { start: quote < 0 ? literal.start : quote, end: literal.end }
}

function placeOf({ subject }: Case, { literal }: Spot, check: Check): [string, Check] {
  const { text } = subject.statement.template
  const start = literal.typeName === undefined ? literal.start : literal.typeName.end
  return [text.slice(start, literal.end).trim(), check]
}

// ---------------------------------------------------------------- what the engine casts

async function findingsFromPlans(binder: Binder, cases: readonly Case[]): Promise<Map<Subject, Finding[]>> {
  const plans = await binder.boundCasts(cases.map(({ subject }) => subject.rendered.sql))
  const casts = await Promise.all(
    cases.map(async (each, index) => {
      const plan = plans[index] ?? []
      return plan === 'too large' ? castsOfMarks(binder, each) : castsByPlace(each, plan)
    }),
  )
  const found = casts.flat()
  const failure = await failuresOf(
    binder,
    found.map(({ check }) => check),
  )
  const findings = new Map<Subject, Finding[]>()
  for (const { each, spot, check } of found) {
    const error = failure(check)
    if (error === undefined || isUncertain(each, spot)) continue
    const finding = literalFinding(...placeOf(each, spot, check), error, rangeOf(each, spot))
    findings.set(each.subject, [...(findings.get(each.subject) ?? []), finding])
  }
  return findings
}

interface Cast {
  readonly each: Case
  readonly spot: Spot
  readonly check: Check
}

function castsByPlace(each: Case, casts: readonly BoundCast[]): Cast[] {
  const spotOf = spotsByCast(each)
  return casts.flatMap(cast => {
    const spot = spotOf(cast)
    return spot ? [{ each, spot, check: checkOf(cast) }] : []
  })
}

/** Marks take the place of the literals, by which their casts are found wherever the plan has them. */
async function castsOfMarks(binder: Binder, each: Case): Promise<Cast[]> {
  const { rendered, statement } = each.subject
  const marks = each.spots.map(({ literal: { start, end } }, mark) => ({
    start,
    end,
    text: `'${literalMark(mark)}'`,
  }))
  const casts = await binder.markedCasts(rendered.withTexts(marks))
  return casts.flatMap(({ mark, type }) => {
    const spot = each.spots[mark]
    if (spot === undefined) return []
    const constant = statement.template.text.slice(spot.literal.start, spot.literal.end)
    return [{ each, spot, check: checkOf({ constant, type }) }]
  })
}

function checkOf({ constant, type }: Pick<BoundCast, 'constant' | 'type'>): Check {
  return { sql: `CAST(${constant} AS ${type})`, as: type, kind: 'type' }
}

/** Returns a function that finds the spot of a literal which the engine casts. */
function spotsByCast({ subject: { rendered }, spots }: Case): (cast: BoundCast) => Spot | undefined {
  const byPlace = new Map(spots.map(spot => [spot.literal.start, spot]))
  return ({ location }) => byPlace.get(rendered.toTemplate(location))
}

/** Returns whether the type is unknown: the literal gets it from an operand whose type nobody knows. */
function isUncertain({ unknown }: Case, { around }: Spot): boolean {
  const [parent] = around
  const rests = (node: Expression): boolean => unknown().some(placed => isInside(placed, node))
  const hasLambda = around.some(node => node.kind === 'lambda' || node.kind === 'comprehension')
  return parent !== undefined && (rests(parent) || (hasLambda && around.some(rests)))
}

function unknownNodes({ nodes, repaired, bound }: Subject): readonly PlacedNode[] {
  return nodes().filter(
    ({ node }) =>
      repaired.has(node) ||
      (node.kind === 'reference' && bound().values.get(node as Expression)?.unknown !== false),
  )
}
