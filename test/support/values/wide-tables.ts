/** Tables of many columns, of as many kinds as a real one has, for each database that rows are read from. */

const kinds = ['INTEGER', 'VARCHAR(20)', 'DATE', 'DECIMAL(10,2)', 'DOUBLE PRECISION']
const values = ['7', "'text'", "'2024-02-29'", '1.25', '0.5']

/** Statements that make a table `wide` with so many columns and rows. `end`: what stands behind the columns. */
export function wideTable(columns: number, rows: number, kindsOfDatabase = kinds, end = ''): string[] {
  const names = Array.from(
    { length: columns },
    (_, n) => `${end === '' ? 'a_column_with_a_long_name' : 'c'}_${n} ${kindsOfDatabase[n % kinds.length]}`,
  )
  const row = `(${Array.from({ length: columns }, (_, n) => values[n % values.length]).join(', ')})`
  return [
    `CREATE TABLE wide (${names.join(', ')})${end}`,
    `INSERT INTO wide VALUES ${Array(rows).fill(row).join(', ')}`,
  ]
}
