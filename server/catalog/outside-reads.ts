/** Finds what a statement reads or does beside its tags, so that no door lets it through that the engine leaves open. */

import { isOpen } from '../language/engines/function-effects.ts'
import type { Engine } from '../language/index.ts'
import type { BoundSql, Outside } from '../language/sql/binder/model.ts'
import type { SqlReading } from '../language/sql/tree.ts'
import { walk } from '../language/sql/walk.ts'

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
