/**
 * All errors of one statement. The binder stops at its first error; here the wrong piece is mended in the tree, the
 * tree written out and bound again, until the binder is silent. The binder is the judge: nothing is an error that it
 * does not refuse. What rests on unknown columns or on a mended piece is mended without a word.
 */
import type { Column, Diagnostic } from '../language/index.ts'
import { type Resolution, resolve } from '../language/lineage/lineage.ts'
import type { QueryNode, SqlTree } from '../language/lineage/sql-tree.ts'
import type { MendedAs } from '../language/lineage/walk.ts'
import { type BindError, isTooDeep } from './bind-error.ts'
import { selectOf } from './bind-level.ts'
import type { Binder } from './binder.ts'
import { blame } from './blame.ts'
import { type Bound, boundOf, privateTables } from './bound.ts'
import { type Finding, findingOf, findingsToDiagnostics } from './findings.ts'
import type { SqlEdit } from './fixes.ts'
import type { FunctionNames } from './known-functions.ts'
import { badLiterals } from './literals/bad-literals.ts'
import { mend } from './mend.ts'
import { withMissingName } from './missing-extension.ts'
import { triesFor } from './patience.ts'
import type { RelationName } from './relations.ts'
import type { Shape } from './shape.ts'
import { type SqlPlaces, sqlPlaces } from './sql-places.ts'
import type { Statement } from './statement.ts'
import { suspect } from './suspect.ts'
import { syntaxProblem } from './syntax.ts'
import { type Repair, repairsOf, unrepaired } from './syntax-repair.ts'
import { nodeAt, type PlacedNode, placedNodes, type TreeNode } from './tree-paths.ts'
import { bindWithoutTree } from './without-tree.ts'

export interface Patient {
  readonly statement: Statement
  /** The statement's SQL without semicolon and comments behind its end. */
  readonly sql: string
}

export interface Diagnosis {
  readonly diagnostics: readonly Diagnostic[]
  /** What the mended statement gives; undefined where it could not be mended. */
  readonly bound: Bound | undefined
}

/** Names offered for unknown tables and functions. */
export interface KnownNames {
  readonly nearestAssets: (name: string) => readonly string[]
  /** Those of the engine that `svc.yaml` names. */
  readonly extensions: readonly string[]
  /** Only of what `reader` may read without a circle: else it would matter who is bound first. */
  readonly shapeOf: (asset: string, reader: string) => Shape | undefined
  readonly ensure: (relation: RelationName) => Promise<void>
  readonly functions: () => Promise<FunctionNames>
}

/** How often one statement of ordinary size is mended at most. */
const maxRounds = 100

export interface Treatment {
  readonly binder: Binder
  readonly patient: Patient
  readonly places: SqlPlaces
  readonly names: KnownNames
  readonly tree: SqlTree
  /** Characters of the tree as JSON. */
  readonly treeSize: number
  readonly query: QueryNode
  /** Constants put in place of what was wrong. */
  readonly mended: Map<object, MendedAs>
  /** Calls of unknown functions, of which only the arguments are left. */
  readonly mendedCalls: Set<object>
  readonly findings: Finding[]
  /** The walk over the tree as it is now. */
  resolution: Resolution
}

export async function diagnose(
  binder: Binder,
  asset: string,
  patient: Patient,
  names: KnownNames,
): Promise<Diagnosis> {
  const treatment = await admit(binder, patient, names)
  if (!treatment) return (await bindWithoutTree(binder, asset, patient)) ?? noSelect(binder, patient, names)
  const columns = await treat(treatment)
  const bound = columns && boundOf(asset, patient.statement, columns, treatment.resolution)
  return { diagnostics: findingsToDiagnostics(treatment.findings, patient.statement), bound }
}

/** A syntax error; behind it, where one small repair makes the statement parse, the errors of the rest. */
async function noSelect(binder: Binder, patient: Patient, names: KnownNames): Promise<Diagnosis> {
  const problem = await syntaxProblem(binder, patient)
  const repair =
    problem.at === undefined ? undefined : await workingRepair(binder, repairsOf(patient.sql, problem.at))
  for (const { relation } of patient.statement.inputs.values()) await names.ensure(relation)
  const treatment = repair && (await admit(binder, { ...patient, sql: repair.sql }, names))
  if (!repair || !treatment)
    return { diagnostics: findingsToDiagnostics([problem], patient.statement), bound: undefined }
  await treat(treatment)
  const rest = treatment.findings.flatMap(finding => {
    const range = unrepaired(repair, finding.range)
    const edit = finding.edit && unrepairedEdit(repair, finding.edit)
    return range ? [{ ...finding, range, edit }] : []
  })
  const { message, hint, suggestions, range } = repair
  const first = {
    ...problem,
    message,
    hint,
    suggestions,
    range: range.start < range.end ? range : problem.range,
    edit: repair.edit,
  }
  return { diagnostics: findingsToDiagnostics([first, ...rest], patient.statement), bound: undefined }
}

