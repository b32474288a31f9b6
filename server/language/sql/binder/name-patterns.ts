/** Evaluates a pattern or a lambda of COLUMNS(…) over column names. */
import type { Expression, Lambda, StarPattern } from '../tree.ts'
import { bindExpression } from './expressions.ts'
import type { Scope } from './model.ts'
import { spanText, type Work } from './work.ts'

export type NameMatcher = (name: string) => boolean

/** Returns a matcher for `* LIKE 'x%'`. */
export function nameMatcher(work: Work, pattern: StarPattern, scope: Scope): NameMatcher | 'unsure' {
  bindExpression(work, pattern.pattern, scope)
  const text = textOf(work, pattern.pattern)
  const matches = text === undefined ? undefined : likeMatcher(work, pattern.operator, text)
  if (matches === undefined) return 'unsure'
  return pattern.not ? name => !matches(name) : matches
}

/** Returns the value of a plain string literal. */
export function textOf(work: Work, node: Expression): string | undefined {
  if (node.kind !== 'literal' || node.type !== 'string') return undefined
  const written = spanText(work, node)
  return /^'(?:[^']|'')*'$/.test(written) ? written.slice(1, -1).replaceAll("''", "'") : undefined
}

function likeMatcher(work: Work, operator: string, pattern: string): NameMatcher | undefined {
  if (operator === 'similar to') {
    const matcher = work.dialect.columnsMatching(`^(?:${pattern})$`)
    return matcher
  }
  if (operator === 'like') return wildcards(pattern, '%', '_', '')
  if (operator === 'ilike') return wildcards(pattern, '%', '_', 'i')
  if (operator !== 'glob' || pattern.includes('[') || pattern.includes('\\')) return undefined
  return wildcards(pattern, '*', '?', '')
}

/**
 * Makes a matcher that scans name and pattern in parallel, so that many wildcards cost no more than a few.
 */
function wildcards(pattern: string, many: string, one: string, flags: '' | 'i'): NameMatcher {
  const wanted = flags === 'i' ? pattern.toLowerCase() : pattern
  return given => {
    const name = flags === 'i' ? given.toLowerCase() : given
    let [at, in_pattern, star, mark] = [0, 0, -1, 0]
    while (at < name.length) {
      if (
        in_pattern < wanted.length &&
        (wanted[in_pattern] === one || wanted[in_pattern] === name[at]) &&
        wanted[in_pattern] !== many
      ) {
        at++
        in_pattern++
      } else if (wanted[in_pattern] === many) {
        star = in_pattern++
        mark = at
      } else if (star >= 0) {
        in_pattern = star + 1
        at = ++mark
      } else return false
    }
    while (wanted[in_pattern] === many) in_pattern++
    return in_pattern === wanted.length
  }
}

/** Returns a matcher for `c -> c LIKE 'x%'`; undefined for lambdas that cannot be evaluated here. */
export function lambdaMatcher(work: Work, lambda: Lambda): NameMatcher | undefined {
  const [parameter] = lambda.parameters
  if (parameter === undefined) return undefined
  return conditionOn(work, lambda.body, work.dialect.fold(parameter.text))
}

function conditionOn(work: Work, node: Expression, parameter: string): NameMatcher | undefined {
  if (node.kind === 'unary' && node.operator === 'not') {
    const inner = conditionOn(work, node.operand, parameter)
    return inner && (name => !inner(name))
  }
  if (node.kind === 'binary') return comparisonOn(work, node, parameter)
  if (node.kind === 'in') return membershipOn(work, node, parameter)
  return node.kind === 'call' ? callOn(work, node, parameter) : undefined
}

function comparisonOn(
  work: Work,
  node: Extract<Expression, { kind: 'binary' }>,
  parameter: string,
): NameMatcher | undefined {
  const { operator, left, right } = node
  if (operator === 'and' || operator === 'or') {
    const [a, b] = [conditionOn(work, left, parameter), conditionOn(work, right, parameter)]
    if (a === undefined || b === undefined) return undefined
    return operator === 'and' ? name => a(name) && b(name) : name => a(name) || b(name)
  }
  const [subject, other] = isParameter(work, left, parameter) ? [left, right] : [right, left]
  const text = textOf(work, other)
  if (!isParameter(work, subject, parameter) || text === undefined) return undefined
  if (operator === '=' || operator === '==') return name => name === text
  if (operator === '<>' || operator === '!=') return name => name !== text
  if (subject !== left) return undefined
  const isNot = operator.startsWith('not ')
  const matches = likeMatcher(work, isNot ? operator.slice(4) : operator, text)
  return matches && (name => matches(name) !== isNot)
}

function membershipOn(
  work: Work,
  node: Extract<Expression, { kind: 'in' }>,
  parameter: string,
): NameMatcher | undefined {
  const texts = node.items.map(item => textOf(work, item))
  if (!isParameter(work, node.operand, parameter) || texts.includes(undefined)) return undefined
  return name => texts.includes(name) !== node.not
}

const textTests: Readonly<Record<string, ((name: string, text: string) => boolean) | undefined>> = {
  starts_with: (name, text) => name.startsWith(text),
  prefix: (name, text) => name.startsWith(text),
  ends_with: (name, text) => name.endsWith(text),
  suffix: (name, text) => name.endsWith(text),
  contains: (name, text) => name.includes(text),
}

function callOn(
  work: Work,
  node: Extract<Expression, { kind: 'call' }>,
  parameter: string,
): NameMatcher | undefined {
  const [subject, other] = node.arguments.map(argument => argument.value)
  const text = other && textOf(work, other)
  if (subject === undefined || text === undefined || !isParameter(work, subject, parameter)) return undefined
  const name = work.dialect.fold(node.path.at(-1)?.text ?? '')
  if (name === 'regexp_matches') return work.dialect.columnsMatching(text)
  const test = Object.hasOwn(textTests, name) ? textTests[name] : undefined
  return test && (column => test(column, text))
}

function isParameter(work: Work, node: Expression, parameter: string): boolean {
  if (node.kind !== 'reference' || node.path.length !== 1) return false
  return work.dialect.fold(node.path[0]?.text ?? '') === parameter
}
