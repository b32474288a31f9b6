/**
 * Diagnoses a statement with habits of other databases: each is one problem, whatever the engine says of it, and the rest is
 * diagnosed as if they were written as they are meant.
 */
import type { Find } from '../../language/engines/habits/habit.ts'
import type { Column, Diagnostic } from '../../language/index.ts'
import { type FoundHabit, findHabits } from '../../language/sql/habits/find-habits.ts'
import { editsOf, rewrittenTemplate } from '../../language/sql/habits/rewrite-habits.ts'
import type { Range } from '../../language/text/range.ts'
import type { Job } from '../bind-level.ts'
import type { Binder } from '../binder.ts'
import { boundOf, privateTables, usesOf } from '../bound.ts'
import type { Diagnosis } from './diagnose.ts'
import { type Finding, findingsToDiagnostics } from './finding.ts'
import type { KnownNames } from './treatment.ts'

/** Of a text with more, none is told from the rest. */
const most = 200
/** So many are tried without the others: that costs a binding each. */
const mostTried = 20

export async function habitsOf({ statement, bound }: Job, names: KnownNames): Promise<readonly FoundHabit[]> {
  const { template, engine } = statement
  const unknownColumns = new Set(
    bound.problems.flatMap(({ kind, span }) => (kind === 'unknown-column' ? span.start : [])),
  )
  const look = (functions: readonly string[]) =>
    findHabits(template.text, engine, { functions: new Set(functions), unknownColumns })
  // The functions are asked of the engine only if there is something to know of them.
  if (look([]).length === 0) return []
  const found = look((await names.functions()).all)
  return found.length > most ? [] : found
}

/** Returns undefined where no habit is to blame. */
export async function besideHabits(
  binder: Binder,
  job: Job,
  habits: readonly FoundHabit[],
  diagnose: (written: Job) => Promise<Diagnosis>,
): Promise<Diagnosis | undefined> {
  const { statement } = job
  const written = job.withTemplate(rewrittenTemplate(statement.template, habits))
  const isRewritten = habits.some(({ parts }) => parts !== undefined)
  const columns = isRewritten ? await columnsOf(binder, written) : undefined
  const real =
    columns === undefined ? habits.filter(({ mayBeValid }) => !mayBeValid) : await needed(binder, job, habits)
  if (real.length === 0) return undefined
  const diagnostics = findingsToDiagnostics(
    real.map(habit => findingOf(habit, job)),
    statement,
  )
  if (columns !== undefined) {
    const bound = boundOf(job.asset.name, written.statement, columns, written.bound)
    return { diagnostics, bound: { ...bound, ...usesOf(statement, job.bound) } }
  }
  const rest = await diagnose(written)
  return {
    diagnostics: [...diagnostics, ...rest.diagnostics.filter(each => !isExplained(each, real, job))].sort(
      (a, b) => a.range.start - b.range.start,
    ),
    bound: rest.bound && {
      ...rest.bound,
      ...usesOf(statement, job.bound),
      ...(real.some(({ parts }) => parts === undefined) && { isUnsure: true }),
    },
  }
}

async function columnsOf(binder: Binder, job: Job): Promise<readonly Column[] | undefined> {
  if (!job.isSelect || job.outside.length > 0 || job.bound.problems.length > 0) return undefined
  await binder.run(privateTables(job.statement))
  const result = await binder.bind(job.rendered.sql)
  return 'columns' in result ? result.columns : undefined
}

/** Returns the habits without whose correction the engine refuses the text. */
async function needed(
  binder: Binder,
  job: Job,
  habits: readonly FoundHabit[],
): Promise<readonly FoundHabit[]> {
  if (habits.length === 1 || habits.length > mostTried) return habits
  const real: FoundHabit[] = []
  for (const habit of habits) {
    const others = habits.filter(other => other !== habit)
    const without = job.withTemplate(rewrittenTemplate(job.statement.template, others))
    if ((await columnsOf(binder, without)) === undefined) real.push(habit)
  }
  return real
}

/** What cannot be written as it is meant is still in the text: what is said of it follows from the habit. */
function isExplained({ range }: Diagnostic, habits: readonly FoundHabit[], { statement }: Job): boolean {
  return habits.some(({ habit, parts, whole }) => {
    if (parts !== undefined) return false
    // Nobody knows how far a clause goes that the engine does not have.
    if (habit.find.kind === 'tokens') return true
    const around: Range = statement.template.toFile.rangeToOriginal(whole)
    return around.start <= range.start && range.end <= around.end
  })
}

const codes: Readonly<Record<Find['kind'], string>> = {
  call: 'sql-unknown-function',
  type: 'sql-unknown-type',
  column: 'sql-unknown-column',
  tokens: 'sql-syntax',
  quotes: 'sql-syntax',
  tag: 'invalid-tag',
}

/** What the engine does not have is told as it always is. */
function messageOf({ habit, at, isKnown }: FoundHabit, { template, engine }: Job['statement']): string {
  const written = template.text.slice(at.start, at.end)
  const { kind } = habit.find
  if (kind === 'call' && !isKnown) return `unknown function "${engine.fold(written)}"`
  if (kind === 'type' || kind === 'column') return `unknown ${kind} "${written}"`
  return `${habit.name} is ${habit.from}: ${engine.label} has it in another form`
}

function findingOf(found: FoundHabit, { statement }: Job): Finding {
  const { habit, meaning, at, parts } = found
  const { text } = statement.template
  const edits = meaning.isSure && parts !== undefined ? editsOf(found, text) : []
  return {
    code: codes[habit.find.kind],
    message: messageOf(found, statement),
    hint: meaning.hint,
    facts: { habit: habit.name, from: habit.from },
    range: at,
    ...(edits.length > 0 && { together: { title: `Write it for ${statement.engine.label}`, edits } }),
  }
}
