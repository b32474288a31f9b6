/** Finds what a statement reads or does beside its tags, so that no door lets it through that the engine leaves open. */

import type { Engine } from '../engines/engine.ts'
import { isOpen, wordsOf } from '../engines/function-effects.ts'
import { once } from '../once.ts'
import { bindQueryText } from './binder/bind.ts'
import type { BoundSql, NameProblem, Outside, TaggedRelation } from './binder/model.ts'
import { readSql } from './reader/read-sql.ts'
import type { SqlReading } from './tree.ts'
import { walk } from './walk.ts'

/**
 * Returns what the binder found, and calls that only the tokens show. The engine may read a text in another way than the
 * tree does: then a name before a bracket counts, and so does a system schema before a dot.
 */
export function outsideReads(reading: SqlReading, bound: BoundSql, engine: Engine): readonly Outside[] {
  const found = [...bound.outside]
  const noted = new Set(found.map(({ span }) => span.start))
  const others = once(() => noCalls(reading, bound))
  for (const { start, end, text } of reading.called) {
    const name = engine.fold(text)
    const effect = engine.functions.effectOf(name)
    if (effect === undefined || isOpen(effect) || noted.has(start)) continue
    if (others().has(start)) continue
    found.push({ span: { start, end }, kind: 'function', name, effect, repair: [] })
  }
  if (reading.problems.length > 0) found.push(...systemNames(reading, engine, noted))
  return found
}

const nothing: TaggedRelation = {
  kind: 'unknown',
  name: '',
  asset: undefined,
  label: '',
  columns: [],
  open: undefined,
}

/**
 * The same for a condition that is bound by no catalogue, since it is a part of a statement of svc's own: it has no tags, so that
 * every table and file that it reads is outside.
 */
export function outsideOfCondition(condition: string, engine: Engine): readonly Outside[] {
  const reading = readSql(`SELECT 1 FROM (SELECT 1) AS asked WHERE (\n${condition}\n)`, engine.grammar)
  const world = { table: () => nothing, returnType: () => undefined }
  const bound = bindQueryText(reading, world, engine.binding)
  const relations = bound.problems.flatMap(problem => namedRelation(problem, reading))
  return [...outsideReads(reading, bound, engine), ...relations]
}

function namedRelation(problem: NameProblem, { text }: SqlReading): Outside[] {
  // A column that names its table again is told of with that table.
  if (problem.because !== undefined) return []
  if (problem.kind !== 'unknown-table' && problem.kind !== 'file-table') return []
  const span = problem.kind === 'unknown-table' ? problem.whole : problem.span
  const effect = problem.kind === 'unknown-table' ? 'relations' : 'files'
  return [{ span, kind: 'table', name: text.slice(span.start, span.end), effect, repair: [] }]
}

/** No tag can stand in a condition of svc's own statements. */
const asColumn = 'Work it out in the SQL of the asset, as a column that the condition compares.'

/** The words for a problem, the same at every door. */
export function outsideWords({ kind, name, effect }: Outside): {
  readonly message: string
  readonly hint: string
} {
  const words = wordsOf(effect)
  const messages: Readonly<Record<Outside['kind'], string>> = {
    function: `the SQL calls ${name}(), which ${words?.does ?? 'is not known'}`,
    relation: `the SQL reads ${name}, a relation of the database itself, which no ref() names`,
    table: `the SQL reads ${name}, which no ref() names`,
    listing: `${name} lists what the database has`,
  }
  return { message: messages[kind], hint: kind === 'table' ? asColumn : (words?.instead ?? '') }
}

/** The starts of names before a bracket that the text gives to a CTE or a table, or that are an operator such as GLOB. */
function noCalls({ statements, problems }: SqlReading, { mentions }: BoundSql): ReadonlySet<number> {
  if (problems.length > 0) return new Set()
  const starts = mentions.flatMap(({ role, span }) => (role === 'definition' ? [span.start] : []))
  const found = new Set(starts)
  for (const statement of statements)
    walk(statement, {
      enter(node) {
        if (node.kind === 'binary') found.add(node.operatorSpan.start)
        return undefined
      },
    })
  return found
}

function systemNames({ text }: SqlReading, engine: Engine, noted: ReadonlySet<number>): Outside[] {
  const tokens = engine.tokens(text).filter(({ kind }) => kind !== 'comment')
  return tokens.flatMap(({ start, end }, index): Outside[] => {
    const name = engine.fold(text.slice(start, end).replace(/^"|"$/g, ''))
    const next = tokens[index + 1]
    const isSchema = next !== undefined && text.slice(next.start, next.end) === '.'
    if (!isSchema || !engine.storage.systemSchemas.test(name) || noted.has(start)) return []
    return [{ span: { start, end }, kind: 'relation', name, effect: 'relations', repair: [] }]
  })
}
