/** Findings for calls and operators that match no function: wrong number of arguments, or wrong types. */
import type { Expression } from '../../language/sql/tree.ts'
import type { BindError } from '../bind-error.ts'
import { plainTypes, sentence } from '../phrases.ts'
import type { Finding, Found } from './finding.ts'
import { joined } from './names-in-sight.ts'
import { placeOf } from './places.ts'
import { restsOnUnknown, type Treatment } from './treatment.ts'

interface Signature {
  readonly types: readonly string[]
  readonly isVariadic: boolean
}

export function callFinding(treatment: Treatment, error: BindError, node: Expression): Found {
  const text = error.call ?? ''
  const name = text.slice(0, text.indexOf('('))
  const given = signatureOf(text).types
  const accepted = candidatesOf(error).map(signatureOf)
  const counts = [...new Set(accepted.map(each => each.types.length))].sort((a, b) => a - b)
  const isCountWrong = accepted.length > 0 && !accepted.some(each => takes(each, given.length))
  if (!isCountWrong && restsOnUnknown(treatment, node)) return 'silent'
  const range = placeOf(treatment, { node, parent: undefined })
  if (isCountWrong && !isOperator(name))
    return {
      code: 'sql-wrong-arity',
      message: arityMessage(name, counts, given.length),
      range,
      hint: usage(name, accepted),
    }
  return {
    code: isOperator(name) ? 'sql-type' : 'sql-no-matching-function',
    ...(error.hint === undefined ? wordsFor(name, given, accepted, node) : wordsOfEngine(error, accepted)),
    range,
  }
}

function wordsFor(
  name: string,
  given: readonly string[],
  accepted: readonly Signature[],
  node: Expression,
): Pick<Finding, 'message' | 'hint'> {
  return {
    message: isOperator(name) ? operatorMessage(name, given) : typeMessage(name, given, accepted, node),
    hint: usage(name, related(accepted, given)) ?? 'Cast the argument to a type that it takes.',
  }
}

/** An engine that gives advice has said what is wrong, too. */
function wordsOfEngine(
  { message, hint, name = '' }: BindError,
  accepted: readonly Signature[],
): Pick<Finding, 'message' | 'hint'> {
  return { message: sentence(message), hint: joined(hint, usage(name, accepted)) }
}

function isOperator(name: string): boolean {
  return !/^[\p{L}_"]/u.test(name)
}

function candidatesOf(error: BindError): string[] {
  const lines = error.candidates?.split(/\n|,(?=[^()]*(?:\(|$))/) ?? error.message.split('\n').slice(1)
  return lines.map(line => line.trim()).filter(line => line.includes('(') && line.includes('->'))
}

/** Parses a signature: `name(A, B, [C...]) -> D`. */
function signatureOf(text: string): Signature {
  const inner = text.slice(text.indexOf('(') + 1, closing(text))
  const types = split(inner).filter(type => !type.startsWith('['))
  return { types, isVariadic: inner.includes('...') }
}

function closing(text: string): number {
  let depth = 0
  for (let index = text.indexOf('('); index < text.length; index++) {
    if (text[index] === '(') depth++
    else if (text[index] === ')' && --depth === 0) return index
  }
  return text.length
}

function split(list: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let index = 0; index <= list.length; index++) {
    const letter = list[index]
    if (letter === '(') depth++
    else if (letter === ')') depth--
    else if ((letter === ',' && depth === 0) || letter === undefined) {
      parts.push(plainTypes(list.slice(start, index).trim()))
      start = index + 1
    }
  }
  return parts.filter(part => part !== '')
}

function takes(signature: Signature, count: number): boolean {
  return signature.isVariadic ? count >= signature.types.length : count === signature.types.length
}

function arityMessage(name: string, counts: readonly number[], given: number): string {
  const words = counts.length > 2 ? `${counts[0]} to ${counts.at(-1)}` : counts.join(' or ')
  return `${name}() takes ${words} argument${counts.at(-1) === 1 ? '' : 's'}, not ${given}`
}

function operatorMessage(name: string, given: readonly string[]): string {
  const [left, right] = given
  const word = operatorWords[name] ?? `"${name}"`
  return right === undefined ? `${word} does not take ${left}` : `${word} does not take ${left} and ${right}`
}

const operatorWords: Readonly<Record<string, string>> = {
  '~~': 'LIKE',
  '!~~': 'NOT LIKE',
  '~~*': 'ILIKE',
  '!~~*': 'NOT ILIKE',
  '~~~': 'GLOB',
}

/** Returns a message such as `sum() takes numbers, "origin" is VARCHAR`. */
function typeMessage(
  name: string,
  given: readonly string[],
  accepted: readonly Signature[],
  node: Expression,
): string {
  const wrong = given.findIndex((type, index) => !accepted.some(each => each.types[index] === type))
  const place = Math.max(wrong, 0)
  const argument = node.kind === 'call' ? node.arguments[place]?.value : undefined
  const subject =
    argument?.kind === 'reference'
      ? `"${argument.path.at(-1)?.text}"`
      : given.length > 1
        ? `argument ${place + 1}`
        : 'its argument'
  const wanted = given.length === 1 ? typesInWords(accepted.map(each => each.types[0] ?? '')) : undefined
  return wanted
    ? `${name}() takes ${wanted}, ${subject} is ${given[place]}`
    : `${name}() does not take ${given.join(', ')}: ${subject} is ${given[place]}`
}

const numbers =
  /^(DECIMAL|TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|UHUGEINT|UTINYINT|USMALLINT|UINTEGER|UBIGINT|FLOAT|DOUBLE|BIGNUM|BOOLEAN)\b/

function typesInWords(types: readonly string[]): string {
  const others = [...new Set(types.filter(type => !numbers.test(type)))]
  const words = [
    ...(types.some(type => numbers.test(type) && type !== 'BOOLEAN') ? ['numbers'] : []),
    ...others,
  ]
  return words.length > 4 ? `${words.slice(0, 4).join(', ')}, …` : words.join(' or ')
}

function related(accepted: readonly Signature[], given: readonly string[]): readonly Signature[] {
  return accepted.filter(
    each => each.types.length === given.length && each.types.some((type, index) => type === given[index]),
  )
}

function usage(name: string, signatures: readonly Signature[]): string | undefined {
  if (signatures.length === 0) return undefined
  const shown = signatures
    .slice(0, 3)
    .map(({ types }) => (isOperator(name) ? types.join(` ${name} `) : `${name}(${types.join(', ')})`))
  return `It takes ${shown.join(', ')}${signatures.length > 3 ? ', …' : ''}.`
}
