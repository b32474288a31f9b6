/**
 * Prepares the function book for the editor: the engine's descriptions, our own where it has none, and
 * constructs that only its parser knows (COALESCE, window functions).
 */
import type { Engine, EngineTypes } from '../../engines/engine.ts'
import type { FunctionWords } from '../../engines/engine-help.ts'
import type { TypeFamily } from '../../engines/sql-type.ts'
import type { FunctionBook, FunctionOverload, SqlFunction } from '../knowledge.ts'

export function functionBook(told: Iterable<SqlFunction>, engine: Engine): FunctionBook {
  const { help, types, functions } = engine
  const book = new Map<string, SqlFunction>()
  for (const each of told) {
    const overloads = withParameterNames(each.overloads, help.functions.get(each.name)?.names, types)
    book.set(each.name, { ...each, overloads })
  }
  for (const [name, words] of help.functions) book.set(name, withWords(name, book.get(name), words))
  for (const [name, each] of book) {
    const needsOver = functions.windows.has(name) || help.functions.get(name)?.needsOver === true
    if (needsOver) book.set(name, { ...each, needsOver })
  }
  return book
}

function withWords(name: string, before: SqlFunction | undefined, words: FunctionWords): SqlFunction {
  return {
    name,
    kind: words.kind ?? before?.kind ?? 'scalar',
    overloads: words.forms?.map(readForm) ?? before?.overloads ?? [],
    description: words.description ?? before?.description ?? '',
    examples: words.example === undefined ? (before?.examples ?? []) : [words.example],
  }
}

/** Names the parameters that the engine has no name for, or none but `col0`. */
function withParameterNames(
  overloads: readonly FunctionOverload[],
  names: readonly string[] | undefined,
  types: EngineTypes,
): readonly FunctionOverload[] {
  const isNamed = overloads.every(form => form.parameters.every(({ name }) => !isNoName(name)))
  return isNamed ? overloads : overloads.map(form => named(form, names ?? [], types))
}

function isNoName(name: string): boolean {
  return name === '' || /^col\d+$/.test(name)
}

const namesByFamily: Readonly<Partial<Record<TypeFamily, string>>> = {
  text: 'text',
  integer: 'n',
  decimal: 'x',
  float: 'x',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  interval: 'interval',
  json: 'json',
  boolean: 'condition',
}

function named(form: FunctionOverload, names: readonly string[], types: EngineTypes): FunctionOverload {
  const used = new Map<string, number>()
  const parameters = form.parameters.map(({ name, type }, index) => {
    if (!isNoName(name)) return { name, type }
    const base = names[index] ?? nameByType(type, types)
    const count = (used.get(base) ?? 0) + 1
    used.set(base, count)
    return { name: count === 1 ? base : `${base}${count}`, type }
  })
  return { ...form, parameters }
}

function nameByType(type: string, types: EngineTypes): string {
  if (/(\[\]|array)$/.test(type)) return 'list'
  return namesByFamily[types.family(types.parse(type))] ?? 'value'
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
