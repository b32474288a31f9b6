/** The types of DuckDB as values. */
import type { EngineTypes, TypeProblem } from '../../engine.ts'
import { elementOf, type SqlType, sameType, type TypeFamily, type TypeField } from '../../sql-type.ts'
import { quoteAsPrinted, sameName } from '../names.ts'
import { portableTypes } from './portable-types.ts'
import { readType } from './read-type.ts'
import { commonTypeNames, familyOf, typeNames } from './type-names.ts'
import { widenType } from './widen-type.ts'

export const duckdbTypes: EngineTypes = {
  parse: parsed,
  print,
  same: (a, b) => sameType(a, b, sameName),
  widen: widenType,
  family,
  elementOf,
  problem,
  usual: { text: 'VARCHAR', boolean: 'BOOLEAN', integer: 'BIGINT', float: 'DOUBLE', json: 'JSON' },
  hasStructs: true,
  portable: portableTypes,
  names: typeNames,
  commonNames: commonTypeNames,
  examples: ['bigint', 'decimal(12, 2)', 'varchar[]', 'struct(a integer, b varchar)'],
}

/**
 * A cache: a project has thousands of columns of a few types. It is bounded because an editor sees many
 * unfinished texts.
 */
const known = new Map<string, SqlType>()
const mostKnown = 10_000

function parsed(text: string): SqlType {
  let type = known.get(text)
  if (type === undefined) {
    if (known.size >= mostKnown) known.clear()
    type = parse(text)
    known.set(text, type)
  }
  return type
}

function parse(text: string): SqlType {
  const read = readType(text, false)
  return isProblem(read) ? { kind: 'unknown', text } : read
}

function problem(text: string): TypeProblem | undefined {
  const read = readType(text, true)
  return isProblem(read) ? read : undefined
}

function isProblem(read: SqlType | TypeProblem): read is TypeProblem {
  return 'range' in read
}

function print(type: SqlType): string {
  switch (type.kind) {
    case 'scalar':
      return type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.join(',')})`
    case 'list':
      return `${print(type.element)}[]`
    case 'array':
      return `${print(type.element)}[${type.size}]`
    case 'struct':
      return `STRUCT(${type.fields.map(printField).join(', ')})`
    case 'map':
      return `MAP(${print(type.key)}, ${print(type.value)})`
    case 'union':
      return `UNION(${type.members.map(printField).join(', ')})`
    case 'enum':
      return `ENUM(${type.values.map(value => `'${value.replaceAll("'", "''")}'`).join(', ')})`
    case 'unknown':
      return type.text
  }
}

function printField({ name, type }: TypeField): string {
  return name === undefined ? print(type) : `${quoteAsPrinted(name)} ${print(type)}`
}

function family(type: SqlType): TypeFamily {
  switch (type.kind) {
    case 'scalar':
      return familyOf(type.name)
    case 'enum':
      return 'text'
    case 'unknown':
      return 'other'
    default:
      return 'nested'
  }
}
