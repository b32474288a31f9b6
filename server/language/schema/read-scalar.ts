/** Reads scalars by their shape: texts, numbers, choices, durations. Reports errors in the user's terms. */
import type { Node, ScalarNode } from '../syntax/node.ts'
import { hasTemplateMark } from '../syntax/scan-template.ts'
import type { Facts } from '../text/diagnostic.ts'
import { nearestNames } from '../text/nearest-names.ts'
import type { Amount, JsonValue, Step } from './definition.ts'
import {
  parseAmount,
  parseDuration,
  parsePercent,
  parseRate,
  parseSize,
  parseStep,
  parseThreshold,
} from './formats.ts'
import type { Value } from './inherited-values.ts'
import type { SchemaProblem } from './schema-problem.ts'
import {
  type Choice,
  type ChoiceShape,
  isBuilt,
  type NumberShape,
  type Shape,
  type TextFormat,
  type TextShape,
} from './shape.ts'

/** The text of one file, and the problems found in it so far. */
export interface Reading {
  readonly text: string
  readonly problems: SchemaProblem[]
  /** What stands for this place elsewhere, where the file itself says nothing. */
  readonly inherited?: Value | undefined
}

/**
 * Reads a scalar. Returns undefined if the value is wrong, which is then reported. `at` is the path of the
 * key, for messages.
 */
export function readScalar(
  reading: Reading,
  shape: Shape,
  node: ScalarNode,
  at: string,
): JsonValue | undefined {
  switch (shape.kind) {
    case 'text':
      return readText(reading, shape, node, at)
    case 'boolean':
      return typeof node.value === 'boolean' ? node.value : wrongType(reading, node, at, shape)
    case 'number':
      return readNumber(reading, shape, node, at)
    case 'choice':
      return readChoice(reading, shape, node, at)
    case 'duration':
      return converted(reading, node, parseDuration, 'a duration', durationWords)
    case 'rate':
      return converted(reading, node, parseRate, 'a rate', { hint: 'Write a rate such as 10/s or 100/m.' })
    case 'size':
      return converted(reading, node, parseSize, 'a size', { hint: 'Write a size such as 512MB or 2GB.' })
    case 'percent':
      return converted(reading, node, parsePercent, 'a percentage', {
        hint: 'Write a percentage such as 50%.',
      })
    case 'amount':
      return converted(reading, node, parseAmount, 'an amount', {
        hint: 'Write a whole number from 0 on, or a share up to 100%, such as 10 or 1%.',
      })
    case 'step':
      return converted(reading, node, parseStep, 'a step', stepWords)
    case 'threshold':
      return readThreshold(reading, node)
    case 'bound':
      return typeof node.value === 'string' || typeof node.value === 'number'
        ? node.value
        : wrongType(reading, node, at, shape)
    default:
      return node.value
  }
}

/** Returns what is expected in place of another value. */
export function wantedScalar(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
      return shape.sql === undefined ? 'text' : 'SQL'
    case 'boolean':
      return 'true or false'
    case 'number':
      return shape.whole ? 'a whole number' : 'a number'
    case 'choice':
      return `one of ${builtValues(shape.choices).join(', ')}`
    case 'scalar':
      return 'a single value'
    case 'bound':
      return 'a number or a text'
    case 'amount':
      return 'a whole number or a percentage'
    case 'step':
      return 'a duration or a whole number'
    default:
      return `a ${shape.kind}`
  }
}

/** Returns the value of a text, or the source of a scalar that is not text (`007`). */
function writtenText(reading: Reading, node: ScalarNode): string {
  if (typeof node.value === 'string') return node.value
  return reading.text.slice(node.bodyRange.start, node.bodyRange.end) || String(node.value)
}

function wrongType(reading: Reading, node: ScalarNode, at: string, shape: Shape): undefined {
  const wanted = wantedScalar(shape)
  if (node.value === null)
    return refuse(reading, node, `"${at}" has no value`, `Write ${wanted}, or remove the key.`, 'wrong-type')
  const message = `"${at}" must be ${wanted}, not ${describe(node)}`
  return refuse(reading, node, message, undefined, 'wrong-type', { wanted })
}

/** Reports a value that cannot be used. */
export function refuse(
  { problems }: Reading,
  { range }: Node,
  message: string,
  hint?: string | undefined,
  code = 'wrong-value',
  facts?: Facts,
): undefined {
  problems.push({
    code,
    range,
    message,
    ...(hint !== undefined && { hint }),
    ...(facts !== undefined && { facts }),
  })
}

function describe(node: ScalarNode): string {
  if (typeof node.value === 'string') return 'text'
  return typeof node.value === 'number' ? 'a number' : String(node.value)
}

function readText(reading: Reading, shape: TextShape, node: ScalarNode, at: string): string | undefined {
  const isNumber = typeof node.value === 'number' && shape.format?.noNumber !== true
  if (typeof node.value !== 'string' && !isNumber) return wrongType(reading, node, at, shape)
  const value = writtenText(reading, node)
  if (shape.sql !== undefined) return readSql(reading, shape, node, at, value)
  if (value === '') return refuse(reading, node, `"${at}" is empty`, 'Write a text, or remove the key.')
  return shape.format === undefined || fits(reading, shape.format, node, at, value) ? value : undefined
}

