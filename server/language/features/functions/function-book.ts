/**
 * Prepares the function book for the editor: the warehouse's descriptions, our own where it has none, and
 * constructs that only its parser knows (COALESCE, window functions).
 */
import type { FunctionBook, FunctionOverload, SqlFunction } from '../knowledge.ts'
import { ownWords } from './own-words.ts'

export function functionBook(told: Iterable<SqlFunction>): FunctionBook {
  const book = new Map<string, SqlFunction>()
  for (const each of told) book.set(each.name, withParameterNames(each))
  for (const [name, words] of ownWords) {
    const before = book.get(name)
    const overloads = words.forms === undefined ? (before?.overloads ?? []) : words.forms.map(readForm)
    const examples = words.example === undefined ? (before?.examples ?? []) : [words.example]
    book.set(name, {
      name,
      kind: words.kind ?? before?.kind ?? 'scalar',
      overloads,
      description: words.description,
      examples,
    })
  }
  return book
}

/** Makes parameter names from the types where the warehouse calls them `col0`. */
function withParameterNames(each: SqlFunction): SqlFunction {
  if (!each.overloads.some(form => form.parameters.some(parameter => /^col\d+$/.test(parameter.name))))
    return each
  return { ...each, overloads: each.overloads.map(named) }
}

const namesByType: Readonly<Record<string, string>> = {
  VARCHAR: 'text',
  BIGINT: 'n',
  INTEGER: 'n',
  DOUBLE: 'x',
  DATE: 'date',
  TIMESTAMP: 'timestamp',
  INTERVAL: 'interval',
  JSON: 'json',
  BOOLEAN: 'condition',
}

function named(form: FunctionOverload): FunctionOverload {
  const used = new Map<string, number>()
  const parameters = form.parameters.map(({ name, type }) => {
    if (!/^col\d+$/.test(name)) return { name, type }
    const base = namesByType[type] ?? (type.endsWith('[]') ? 'list' : 'value')
    const count = (used.get(base) ?? 0) + 1
    used.set(base, count)
    return { name: count === 1 ? base : `${base}${count}`, type }
  })
  return { ...form, parameters }
}

/** Parses `lag(value ANY, offset BIGINT) -> ANY`; `...` after the last parameter means any number of them. */
function readForm(text: string): FunctionOverload {
  const [, inner = '', returns] = /^\w+\((.*)\)(?: -> (.+))?$/.exec(text) ?? []
  const parts = inner === '' ? [] : inner.split(', ')
  const parameters = parts.map(part => {
    // Arguments with keywords between them are shown as they are written.
    if (/ (?:FROM|AS) /.test(part)) return { name: part, type: '' }
    const [name = '', ...type] = part.replace(/\.\.\.$/, '').split(' ')
    return { name, type: type.join(' ') }
  })
  const last = parts.at(-1)
  return {
    parameters,
    varargs: last?.endsWith('...') === true ? parameters.at(-1)?.type : undefined,
    returns: returns ?? undefined,
  }
}
