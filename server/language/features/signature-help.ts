/**
 * Signature help: the overloads of the function around the cursor, and the argument that is being written.
 */
import { type CallLabel, formLabel, functionDocumentation } from './functions/function-text.ts'
import { argumentTypes, bestForms } from './functions/matching-forms.ts'
import type { FunctionOverload, Knowledge, SqlFunction } from './knowledge.ts'
import { macroCallAt, macroHelp } from './macro-signature.ts'
import { openBracket, type SqlCursor, sqlCursor } from './sql/sql-cursor.ts'
import { sqlPlaceAt } from './sql/sql-place.ts'

export interface SignatureHelp {
  /** The overload that fits best comes first. */
  readonly signatures: readonly Signature[]
}

export interface Signature extends CallLabel {
  /** The documentation in Markdown. */
  readonly documentation: string
  /** The index of the argument at the cursor; undefined if the overload has no such argument. */
  readonly activeParameter: number | undefined
}

export function signatureHelpAt(
  knowledge: Knowledge,
  path: string,
  offset: number,
): SignatureHelp | undefined {
  const place = sqlPlaceAt(knowledge, path, offset)
  if (place === undefined) return undefined
  const cursor = sqlCursor(place.block.code, place.offset, place.tokens, place.engine)
  if (cursor.at?.kind === 'comment') return undefined
  const macro = macroCallAt(knowledge.project, place.block.text, place.offset)
  if (macro !== undefined) return macroHelp(macro)
  const call = callAround(knowledge, cursor)
  if (call === undefined) return undefined
  const { called, bracket } = call
  const { types } = knowledge.project.engine
  const given = argumentTypes(types, place.scope(), bracket)
  const forms = bestForms(called.overloads, given, bracket.argument, types)
  const documentation = functionDocumentation({ ...called, overloads: [] })
    .split('\n\n')
    .slice(1)
    .join('\n\n')
  return { signatures: forms.map(form => signature(called, form, bracket.argument, documentation)) }
}

/** Returns the nearest bracket of a function call; other brackets are skipped. */
function callAround(knowledge: Knowledge, cursor: SqlCursor) {
  // The inside of a string still belongs to its argument.
  let before = cursor.count
  for (;;) {
    const bracket = openBracket(cursor, before)
    if (bracket === undefined) return undefined
    const called = bracket.mark === '(' ? knowledge.functions.get(bracket.callee) : undefined
    if (called !== undefined && called.overloads.length > 0) return { called, bracket }
    if (bracket.words.includes('select')) return undefined
    before = bracket.index
  }
}

function signature(
  called: SqlFunction,
  form: FunctionOverload,
  argument: number,
  documentation: string,
): Signature {
  const label = formLabel(called.name, form)
  const last = label.parameters.length - 1
  const isBeyond = argument > last
  const activeParameter = isBeyond ? (form.varargs === undefined ? undefined : last) : argument
  return { ...label, documentation, activeParameter: last < 0 ? undefined : activeParameter }
}
