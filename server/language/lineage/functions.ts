/** For walks over DuckDB's trees, which are not handed their engine yet. */
import { duckdbFunctions } from '../engines/duckdb/functions.ts'

export const {
  valueWords: valueKeywords,
  volatile: volatileFunctions,
  withLambda: lambdaFunctions,
  concealing: concealingFunctions,
  ofOneType: fixedTypeFunctions,
} = duckdbFunctions

/** Operators and predicates that give BOOLEAN whatever their operands. */
export function isPredicate(type: string): boolean {
  return (
    type.startsWith('COMPARE_') ||
    type.startsWith('CONJUNCTION_') ||
    type === 'OPERATOR_NOT' ||
    type === 'OPERATOR_IS_NULL' ||
    type === 'OPERATOR_IS_NOT_NULL'
  )
}
