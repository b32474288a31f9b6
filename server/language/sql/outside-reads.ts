/** Finds what a statement reads or does beside its tags, so that no door lets it through that the engine leaves open. */

import type { Engine } from '../engines/engine.ts'
import { isOpen, wordsOf } from '../engines/function-effects.ts'
import { bindQueryText } from './binder/bind.ts'
import type { BoundSql, Outside, TaggedRelation } from './binder/model.ts'
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
  for (const { start, end, text } of reading.called) {
    const name = engine.fold(text)
    const effect = engine.functions.effectOf(name)
    if (effect === undefined || isOpen(effect) || noted.has(start)) continue
    if (isNoCall(reading, bound, start)) continue
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

/** The same for a condition that is bound by no catalogue, since it is a part of a statement of svc's own. */
export function outsideOfCondition(condition: string, engine: Engine): readonly Outside[] {
  const reading = readSql(`SELECT 1 FROM (SELECT 1) AS asked WHERE (\n${condition}\n)`, engine.grammar)
  const world = { table: () => nothing, returnType: () => undefined }
  return outsideReads(reading, bindQueryText(reading, world, engine.binding), engine)
}

/** The words for a problem, the same at every door. */
export function outsideWords({ kind, name, effect }: Outside): {
  readonly message: string
  readonly hint: string
} {
  const words = wordsOf(effect)
  const messages: Readonly<Record<Outside['kind'], string>> = {
    function: `the SQL calls ${name}(), which ${words?.does ?? 'is not known'}`,
    relation: `the SQL reads ${name}, a relation of the database itself, which no ref() names`,
    listing: `${name} lists what the database has`,
  }
  return { message: messages[kind], hint: words?.instead ?? '' }
}

/** A name that the text gives to a CTE or a table, or an operator such as GLOB. */
function isNoCall({ statements, problems }: SqlReading, { mentions }: BoundSql, start: number): boolean {
  if (problems.length > 0) return false
  if (mentions.some(({ role, span }) => role === 'definition' && span.start === start)) return true
  let isOperator = false
  for (const statement of statements)
    walk(statement, {
      enter(node) {
        if (node.kind === 'binary' && node.operatorSpan.start === start) isOperator = true
        return undefined
      },
    })
  return isOperator
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
