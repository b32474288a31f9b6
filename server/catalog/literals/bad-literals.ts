/**
 * Literals that no row could ever make fit (`qty = 'abc'`, `DATE 'foo'`): DuckDB says so only when rows come. What type
 * a literal gets is read from its plan, and whether it can be cast is tried out, so that DuckDB stays the judge.
 */
import type { ColumnOrigin } from '../../language/index.ts'
import { resolve } from '../../language/lineage/lineage.ts'
import {
  type Expression,
  forEachExpression,
  locationOf,
  type QueryNode,
} from '../../language/lineage/sql-tree.ts'
import type { Mended, Trace } from '../../language/lineage/walk.ts'
import type { Binder } from '../binder.ts'
import type { Finding } from '../findings.ts'
import { once } from '../once.ts'
import { restsOnUnknown } from '../rests-on-unknown.ts'
import { type SqlPlaces, sqlPlaces } from '../sql-places.ts'
import type { Statement } from '../statement.ts'
import { type BoundCast, boundCasts } from './bound-casts.ts'
import { failuresOf } from './judge.ts'
import { literalFinding } from './literal-finding.ts'
import { type Check, mayHaveSpots, type Spot, spotsOf, type TypeOfColumn } from './spots.ts'

/** A statement that binds. */
export interface Subject {
  readonly statement: Pick<Statement, 'inputs' | 'lookUp'>
  /** The text that `query` and the findings' ranges are of. */
  readonly sql: string
  readonly query: QueryNode
  /** Where `query` was mended: constants in place of what was wrong, and what is bound in place of `sql`. */
  readonly mended?: {
    readonly constants: Mended
    readonly sql: string
    /** The node of `query` that stands at a place of the mended text. */
    readonly literalAt: (location: number) => object | undefined
  }
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
      return check && error ? [literalFinding(spot.literal, check, error, rangeOf(each, spot))] : []
    })
    return [...found, ...(cast.get(each.subject) ?? [])]
  })
}

const noneMended: Mended = new Map()

interface Case {
  readonly subject: Subject
  readonly spots: readonly Spot[]
  readonly trace: () => Trace | undefined
  readonly places: () => SqlPlaces
}

function caseOf(subject: Subject): Case | undefined {
  if (!mayHaveSpots(subject.sql)) return undefined
  const options = { trace: true, mended: subject.mended?.constants ?? noneMended }
  const trace = once(() => resolve(subject.query, subject.statement.lookUp, options).trace)
  const spots = spotsOf(subject.query, typesOf(subject, trace)).filter(
    ({ literal }) => locationOf(literal) !== undefined,
  )
  return spots.length === 0
    ? undefined
    : { subject, spots, trace, places: once(() => sqlPlaces(subject.sql)) }
}

function typesOf({ statement }: Subject, trace: () => Trace | undefined): TypeOfColumn {
  const types = once(() => {
    const byOrigin = new Map<string, string | undefined>()
    for (const { shape, origin } of statement.inputs.values())
      for (const { name, type } of shape.columns) byOrigin.set(originKey(origin(name)), type)
    return byOrigin
  })
  return reference => {
    const value = trace()?.values.get(reference)
    if (value === undefined) return undefined
    if (value.unknown) return 'unknown'
    const [origin, ...more] = value.origins
    const isWhole = trace()?.parts.get(reference) === (reference.column_names?.length ?? 0) - 1
    return value.direct && isWhole && origin && more.length === 0 ? types().get(originKey(origin)) : undefined
  }
}

function originKey({ asset, column, source }: ColumnOrigin): string {
  return `${asset}\0${source ?? '\0'}\0${column}`
}

function rangeOf({ places }: Case, { literal }: Spot) {
  return places().tokenAt(locationOf(literal) ?? 0)
}

// ---------------------------------------------------------------- what the binder casts

async function findingsFromPlans(binder: Binder, cases: readonly Case[]): Promise<Map<Subject, Finding[]>> {
  const plans = await boundCasts(
    binder,
    cases.map(({ subject }) => subject.mended?.sql ?? subject.sql),
  )
  const found = cases.flatMap((each, index) => {
    const spotOf = spotsByCast(each)
    return (plans[index] ?? []).flatMap(cast => {
      const spot = spotOf(cast)
      return spot ? [{ each, spot, check: checkOf(cast) }] : []
    })
  })
  const failure = await failuresOf(
    binder,
    found.map(({ check }) => check),
  )
  const findings = new Map<Subject, Finding[]>()
  for (const { each, spot, check } of found) {
    const error = failure(check)
    if (error === undefined || isUncertain(each, spot)) continue
    const finding = literalFinding(spot.literal, check, error, rangeOf(each, spot))
    findings.set(each.subject, [...(findings.get(each.subject) ?? []), finding])
  }
  return findings
}

function checkOf({ constant, type }: BoundCast): Check {
  return { sql: `CAST(${constant} AS ${type})`, as: type, kind: 'type' }
}

/** The spot of a literal that the binder casts. */
function spotsByCast({ subject: { mended }, spots }: Case): (cast: BoundCast) => Spot | undefined {
  const key = (literal: object) => (mended === undefined ? locationOf(literal) : literal)
  const byLiteral = new Map(spots.map(spot => [key(spot.literal), spot]))
  return ({ location }) => {
    const found = mended === undefined ? location : mended.literalAt(location)
    return found === undefined ? undefined : byLiteral.get(found)
  }
}

/** The type comes from what the literal stands beside: where nobody knows that, there is nothing to say. */
function isUncertain({ subject, trace }: Case, { around }: Spot): boolean {
  const ground = { mended: subject.mended?.constants ?? noneMended, resolution: { trace: trace() } }
  const rests = (node: Expression): boolean => restsOnUnknown(ground, node)
  const [parent] = around
  return (parent !== undefined && rests(parent)) || around.some(node => hasLambda(node) && rests(node))
}

function hasLambda(node: Expression): boolean {
  let found = false
  forEachExpression(node, child => {
    found ||= child.type === 'LAMBDA'
  })
  return found
}
