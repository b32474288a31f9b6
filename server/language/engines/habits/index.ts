/**
 * Habits of other databases and tools: what people write who come from there, one entry a habit. An entry says what it is called
 * and where it is from, how it is found in a text, and what is meant on each engine. `example` shows it, with the place of the
 * problem in `‹›`, and `gives` is what it means there: a test writes each one and its correction.
 */
import { ofBigquery } from './bigquery.ts'
import { ofDbt } from './dbt.ts'
import type { Habit } from './habit.ts'
import { ofMysql } from './mysql.ts'
import { ofOracle } from './oracle.ts'
import { ofTheOther } from './other-engines.ts'
import { ofSnowflake } from './snowflake.ts'
import { ofSqlServer } from './t-sql.ts'

export const habits: readonly Habit[] = [
  ...ofSqlServer,
  ...ofMysql,
  ...ofBigquery,
  ...ofSnowflake,
  ...ofOracle,
  ...ofTheOther,
  ...ofDbt,
].map(([name, from, find, on, example, gives]) => ({ name, from, find, on, example, gives }))