function readSql(
  reading: Reading,
  shape: TextShape,
  node: ScalarNode,
  at: string,
  value: string,
): string | undefined {
  if (value.trim() === '')
    return refuse(reading, node, `"${at}" has no SQL`, 'Write a SELECT, indented below the key.')
  if (shape.sql === 'expression' && hasTemplateMark(value)) {
    const message = `"${at}" may not hold template tags`
    return refuse(reading, node, message, 'Use a test of kind sql, which may.', 'invalid-tag')
  }
  return value
}

/** Returns whether a text has the format of its shape, and reports it if not. */
export function fits(
  reading: Reading,
  format: TextFormat,
  node: ScalarNode,
  at: string,
  value: string,
): boolean {
  const { unbuilt, pattern, rule, hint, code } = format
  if (unbuilt?.pattern.test(value)) {
    refuse(reading, node, `${unbuilt.what} is not built yet`, unbuilt.hint, 'not-built-yet')
    return false
  }
  if (pattern.test(value)) return true
  refuse(reading, node, `"${shown(value)}" does not fit "${at}": ${rule}`, hint, code)
  return false
}

function readNumber(reading: Reading, shape: NumberShape, node: ScalarNode, at: string): number | undefined {
  if (typeof node.value !== 'number') return wrongType(reading, node, at, shape)
  if (shape.whole && !Number.isInteger(node.value))
    return refuse(reading, node, `"${at}" must be a whole number, not ${node.value}`)
  if (shape.min !== undefined && node.value < shape.min)
    return refuse(reading, node, `"${at}" must be ${shape.min} or more, not ${node.value}`)
  return node.value
}

function readChoice(reading: Reading, shape: ChoiceShape, node: ScalarNode, at: string): string | undefined {
  if (node.value === null) return wrongType(reading, node, at, shape)
  return findChoice(reading, shape.choices, node, at)?.value
}

/** Returns the choice that a scalar names. Reports an unknown or unimplemented one. */
export function findChoice<C extends Choice>(
  reading: Reading,
  choices: readonly C[],
  node: ScalarNode,
  at: string,
): C | undefined {
  const value = writtenText(reading, node)
  const chosen = choices.find(each => each.value === value)
  if (chosen !== undefined && isBuilt(chosen)) return chosen
  const built = builtValues(choices)
  const allowed = `Allowed: ${built.join(', ')}.`
  if (chosen !== undefined)
    return refuse(reading, node, `${at} "${value}" is not built yet`, allowed, 'not-built-yet', {
      allowed: built,
    })
  const suggestions = [...meantBy(value, built), ...nearestNames(value, built)]
  const nearest = suggestions[0]
  reading.problems.push({
    code: 'wrong-value',
    range: node.range,
    message: `"${shown(value)}" is not a value of "${at}"`,
    hint: nearest === undefined ? allowed : `did you mean "${nearest}"? ${allowed}`,
    ...(nearest === undefined ? {} : { suggestions, replacement: nearest }),
  })
  return undefined
}

/** A kind has one name as a source and another one as a destination, and others in other tools. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  rest_api: ['http', 'https', 'rest', 'api', 'web', 'json'],
  http: ['rest_api', 'rest', 'api', 'web', 'webhook'],
  sql: ['database', 'db', 'jdbc', 'odbc'],
  file: ['files', 'csv', 'parquet', 'filesystem', 's3', 'sftp'],
  rows: ['seed', 'inline', 'values'],
}

function meantBy(value: string, built: readonly string[]): readonly string[] {
  return built.filter(each => otherWords[each]?.includes(value.toLowerCase()) === true)
}

function builtValues(choices: readonly Choice[]): string[] {
  return choices.filter(isBuilt).map(each => each.value)
}

/** What is said of a value that cannot be converted. */
interface Words {
  readonly hint: string
  readonly code?: string
  /** What it is, unless that is "not" and what is wanted. */
  readonly isNot?: string
  /** The units that a number without a unit may have meant. */
  readonly units?: readonly string[]
}

const durationWords: Words = {
  hint: 'Write a duration such as 90s, 30m, 12h or 7d.',
  code: 'invalid-duration',
  units: ['s', 'm', 'h', 'd'],
}

const stepWords: Words = {
  hint: 'Write a duration for a cursor of time, such as 7d, or a whole number for one of numbers.',
  isNot: 'no step along a cursor',
}

function converted(
  reading: Reading,
  node: ScalarNode,
  parse: (text: string) => number | Amount | Step | undefined,
  what: string,
  { hint, code, isNot = `not ${what}`, units }: Words,
): JsonValue | undefined {
  if (node.value === null) return refuse(reading, node, `${what} is missing`, hint, code)
  const written = writtenText(reading, node)
  const value = parse(written)
  if (value !== undefined) return typeof value === 'object' ? { ...value } : value
  const withUnit = units?.map(unit => `"${written}${unit}"`).join(', ')
  const isNumber = typeof node.value === 'number' && withUnit !== undefined
  const advice = isNumber ? `Which unit? ${withUnit}.` : hint
  return refuse(reading, node, `"${shown(written)}" is ${isNot}`, advice, code)
}

function readThreshold(reading: Reading, node: ScalarNode): JsonValue | undefined {
  const threshold = typeof node.value === 'string' ? parseThreshold(node.value) : undefined
  if (threshold !== undefined) return { ...threshold }
  const message = `"${shown(writtenText(reading, node))}" is not a threshold`
  const hint = 'Write a comparison with the number of failures, in quotes, such as "> 10".'
  return refuse(reading, node, message, hint)
}

/** Shortens a value to one line for a message. */
export function shown(value: string): string {
  const line = value.trim().replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
