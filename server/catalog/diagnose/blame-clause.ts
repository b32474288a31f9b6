/** Finds the clause or the join that causes an error without a place, if no expression causes it. */
import type { Clause, Edit, Join, Query, Select } from '../../language/sql/tree.ts'
import type { Range } from '../../language/text/range.ts'
import type { BindError } from '../bind-error.ts'
import { remains } from './blame.ts'
import type { Treatment } from './treatment.ts'

interface Suspect {
  /** The keyword of the clause. */
  readonly range: Range
  /** Removes the clause from the text. */
  readonly edit: Edit
  /**
   * The content of the clause: if a mistake was removed from it already, the clause itself is not the cause.
   */
  readonly body: Range | undefined
}

export async function blameClause(treatment: Treatment, error: BindError): Promise<Suspect | undefined> {
  for (const suspect of suspects(treatment))
    if (!(await remains(treatment, error, [suspect.edit]))) return suspect
  return undefined
}

function suspects(treatment: Treatment): Suspect[] {
  return treatment.nodes.flatMap(({ node }) => {
    if (node.kind === 'join') return joinSuspect(treatment, node as Join)
    if (node.kind !== 'select' && node.kind !== 'query') return []
    const { clauses = [] } = node as Partial<Select | Query>
    return clauses.flatMap(clause => clauseSuspect(treatment, clause))
  })
}

const optional: ReadonlySet<string> = new Set(['qualify', 'having', 'order', 'limit', 'offset', 'sample'])

function clauseSuspect({ statement }: Treatment, clause: Clause): Suspect[] {
  if (!optional.has(clause.kind)) return []
  const word = /^\w+/.exec(statement.template.text.slice(clause.start, clause.end))?.[0] ?? ''
  const range = { start: clause.start, end: clause.start + word.length }
  return [{ range, edit: { start: clause.start, end: clause.end, text: '' }, body: clause }]
}

/** Returns an ASOF join or the like as a suspect, with the edit that makes it a plain join. */
function joinSuspect({ statement }: Treatment, { words, asof, on, using }: Join): Suspect[] {
  if (!asof || (on === undefined && using === undefined)) return []
  const word = /^\w+/.exec(statement.template.text.slice(words.start, words.end))?.[0] ?? ''
  const range = { start: words.start, end: words.start + word.length }
  return [{ range, edit: { start: words.start, end: words.end, text: 'JOIN' }, body: on }]
}
