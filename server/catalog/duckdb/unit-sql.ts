/** The tables and values of unit tests in DuckDB. */
import { internalName } from '../../language/internal-names.ts'
import type { UnitSql } from '../unit/unit-sql.ts'
import { quoteLiteral } from './quoting.ts'

export const duckdbUnitSql: UnitSql = {
  table(table, columns, rows) {
    const create = `CREATE OR REPLACE TABLE ${table}`
    if (rows.length === 0)
      return `${create} (${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`
    const names = columns.map((_, index) => internalName(`c${index}`))
    const values = columns.map(({ name, type }, index) => `CAST(${names[index]} AS ${type}) AS ${name}`)
    const written = rows.map(row => `(${row.join(', ')})`)
    return `${create} AS SELECT ${values.join(', ')} FROM (VALUES ${written.join(', ')}) AS ${internalName('given')}(${names.join(', ')})`
  },
  nested: (json, type) => `CAST(CAST(${quoteLiteral(json)} AS JSON) AS ${type})`,
  text: (value, type) => `CAST(TRY_CAST(${value} AS ${type}) AS VARCHAR)`,
  mostDatabases: 4,
}
