/**
 * Finds all mistakes of one statement, though the engine reports only the first: mistakes that the reader and
 * the name binder have found are edited out of the text, and the engine binds the rest again until it accepts
 * it. The engine decides: nothing is reported that it does not reject.
 */
import type { Column, Diagnostic } from '../../language/index.ts'
import type { BoundSql, NameProblem } from '../../language/sql/binder/model.ts'
import type { Call, Edit, SyntaxProblem } from '../../language/sql/tree.ts'
import type { BindError } from '../bind-error.ts'
import type { Job } from '../bind-level.ts'
import type { Binder } from '../binder.ts'
import { type Bound, boundOf, nothingBound, privateTables } from '../bound.ts'
import { newEditList } from '../edit-list.ts'
import { badLiterals } from '../literals/bad-literals.ts'
import { missingName } from '../missing-extension.ts'
import { isPlaceholder } from '../relations.ts'
import { render } from '../rendered.ts'
import { bindNames } from '../statement.ts'
import { blame } from './blame.ts'
import { blameClause } from './blame-clause.ts'
import { engineFinding, tooDeep } from './engine-findings.ts'
import { type Finding, type Found, findingsToDiagnostics, type RepairedFinding } from './finding.ts'
import { withoutFollowing } from './follow-on.ts'
import { besideHabits, habitsOf } from './habits.ts'
import { fittingAround, nodeOf } from './locate.ts'
import { nameFinding } from './name-findings.ts'
import { addOutside, repairTable } from './outside-findings.ts'
import { notASelect, syntaxFinding } from './syntax-findings.ts'
import { isMadeOfRepaired, type KnownNames, nullFor, repairExpression, type Treatment } from './treatment.ts'
import { type PlacedNode, placedNodes } from './tree-nodes.ts'

export interface Diagnosis {
  readonly diagnostics: readonly Diagnostic[]
  /** The result of the repaired statement; undefined where it could not be repaired. */
  readonly bound: Bound | undefined
}

/** The maximum number of bindings of one statement of ordinary size. */
const maxRounds = 100
const mostCharacters = 2_000_000

/** Habits that show only where others are written as they are meant: a type in a CONVERT, a column of a query with TOP. */
const mostLayers = 4

export async function diagnose(binder: Binder, job: Job, names: KnownNames, layer = 0): Promise<Diagnosis> {
  const habits = layer < mostLayers ? await habitsOf(job, names) : []
  const found =
    habits.length === 0
      ? undefined
      : await besideHabits(binder, job, habits, written => diagnose(binder, written, names, layer + 1))
  return found ?? diagnoseText(binder, job, names)
}

async function diagnoseText(binder: Binder, job: Job, names: KnownNames): Promise<Diagnosis> {
  const { statement, reading } = job
  const other = notASelect(statement, reading)
  if (other !== undefined) return { diagnostics: findingsToDiagnostics([other], statement), bound: undefined }
  const slips = await syntaxSlips(binder, job)
  // What its names mean is not known either: the reader has skipped what is too deep for it.
  if (slips === undefined)
    return { diagnostics: findingsToDiagnostics([tooDeep(job)], statement), bound: undefined }
  const bound = bindNames(statement, reading, true)
  const treatment = newTreatment(binder, job, names, bound)
  for (const slip of slips) addSlip(treatment, slip)
  if (!reading.problems.some(({ isCut }) => isCut)) {
    for (const edit of bound.repairs) treatment.edits.add(edit)
    addNames(treatment)
  }
  addOutside(treatment, job.outside)
  addParameters(treatment)
  await names.ensure(statement.meant)
  await binder.run(privateTables(statement))
  const columns = await treat(treatment)
  const refused = job.isSelect ? job.rendered.sql : undefined
  const findings = columns === undefined ? treatment.findings : await confirmed(treatment, refused)
  const literals = columns === undefined ? [] : await findLiterals(treatment)
  const found = [...findings.map(({ finding }) => finding), ...literals]
  const all = await withoutFollowing(found, slips, statement.template.text, names)
  return {
    diagnostics: findingsToDiagnostics(all, statement),
    bound: boundAnyway(job, columns, treatment, slips.length > 0),
  }
}

function newTreatment(
  binder: Binder,
  { statement, reading }: Job,
  names: KnownNames,
  bound: BoundSql,
): Treatment {
  const [query] = reading.statements
  return {
    binder,
    statement,
    names,
    bound,
    nodes: query === undefined ? [] : placedNodes(query),
    edits: newEditList(),
    repaired: new Set(),
    findings: [],
    rendered: render(statement, []),
  }
}

