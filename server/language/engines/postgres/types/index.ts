/** The types of PostgreSQL as values. */
import type { EngineTypes, TypeProblem } from '../../engine.ts'
import { elementOf, type ScalarType, type SqlType, sameType, type TypeFamily } from '../../sql-type.ts'
import { sameName } from '../names.ts'
import { portableTypes } from './portable-types.ts'
import { readType } from './read-type.ts'
import { commonTypeNames, familyOf, isTimed, typeNames } from './type-names.ts'
import { widenType } from './widen-type.ts'

export const postgresTypes: EngineTypes = {
  parse: parsed,
  print,
  same: (a, b) => sameType(a, b, sameName),
  widen: widenType,
  family,
  elementOf,
  problem,
  usual: {
    text: 'text',
    boolean: 'boolean',
    integer: 'bigint',
    float: 'double precision',
    json: 'jsonb',
  },
  hasStructs: false,
  portable: portableTypes,
  names: typeNames,
  commonNames: commonTypeNames,
  examples: ['bigint', 'numeric(12,2)', 'text[]', 'jsonb'],
}

/** A cache: a project has thousands of columns of a few types. */
const known = new Map<string, SqlType>()
const mostKnown = 10_000

function parsed(text: string): SqlType {
  let type = known.get(text)
  if (type === undefined) {
    if (known.size >= mostKnown) known.clear()
    const read = readType(text, false)
    type = isProblem(read) ? { kind: 'unknown', text } : read
    known.set(text, type)
  }
  return type
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
      return printScalar(type)
    case 'list':
    case 'array':
      return `${print(type.element)}[]`
    case 'unknown':
      return type.text
    case 'enum':
      return 'text'
    default:
      // What has named fields is stored as JSON.
      return 'jsonb'
  }
}

/** The digits of a second stand behind the first word. */
function printScalar({ name, parameters }: ScalarType): string {
  if (parameters.length === 0) return name
  const numbers = `(${parameters.join(',')})`
  const space = isTimed(name) && !name.startsWith('interval') ? name.indexOf(' ') : -1
  return space < 0 ? name + numbers : name.slice(0, space) + numbers + name.slice(space)
}

function family(type: SqlType): TypeFamily {
  if (type.kind === 'scalar') return familyOf(type.name)
  if (type.kind === 'enum') return 'text'
  return type.kind === 'unknown' ? 'other' : 'nested'
}
