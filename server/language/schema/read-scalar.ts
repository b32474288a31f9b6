/** Reads scalars by their shape: texts, numbers, choices, durations. Reports errors in the user's terms. */
import type { ScalarNode } from '../syntax/node.ts'
import { hasTemplateMark } from '../syntax/scan-template.ts'
import { nearestNames } from '../text/nearest-names.ts'
import type { JsonValue } from './definition.ts'
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
      return typeof node.value === 'boolean' ? node.value : wrongType(reading, node, at, 'true or false')
    case 'number':
      return readNumber(reading, shape, node, at)
    case 'choice':
      return readChoice(reading, shape, node, at)
    case 'duration':
      return converted(
        reading,
        node,
        parseDuration,
        'invalid-duration',
        'a duration',
        'such as 90s, 30m, 12h or 7d',
      )
    case 'rate':
      return converted(reading, node, parseRate, 'wrong-value', 'a rate', 'such as 10/s or 100/m')
    case 'size':
      return converted(reading, node, parseSize, 'wrong-value', 'a size', 'such as 512MB or 2GB')
    case 'percent':
      return converted(reading, node, parsePercent, 'wrong-value', 'a percentage', 'such as 50%')
    case 'amount':
      return readAmount(reading, node)
    case 'step':
      return readStep(reading, node)
    case 'threshold':
      return readThreshold(reading, node)
    case 'bound':
      return typeof node.value === 'string' || typeof node.value === 'number'
        ? node.value
        : wrongType(reading, node, at, 'a number or a text')
    default:
      return node.value
  }
}

/** Returns the value of a text, or the source of a scalar that is not text (`007`). */
function writtenText(reading: Reading, node: ScalarNode): string {
  if (typeof node.value === 'string') return node.value
  return reading.text.slice(node.bodyRange.start, node.bodyRange.end) || String(node.value)
}

function wrongType(reading: Reading, node: ScalarNode, at: string, wanted: string): undefined {
  const isEmpty = node.value === null
  const message = isEmpty ? `"${at}" has no value` : `"${at}" must be ${wanted}, not ${describe(node)}`
  const hint = isEmpty ? `Write ${wanted}, or remove the key.` : undefined
  reading.problems.push({
    code: 'wrong-type',
    range: node.range,
    message,
    ...(hint === undefined ? {} : { hint }),
  })
}

function describe(node: ScalarNode): string {
  if (typeof node.value === 'string') return 'text'
  return typeof node.value === 'number' ? 'a number' : String(node.value)
}

function readText(reading: Reading, shape: TextShape, node: ScalarNode, at: string): string | undefined {
  const isNumber = typeof node.value === 'number' && shape.format?.noNumber !== true
  if (typeof node.value !== 'string' && !isNumber) {
    return wrongType(reading, node, at, shape.sql === undefined ? 'text' : 'SQL')
  }
  const value = writtenText(reading, node)
  if (shape.sql !== undefined) return readSql(reading, shape, node, at, value)
  if (value === '') {
    const hint = 'Write a text, or remove the key.'
    reading.problems.push({ code: 'wrong-value', range: node.range, message: `"${at}" is empty`, hint })
    return undefined
  }
  return shape.format === undefined || fits(reading, shape.format, node, at, value) ? value : undefined
}

