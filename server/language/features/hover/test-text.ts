/** A test in words and as SQL, for people. */
import type { JsonScalar, TestDefinition } from '../../schema/definition.ts'
import { asCode } from '../markdown.ts'

/** `unique`, `one of new, paid`, `0 to 23`; Markdown. */
export function testInWords(test: TestDefinition): string {
  const kind = asCode(test.kind)
  switch (test.kind) {
    case 'unique':
      return test.columns.length > 1 ? `${kind} with ${test.columns.slice(1).map(asCode).join(', ')}` : kind
    case 'accepted_values':
      return `${kind} ${test.values
        .slice(0, 8)
        .map(value => asCode(String(value)))
        .join(', ')}${test.values.length > 8 ? ', …' : ''}`
    case 'relationships':
      return `${kind} → ${asCode(`${test.toAsset}.${test.toColumn}`)}`
    case 'range':
      return `${kind} ${boundsText(test.min, test.max)}`
    case 'matches':
      return `${kind} ${asCode(test.pattern)}`
    default:
      return kind
  }
}

function boundsText(min: JsonScalar | undefined, max: JsonScalar | undefined): string {
  if (min === undefined) return `up to ${asCode(String(max))}`
  return max === undefined
    ? `from ${asCode(String(min))}`
    : `${asCode(String(min))} to ${asCode(String(max))}`
}

/** The rows that fail, as SQL in the way of the warehouse; undefined where the file itself says it all. */
export function failingRows(asset: string, test: TestDefinition): string | undefined {
  const condition = failingCondition(test)
  if (condition === undefined) return undefined
  const where = test.where === undefined ? condition : `(${condition}) AND (${test.where.trim()})`
  return test.kind === 'unique'
    ? `SELECT ${test.columns.join(', ')}, count(*)\nFROM ${asset}\nWHERE ${where}\nGROUP BY ALL\nHAVING count(*) > 1`
    : `SELECT *\nFROM ${asset}\nWHERE ${where}`
}

function failingCondition(test: TestDefinition): string | undefined {
  switch (test.kind) {
    case 'unique':
      return test.columns.map(column => `${column} IS NOT NULL`).join(' AND ')
    case 'not_null':
      return `${test.column} IS NULL`
    case 'accepted_values':
      return `${test.column} NOT IN (${test.values.map(literal).join(', ')})`
    case 'relationships':
      return `${test.column} NOT IN (SELECT ${test.toColumn} FROM ${test.toAsset})`
    case 'range':
      return outside(test)
    case 'matches':
      return `NOT regexp_matches(${test.column}, ${literal(test.pattern)})`
    case 'expression':
      return `NOT (${test.expression.trim()})`
    default:
      return undefined
  }
}

function outside(test: TestDefinition & { kind: 'range' }): string {
  const equal = test.strict ? '=' : ''
  const parts = [
    ...(test.min === undefined || test.min === null ? [] : [`${test.column} <${equal} ${literal(test.min)}`]),
    ...(test.max === undefined || test.max === null ? [] : [`${test.column} >${equal} ${literal(test.max)}`]),
  ]
  return parts.join(' OR ')
}

function literal(value: JsonScalar): string {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}