function unrepairedEdit(repair: Repair, edit: SqlEdit): SqlEdit | undefined {
  const range = unrepaired(repair, edit.range)
  return range && { ...edit, range }
}

async function workingRepair(binder: Binder, repairs: readonly Repair[]): Promise<Repair | undefined> {
  const trees = await binder.trees(repairs.map(repair => repair.sql))
  return repairs.find((_, index) => selectOf(JSON.parse(trees[index] ?? '{}') as SqlTree) !== undefined)
}

async function admit(binder: Binder, patient: Patient, names: KnownNames): Promise<Treatment | undefined> {
  const [json] = await binder.trees([patient.sql], true)
  const tree = JSON.parse(json ?? '{}') as SqlTree
  const query = selectOf(tree)
  if (!query) return undefined
  const mended = new Map<object, MendedAs>()
  const resolution = resolve(query, patient.statement.lookUp, { trace: true, mended })
  await binder.run(privateTables(patient.statement, query))
  const places = sqlPlaces(patient.sql)
  return {
    binder,
    patient,
    places,
    names,
    tree,
    treeSize: json?.length ?? 0,
    query,
    mended,
    mendedCalls: new Set(),
    findings: [],
    resolution,
  }
}

/** The columns, once the binder is silent; undefined: it would not be. */
async function treat(treatment: Treatment): Promise<readonly Column[] | undefined> {
  let text: string | undefined = treatment.patient.sql
  let before: string | undefined
  const rounds = triesFor(treatment.treeSize, maxRounds)
  for (let round = 0; round < rounds && text !== undefined; round++) {
    const result = await treatment.binder.bind(text)
    if ('columns' in result) {
      treatment.findings.push(...(await findLiterals(treatment, round === 0 ? undefined : text)))
      return result.columns
    }
    // What our own mending broke is nothing to show.
    if (round > 0 && result.error.kind === 'syntax') return undefined
    const error = await withMissingName(treatment, result.error)
    const culprit = await culpritOf(treatment, error, round === 0 ? undefined : text)
    const findings = await findingOf(treatment, error, culprit)
    treatment.findings.push(...findings)
    const meant = findings[0]?.suggestions ?? []
    if (!culprit || !(await mend(treatment, error, culprit, meant))) return undefined
    const { statement } = treatment.patient
    treatment.resolution = resolve(treatment.query, statement.lookUp, {
      trace: true,
      mended: treatment.mended,
    })
    text = await treatment.binder.textOf(treatment.tree)
    if (text === before) return undefined
    before = text
  }
  return undefined
}

/** Literals that bind and can never be cast, in what is left of the statement. */
async function findLiterals(treatment: Treatment, text: string | undefined): Promise<readonly Finding[]> {
  const { binder, patient, query, mended } = treatment
  const subject = { statement: patient.statement, sql: patient.sql, query }
  if (text === undefined) return (await badLiterals(binder, [subject]))[0] ?? []
  const nodes = new Map<unknown, object>()
  for (const { node, own } of await twins(treatment, text))
    if (node['type'] === 'VALUE_CONSTANT') nodes.set(node['query_location'], own.node)
  const literalAt = (location: number): object | undefined => nodes.get(location)
  const found = await badLiterals(binder, [
    { ...subject, mended: { constants: mended, sql: text, literalAt } },
  ])
  return found[0] ?? []
}

/** The node that the binder means. Positions are those of the text just bound: at first the user's, then our own. */
async function culpritOf(
  treatment: Treatment,
  error: BindError,
  text: string | undefined,
): Promise<PlacedNode | undefined> {
  // Which of a thousand expressions is one too many nobody can say, and each try takes seconds.
  if (isTooDeep(error)) return undefined
  const placed = error.position === undefined ? [] : await nodesAt(treatment, error.position, text)
  return suspect(treatment, error, placed) ?? (await blame(treatment, error))
}

async function nodesAt(
  treatment: Treatment,
  position: number,
  text: string | undefined,
): Promise<PlacedNode[]> {
  const isHere = ({ node }: { readonly node: TreeNode }) => node['query_location'] === position
  if (text === undefined) return placedNodes(treatment.tree).filter(isHere)
  const all = await twins(treatment, text)
  return all.filter(isHere).map(({ own }) => own)
}

interface Twin {
  /** Of the tree of the text. */
  readonly node: TreeNode
  readonly own: PlacedNode
}

/** The nodes of a text that was written from the treated tree, each with the one that it was written from. */
async function twins(treatment: Treatment, text: string): Promise<Twin[]> {
  const [json] = await treatment.binder.trees([text], true)
  const shadow: unknown = JSON.parse(json ?? '{}')
  return placedNodes(shadow).flatMap(({ path, node }) => {
    const own = nodeAt(treatment.tree, path) as TreeNode | undefined
    return own !== undefined && own['type'] === node['type'] ? [{ node, own: { path, node: own } }] : []
  })
}