function readSql(
  reading: Reading,
  shape: TextShape,
  node: ScalarNode,
  at: string,
  value: string,
): string | undefined {
  if (value.trim() === '') {
    const message = `"${at}" has no SQL`
    reading.problems.push({
      code: 'wrong-value',
      range: node.range,
      message,
      hint: 'Write a SELECT, indented below the key.',
    })
    return undefined
  }
  if (shape.sql === 'expression' && hasTemplateMark(value)) {
    const message = `"${at}" may not hold template tags`
    const hint = 'Use a test of kind sql, which may.'
    reading.problems.push({ code: 'invalid-tag', range: node.range, message, hint })
    return undefined
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
  const { unbuilt } = format
  if (unbuilt?.pattern.test(value)) {
    const hint = unbuilt.hint === undefined ? {} : { hint: unbuilt.hint }
    reading.problems.push({
      code: 'not-built-yet',
      range: node.range,
      message: `${unbuilt.what} is not built yet`,
      ...hint,
    })
    return false
  }
  if (format.pattern.test(value)) return true
  const hint = format.hint === undefined ? {} : { hint: format.hint }
  const message = `"${shown(value)}" does not fit "${at}": ${format.rule}`
  reading.problems.push({ code: format.code, range: node.range, message, ...hint })
  return false
}

function readNumber(reading: Reading, shape: NumberShape, node: ScalarNode, at: string): number | undefined {
  const wanted = shape.whole ? 'a whole number' : 'a number'
  if (typeof node.value !== 'number') return wrongType(reading, node, at, wanted)
  if (shape.whole && !Number.isInteger(node.value)) {
    const message = `"${at}" must be a whole number, not ${node.value}`
    reading.problems.push({ code: 'wrong-value', range: node.range, message })
    return undefined
  }
  if (shape.min !== undefined && node.value < shape.min) {
    const message = `"${at}" must be ${shape.min} or more, not ${node.value}`
    reading.problems.push({ code: 'wrong-value', range: node.range, message })
    return undefined
  }
  return node.value
}

function readChoice(reading: Reading, shape: ChoiceShape, node: ScalarNode, at: string): string | undefined {
  if (node.value === null)
    return wrongType(reading, node, at, `one of ${builtValues(shape.choices).join(', ')}`)
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
  const allowed = `Allowed: ${builtValues(choices).join(', ')}.`
  if (chosen !== undefined) {
    const message = `${at} "${value}" is not built yet`
    reading.problems.push({ code: 'not-built-yet', range: node.range, message, hint: allowed })
    return undefined
  }
  const suggestions = nearestNames(value, builtValues(choices))
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

function builtValues(choices: readonly Choice[]): string[] {
  return choices.filter(isBuilt).map(each => each.value)
}

/** The units that a number without a unit may have meant. */
const unitsOf: Readonly<Record<string, readonly string[]>> = { 'invalid-duration': ['s', 'm', 'h', 'd'] }

function converted(
  reading: Reading,
  node: ScalarNode,
  parse: (text: string) => number | undefined,
  code: string,
  what: string,
  examples: string,
): number | undefined {
  const written = writtenText(reading, node)
  const value = node.value === null ? undefined : parse(written)
  if (value !== undefined) return value
  const message = node.value === null ? `${what} is missing` : `"${shown(written)}" is not ${what}`
  const withUnit = unitsOf[code]?.map(unit => `"${written}${unit}"`).join(', ')
  const isNumber = typeof node.value === 'number' && withUnit !== undefined
  const hint = isNumber ? `Which unit? ${withUnit}.` : `Write ${what} ${examples}.`
  reading.problems.push({ code, range: node.range, message, hint })
  return undefined
}

function readAmount(reading: Reading, node: ScalarNode): JsonValue | undefined {
  const written = writtenText(reading, node)
  const amount = node.value === null ? undefined : parseAmount(written)
  if (amount !== undefined) return { ...amount }
  const message = node.value === null ? 'an amount is missing' : `"${shown(written)}" is not an amount`
  const hint = 'Write a whole number from 0 on, or a share up to 100%, such as 10 or 1%.'
  reading.problems.push({ code: 'wrong-value', range: node.range, message, hint })
  return undefined
}

function readStep(reading: Reading, node: ScalarNode): JsonValue | undefined {
  const written = writtenText(reading, node)
  const step = node.value === null ? undefined : parseStep(written)
  if (step !== undefined) return { ...step }
  const message = node.value === null ? 'a step is missing' : `"${shown(written)}" is no step along a cursor`
  const hint = 'Write a duration for a cursor of time, such as 7d, or a whole number for one of numbers.'
  reading.problems.push({ code: 'wrong-value', range: node.range, message, hint })
  return undefined
}

function readThreshold(reading: Reading, node: ScalarNode): JsonValue | undefined {
  const threshold = typeof node.value === 'string' ? parseThreshold(node.value) : undefined
  if (threshold !== undefined) return { ...threshold }
  const message = `"${shown(writtenText(reading, node))}" is not a threshold`
  const hint = 'Write a comparison with the number of failures, in quotes, such as "> 10".'
  reading.problems.push({ code: 'wrong-value', range: node.range, message, hint })
  return undefined
}

/** Shortens a value to one line for a message. */
export function shown(value: string): string {
  const line = value.trim().replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
