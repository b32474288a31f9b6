/** For walks over SQL trees, which are not handed their engine yet. */
import { onlyEngine } from '../engines/only-engine.ts'

export const {
  valueWords: valueKeywords,
  volatile: volatileFunctions,
  withLambda: lambdaFunctions,
  concealing: concealingFunctions,
  ofOneType: fixedTypeFunctions,
} = onlyEngine.functions

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