/**
 * Returns what is known of the repaired statement. Where a syntax error was skipped, the statement may have
 * more columns than these.
 */
function boundAnyway(
  { asset, statement }: Job,
  described: readonly Column[] | undefined,
  treatment: Treatment,
  hasSlips: boolean,
): Bound | undefined {
  const own = ownColumns(treatment.bound, described)
  if (described === undefined) return own && { ...nothingBound, ownColumns: own }
  const made = treatment.bound.output.columns
  // An expression that was replaced has no known type.
  const columns = described.map((column, index) => {
    const maker = made.length === described.length ? made[index] : undefined
    return maker !== undefined && isMadeOfRepaired(treatment, maker) ? { ...column, type: undefined } : column
  })
  const bound = boundOf(asset.name, statement, columns, treatment.bound)
  return { ...bound, ...(own && { ownColumns: own }), ...(hasSlips && { isUnsure: true }) }
}

/** Returns the names of the output columns; undefined if there may be more of them. */
function ownColumns({ output }: BoundSql, described: readonly Column[] = []): readonly string[] | undefined {
  const { columns, open, also = [] } = output
  const isKnown = open === undefined && columns.every(({ name, spread }) => name !== '' && !spread)
  if (!isKnown && (open !== undefined || described.length === 0)) return undefined
  return [...columns, ...also, ...described].flatMap(({ name }) =>
    name === '' || isPlaceholder(name) ? [] : name,
  )
}

// ---------------------------------------------------------------- syntax

/**
 * Returns the syntax errors that the reader recovered from, if the engine rejects the text too; undefined if the text is too deep
 * for the engine.
 */
async function syntaxSlips(
  binder: Binder,
  { statement, reading }: Job,
): Promise<readonly SyntaxProblem[] | undefined> {
  if (reading.problems.length === 0) return []
  const error = await binder.syntaxError(render(statement, []).sql)
  if (error?.kind === 'too-deep') return undefined
  return error === undefined ? [] : reading.problems
}

function addSlip(treatment: Treatment, slip: SyntaxProblem): void {
  addFinding(treatment, syntaxFinding(slip), slip.repair)
}

function addNames(treatment: Treatment): void {
  const { bound, statement, names } = treatment
  const added = new Map<NameProblem, RepairedFinding>()
  for (const problem of bound.problems) {
    const finding = nameFinding(problem, statement, names.nearestAssets)
    const because = problem.because && added.get(problem.because)
    added.set(problem, addFinding(treatment, finding, problem.repair, because))
  }
}

function addParameters(treatment: Treatment): void {
  for (const placed of treatment.nodes) {
    const { kind, start, end } = placed.node
    if (kind !== 'parameter') continue
    const message = 'SQL here has no parameters'
    const hint = "Values come in through {{ var('name') }}."
    addFinding(treatment, { code: 'sql-other', message, hint, range: { start, end } }, [
      nullFor(treatment, placed),
    ])
  }
}

function addFinding(
  { findings, edits }: Treatment,
  finding: Finding,
  repair: readonly Edit[],
  because?: RepairedFinding,
): RepairedFinding {
  const made = { finding, repair: repair.filter(edit => edits.add(edit)), because }
  findings.push(made)
  return made
}

// ---------------------------------------------------------------- the engine's own findings

/**
 * Repairs the statement until the engine accepts it and returns its columns; undefined if that does not
 * succeed.
 */
async function treat(treatment: Treatment): Promise<readonly Column[] | undefined> {
  const { statement, binder, edits } = treatment
  const rounds = Math.max(3, Math.min(maxRounds, Math.floor(mostCharacters / statement.template.text.length)))
  for (let round = 0; round < rounds; round++) {
    treatment.rendered = render(statement, edits.all)
    const result = await binder.bind(treatment.rendered.sql)
    if ('columns' in result) return result.columns
    if (result.error.kind === 'syntax') {
      await unexplainedSyntax(treatment, result.error)
      return undefined
    }
    if (result.error.kind === 'too-deep') {
      treatment.findings.push({ finding: tooDeep(treatment), repair: [] })
      return undefined
    }
    const { error, culprit } = await culpritOf(treatment, result.error)
    const found = await engineFinding(treatment, error, culprit)
    if (found !== 'silent') treatment.findings.push({ finding: found, repair: [] })
    const isRepaired =
      culprit === undefined ? await repairClause(treatment, error, found) : repair(treatment, error, culprit)
    if (!isRepaired) return undefined
  }
  return undefined
}

