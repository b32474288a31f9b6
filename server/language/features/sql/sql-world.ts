/** The names that the SQL of an asset may use, from the editor's knowledge: the columns of its tags. */

import type { Column } from '../../analysis.ts'
import type { EngineTypes } from '../../engines/engine.ts'
import type { Asset } from '../../project/project.ts'
import { canonicalType } from '../../source/column-type.ts'
import { promisedOf } from '../../source/table-contract.ts'
import type { FunctionOverload, Knowledge } from '../knowledge.ts'

/** The columns of what a tag of a FROM clause names. */
export interface TaggedTable {
  readonly columns: readonly Column[]
  /** False if there may be more. */
  readonly complete: boolean
}

const tagPattern = /^\{\{\s*([a-z]+)\s*(?:\(\s*(?:'([^']*)|"([^"]*))?)?/
/** Matches the keyword of a tag, also of one with extra characters. */
const wordInTag = /^\{\{[^'"]*?\b(ref|source|this|var)\b\s*(?:\(\s*(?:'([^']*)|"([^"]*))?)?/

/** Parses a tag that may be unfinished. */
export function readTagText(tag: string) {
  const match = wordInTag.exec(tag) ?? tagPattern.exec(tag)
  return match === null ? undefined : { word: match[1] ?? '', argument: match[2] ?? match[3] }
}

export function assetTable(knowledge: Knowledge, name: string): TaggedTable {
  const { columns = [], complete = false } = knowledge.analysis.of(name) ?? {}
  return columns.length === 0
    ? { columns: documented(knowledge, name), complete: false }
    : { columns, complete }
}

/** Returns the documented columns of an asset of which nothing else is known. */
function documented(knowledge: Knowledge, name: string): readonly Column[] {
  const columns = knowledge.project.byName.get(name)?.definition.columns ?? {}
  return Object.entries(columns).map(([column, doc]) => ({ name: column, type: doc.type }))
}

export function sourceTable(knowledge: Knowledge, asset: Asset, child: string | undefined): TaggedTable {
  const table = knowledge.sources.get(asset.name)?.find(each => each.child === child)
  return { columns: table?.columns ?? promised(asset, child), complete: table?.complete === true }
}

/** Returns the columns of the contract, before anything has been loaded. */
function promised(asset: Asset, child: string | undefined): readonly Column[] {
  const { columns } = promisedOf(asset.definition.contract, child)
  return Object.entries(columns).map(([name, { type }]) => ({ name, type }))
}

/** Types that the arguments decide, and those of no single value. */
const openType = /^(any\w*|T|K|V|LAMBDA|NULL|INVALID|TABLE|record|void)\b|\bany\w*\b/i
const sameType = /^(ANY|T|any(element|nonarray|array|compatible|range|enum))$/

/**
 * Returns the type of a function's result, if all overloads return the same type or one matches the arguments
 * exactly. `types` has the types of the arguments as the warehouse prints them.
 */
export function returnTypeOf(
  knowledge: Knowledge,
  name: string,
  types: readonly (string | undefined)[],
): string | undefined {
  const forms = knowledge.functions.get(name)?.overloads ?? []
  const given = new Set(forms.map(each => each.returns))
  const [only] = given
  const { types: known } = knowledge.project.engine
  if (given.size === 1 && isPlain(only, known)) return rowType(only)
  const form = forms.find(
    ({ parameters }) =>
      parameters.length === types.length && parameters.every(({ type }, index) => type === types[index]),
  )
  if (form !== undefined) return isPlain(form.returns, known) ? rowType(form.returns) : undefined
  return sameAsArgument(forms, types)
}

/** Returns whether the type is independent of the arguments; the precision of a DECIMAL depends on them. */
function isPlain(type: string | undefined, types: EngineTypes): type is string {
  return (
    type !== undefined &&
    !openType.test(rowType(type)) &&
    canonicalType(rowType(type), types) === rowType(type)
  )
}

/** Returns the type of one value of a function that gives a row for each. */
function rowType(type: string): string {
  return type.replace(/^SETOF /, '')
}

/** Returns the type of the first argument for overloads such as `max(ANY) → ANY`. */
function sameAsArgument(
  forms: readonly FunctionOverload[],
  types: readonly (string | undefined)[],
): string | undefined {
  const form = forms.find(({ parameters }) => parameters.length === types.length)
  const wanted = form?.parameters[0]?.type
  const isSame = wanted !== undefined && wanted === form?.returns && sameType.test(wanted)
  return isSame ? types[0] : undefined
}
