/** The types of PostgreSQL as values. */
import type { EngineTypes } from '../../engine.ts'
import {
  elementOf,
  familyIn,
  type ScalarType,
  type SqlType,
  sameType,
  type TypeFamily,
} from '../../sql-type.ts'
import { typeTexts } from '../../type-reader.ts'
import { sameName } from '../names.ts'
import { portableTypes } from './portable-types.ts'
import { readType } from './read-type.ts'
import { commonTypeNames, families, isTimed, typeNames } from './type-names.ts'
import { widenType } from './widen-type.ts'

export const postgresTypes: EngineTypes = {
  ...typeTexts(readType),
  print,
  same: (a, b) => sameType(a, b, sameName),
  widen: widenType,
  family,
  elementOf,
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

/** The fields of an interval are part of its name. */
function family(type: SqlType): TypeFamily {
  const isInterval = type.kind === 'scalar' && type.name.startsWith('interval ')
  return isInterval ? 'interval' : familyIn(families, type)
}
