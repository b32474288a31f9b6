/** Validates values against their schemas and reports all problems, with suggestions for misspelt names. */
import type { TObject, TSchema } from '@sinclair/typebox'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { nearestNames } from '../../server/language/text/nearest-names.ts'
import { nextTurn } from './pace.ts'
import { type FieldProblem, invalid, mostProblems } from './problems.ts'
import type { AnyRoute } from './route.ts'
import { pointerToken, textProblems } from './text-rule.ts'

/** Longer names are not compared with known ones: the cost grows with the length, and no typing error is that long. */
const longestMisspelling = 255

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: true,
  allowUnionTypes: true,
  // `documented`: a rule that a handler checks, with a better message than a schema gives; the documentation shows it.
  // `rule`: the pattern in words.
  keywords: ['documented', 'rule'],
  formats: { 'date-time': isDateTime },
  // The schemas are the program's own, and a test checks them: this and shorter code would be two thirds of compiling them,
  // and a seventh of the work on a pack of 1,000 assets.
  validateSchema: false,
  code: { optimize: false },
})

const compiled = new WeakMap<TSchema, ValidateFunction>()

export function validatorOf(schema: TSchema): ValidateFunction {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const validate = ajv.compile(schema)
  compiled.set(schema, validate)
  return validate
}

/**
 * Compiles the validators that the routes need, one in each turn of long work: compiling takes up to 30 ms, for which everybody
 * would wait with the first one who uses a route.
 */
export async function prepareValidators(routes: readonly AnyRoute[]): Promise<void> {
  for (const { params, query, body, bodyRule = {} } of routes) {
    // Who parses a body by itself checks it elsewhere.
    const whole = bodyRule.parse === undefined ? [body, ...Object.values(bodyRule.schemas ?? {})] : []
    for (const schema of [params, query, ...whole, ...(bodyRule.parts ?? [])]) {
      if (schema === undefined) continue
      await nextTurn()
      validatorOf(schema)
    }
  }
}

/** Returns the problems of a body; empty if there are none. `isPlain`: its texts have been checked before. */
export function bodyProblems(schema: TSchema, body: unknown, isPlain = false): readonly FieldProblem[] {
  const shape = shapeProblems(schema, body, '')
  return isPlain || shape.length >= mostProblems
    ? shape
    : distinct([...shape, ...textProblems(body, mostProblems)])
}

/** The validator makes an object of every problem: of tens of thousands of unknown members it gets the first ones. */
function withFewerMembers(schema: TSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const known = schema['properties'] as object | undefined
  if (known === undefined || schema['additionalProperties'] !== false) return value
  const unknown: string[] = []
  for (const name in value) {
    if (!Object.hasOwn(known, name)) unknown.push(name)
    if (unknown.length > mostProblems) break
  }
  if (unknown.length <= mostProblems) return value
  const kept = [...Object.keys(known).filter(name => Object.hasOwn(value, name)), ...unknown]
  return Object.fromEntries(kept.map(name => [name, (value as Record<string, unknown>)[name]]))
}

/** Returns the first problems only: a suggestion for each of 80,000 unknown members would take seconds. */
function shapeProblems(schema: TSchema, value: unknown, prefix: '' | '?'): readonly FieldProblem[] {
  const validate = validatorOf(schema)
  if (validate(withFewerMembers(schema, value))) return []
  const seen = new Map<string, FieldProblem>()
  for (const error of validate.errors ?? []) {
    if (seen.size >= mostProblems) break
    const key = `${placeOf(error)} ${error.keyword}`
    if (isTold(error) && !seen.has(key)) seen.set(key, fieldProblem(error, prefix))
  }
  return [...seen.values()]
}

/** @throws Problem `invalid` */
export function checkBody(schema: TSchema, body: unknown): void {
  const problems = bodyProblems(schema, body)
  if (problems.length > 0) throw invalid(problems)
}

/**
 * Converts query parameters to the types of the schema: `limit=10` is a number, `fields=a,b` a list,
 * `cascade=true` a boolean.
 * @throws Problem `invalid`, also for an unknown parameter, because ignoring it would hide a mistake
 */
export function readQuery(schema: TObject | undefined, parameters: URLSearchParams): Record<string, unknown> {
  const properties: Readonly<Record<string, TSchema>> = schema?.properties ?? {}
  const values: Record<string, unknown> = {}
  const problems: FieldProblem[] = []
  for (const name of new Set(parameters.keys())) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const given = parameters.getAll(name)
    const [text = ''] = given
    if (property === undefined) problems.push(unknownParameter(name, Object.keys(properties)))
    else if (given.length > 1 && property['type'] !== 'array') problems.push(repeated(name))
    else values[name] = coerced(property, property['type'] === 'array' ? given.join(',') : text)
  }
  if (schema !== undefined) problems.push(...shapeProblems(schema, values, '?'))
  problems.push(
    ...textProblems(values, mostProblems).map(problem => ({
      ...problem,
      pointer: `?${problem.pointer.slice(1)}`,
    })),
  )
  if (problems.length > 0) throw invalid(distinct(problems))
  return values
}