async function culpritOf(treatment: Treatment, error: BindError) {
  const missing = await missingName(treatment, error)
  if (missing !== undefined) return missing
  const culprit = nodeOf(treatment, error) ?? fittingAround(await blame(treatment, error), error)
  return { error, culprit }
}

/** Reports a syntax error of the engine where the reader found none, or not all. */
async function unexplainedSyntax(treatment: Treatment, error: BindError): Promise<void> {
  if (treatment.findings.some(({ finding }) => finding.code === 'sql-syntax')) return
  const { statement, binder } = treatment
  const plain = await binder.syntaxError(render(statement, []).sql)
  if (plain !== undefined) treatment.findings.push({ finding: syntaxFinding(plain, treatment), repair: [] })
  else if (treatment.findings.length === 0)
    treatment.findings.push({ finding: syntaxFinding(error, treatment), repair: [] })
}

/** Removes the clause that causes the error, if no expression in it does. */
async function repairClause(treatment: Treatment, error: BindError, found: Found): Promise<boolean> {
  const clause = await blameClause(treatment, error)
  if (clause === undefined) return false
  const { body } = clause
  const isTouched = body && treatment.edits.all.some(edit => body.start <= edit.start && edit.end <= body.end)
  if (isTouched && found !== 'silent') treatment.findings.pop()
  const last = treatment.findings.at(-1)
  if (found !== 'silent' && last?.finding === found)
    treatment.findings[treatment.findings.length - 1] = {
      ...last,
      finding: { ...found, range: clause.range },
    }
  return treatment.edits.add(clause.edit)
}

function repair(treatment: Treatment, error: BindError, culprit: PlacedNode): boolean {
  const { node } = culprit
  if (error.missing?.includes('Function') && node.kind === 'call' && keepArguments(treatment, node as Call))
    return true
  if (culprit.parent?.node.kind === 'function-table') return repairTable(treatment, culprit)
  for (let each: PlacedNode | undefined = culprit; each; each = each.parent) {
    if (each.parent?.node.kind === 'function-table') return repairTable(treatment, each)
    if (repairExpression(treatment, each)) return true
  }
  return false
}

/** Keeps the arguments of an unknown function in the text, so that mistakes inside them are found too. */
function keepArguments({ edits, repaired, statement }: Treatment, node: Call): boolean {
  const { path, over, filter, orderBy, distinct, receiver, tag } = node
  const [first, last] = [path[0], path.at(-1)]
  const isPlain = over === undefined && filter === undefined && orderBy.length === 0 && !distinct
  if (!isPlain || receiver !== undefined || tag !== undefined || path.length > 1) return false
  if (
    node.arguments.length === 0 ||
    node.arguments.some(({ value, name }) => name || value.kind === 'star' || value.kind === 'lambda')
  )
    return false
  if (repaired.has(node) || first === undefined || last === undefined) return false
  repaired.add(node)
  return edits.add({ start: first.start, end: last.end, text: statement.engine.functions.ofAnything })
}

// ---------------------------------------------------------------- what is certain

const mostConfirmed = 60

/**
 * Returns the findings that the engine confirms: a finding is dropped if the engine accepts the text with
 * this mistake left in and all others removed. `refused` is a text that the engine is known to reject.
 */
async function confirmed(
  { findings, statement, binder, edits }: Treatment,
  refused: string | undefined,
): Promise<readonly RepairedFinding[]> {
  const open = findings.filter(({ repair }) => repair.length > 0 && repair.every(edits.has))
  // Findings with the same name are tried together: where only one is repaired, the other could come to mean
  // its replacement.
  const alike = new Map<string, RepairedFinding[]>()
  for (const each of open) {
    const key = `${each.finding.code} ${each.finding.message}`
    const group = alike.get(key)
    if (group === undefined) alike.set(key, [each])
    else group.push(each)
  }
  if (alike.size > mostConfirmed) return findings
  const wrong = new Set<RepairedFinding>()
  for (const group of alike.values()) {
    const { sql } = render(statement, edits.without(group.flatMap(each => each.repair)))
    if (sql !== refused && 'columns' in (await binder.bind(sql))) for (const each of group) wrong.add(each)
  }
  return findings.filter(each => !wrong.has(each) && !(each.because && wrong.has(each.because)))
}

/** Reports literals in the rest of the statement that bind but can never be cast. */
async function findLiterals({
  binder,
  statement,
  bound,
  nodes,
  rendered,
  repaired,
}: Treatment): Promise<readonly Finding[]> {
  const found = await badLiterals(binder, [
    { statement, bound: () => bound, nodes: () => nodes, rendered, repaired },
  ])
  return found[0] ?? []
}
