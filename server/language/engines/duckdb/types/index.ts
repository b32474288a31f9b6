/** The types of DuckDB as values. */
import type { EngineTypes } from '../../engine.ts'
import { elementOf, familyIn, type SqlType, sameType, type TypeField } from '../../sql-type.ts'
import { typeTexts } from '../../type-reader.ts'
import { quoteAsPrinted, sameName } from '../names.ts'
import { portableTypes } from './portable-types.ts'
import { readType } from './read-type.ts'
import { commonTypeNames, families, typeNames } from './type-names.ts'
import { widenType } from './widen-type.ts'

export const duckdbTypes: EngineTypes = {
  ...typeTexts(readType),
  print,
  same: (a, b) => sameType(a, b, sameName),
  widen: widenType,
  family: type => familyIn(families, type),
  elementOf,
  usual: { text: 'VARCHAR', boolean: 'BOOLEAN', integer: 'BIGINT', float: 'DOUBLE', json: 'JSON' },
  hasStructs: true,
  portable: portableTypes,
  names: typeNames,
  commonNames: commonTypeNames,
  examples: ['bigint', 'decimal(12, 2)', 'varchar[]', 'struct(a integer, b varchar)'],
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