/** A value of a wrong type stays text, which the schema then refuses. */
function coerced(schema: TSchema, text: string): unknown {
  switch (schema['type']) {
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'array':
      return text.split(',').map(each => each.trim())
    default:
      return text
  }
}

/** A choice (`anyOf`) that does not match is reported once, not once per branch. */
function isTold(error: ErrorObject): boolean {
  return error.keyword !== 'if' && !/\/(anyOf|oneOf)\/\d+\//.test(error.schemaPath)
}

function fieldProblem(error: ErrorObject, prefix: '' | '?'): FieldProblem {
  const path = placeOf(error)
  const pointer = prefix === '?' ? `?${path.slice(1)}` : path
  return { pointer, ...problemFacts(error, extraMember(error), shownAs(pointer)) }
}

function placeOf(error: ErrorObject): string {
  const member = extraMember(error)
  return error.instancePath + (member === undefined ? '' : `/${pointerToken(member)}`)
}

function extraMember(error: ErrorObject): string | undefined {
  const { additionalProperty, missingProperty } = error.params as Record<string, string | undefined>
  return additionalProperty ?? missingProperty
}

function problemFacts(
  error: ErrorObject,
  member: string | undefined,
  shown: string,
): Omit<FieldProblem, 'pointer'> {
  switch (error.keyword) {
    case 'required':
      return { code: 'required', detail: `${shown} is required.` }
    case 'additionalProperties':
      return { code: 'unknown_member', detail: unknownDetail(member ?? '', memberNames(error)) }
    case 'enum':
      return { code: 'not_allowed', detail: enumDetail(error, shown) }
    case 'type':
      return { code: 'wrong_type', detail: `${shown} has to be ${article(String(error.params['type']))}.` }
    default:
      return { code: error.keyword, detail: `${shown} ${ruleOf(error) ?? error.message ?? 'is not valid'}.` }
  }
}

/** A pattern in words, where its schema has some. */
function ruleOf({ keyword, parentSchema }: ErrorObject): string | undefined {
  return keyword === 'pattern' ? (parentSchema?.['rule'] as string | undefined) : undefined
}

function enumDetail(error: ErrorObject, shown: string): string {
  const allowed = (error.params['allowedValues'] as readonly unknown[])
    .filter(each => each !== null)
    .map(String)
  const nearest = typeof error.data === 'string' ? suggestion(error.data, allowed) : undefined
  const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`
  return `${shown} has to be one of ${allowed.join(', ')}${hint === '' ? '.' : hint}`
}

function memberNames(error: ErrorObject): readonly string[] {
  return Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {})
}

function unknownDetail(name: string, known: readonly string[]): string {
  const nearest = suggestion(name, known)
  const shown = name.length <= longestMisspelling ? name : `${name.slice(0, longestMisspelling)}…`
  return nearest === undefined
    ? `"${shown}" is not known here; known are ${known.join(', ')}.`
    : `"${shown}" is not known here; did you mean "${nearest}"?`
}

function suggestion(name: string, known: readonly string[]): string | undefined {
  return name.length > longestMisspelling ? undefined : nearestNames(name, known, 1)[0]
}

function unknownParameter(name: string, known: readonly string[]): FieldProblem {
  const detail = known.length === 0 ? `"${name}" is not known here.` : unknownDetail(name, known)
  return { pointer: `?${name}`, code: 'unknown_parameter', detail }
}

function repeated(name: string): FieldProblem {
  return { pointer: `?${name}`, code: 'repeated', detail: `"${name}" may be given once.` }
}

function shownAs(pointer: string): string {
  return pointer === '' ? 'The body' : `"${pointer.replace(/^[/?]/, '')}"`
}

function article(type: string): string {
  const types = type.split(',').filter(each => each !== 'null')
  return types.map(each => (/^[aeio]/.test(each) ? `an ${each}` : `a ${each}`)).join(' or ')
}

function distinct(problems: readonly FieldProblem[]): readonly FieldProblem[] {
  const seen = new Set<string>()
  const kept = problems.filter(({ pointer, code }) => {
    const key = `${pointer} ${code}`
    return seen.has(key) ? false : seen.add(key)
  })
  return kept.slice(0, mostProblems)
}

function isDateTime(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  )
}
