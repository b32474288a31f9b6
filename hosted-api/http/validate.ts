/** Validates values against their schemas and reports all problems, with suggestions for misspelt names. */
import type { TObject, TSchema } from '@sinclair/typebox'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { nearestNames } from '../../server/language/text/nearest-names.ts'
import { type FieldProblem, invalid } from './problems.ts'
import { pointerToken, textProblems } from './text-rule.ts'

const mostProblems = 100

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: true,
  allowUnionTypes: true,
  formats: { 'date-time': isDateTime },
})

const compiled = new WeakMap<TSchema, ValidateFunction>()

export function validatorOf(schema: TSchema): ValidateFunction {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const validate = ajv.compile(schema)
  compiled.set(schema, validate)
  return validate
}

/** Returns the problems of a body; empty if there are none. `isPlain`: its texts have been checked before. */
export function bodyProblems(schema: TSchema, body: unknown, isPlain = false): readonly FieldProblem[] {
  const validate = validatorOf(schema)
  const shape = validate(body)
    ? []
    : (validate.errors ?? []).filter(isTold).map(error => fieldProblem(error, ''))
  return distinct(isPlain ? shape : [...shape, ...textProblems(body)])
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
  if (schema !== undefined) {
    const validate = validatorOf(schema)
    if (!validate(values)) {
      problems.push(...(validate.errors ?? []).filter(isTold).map(error => fieldProblem(error, '?')))
    }
  }
  problems.push(
    ...textProblems(values).map(problem => ({ ...problem, pointer: `?${problem.pointer.slice(1)}` })),
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
  const member = extraMember(error)
  const path = error.instancePath + (member === undefined ? '' : `/${pointerToken(member)}`)
  const pointer = prefix === '?' ? `?${path.slice(1)}` : path
  return { pointer, ...problemFacts(error, member, shownAs(pointer)) }
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
      return { code: error.keyword, detail: `${shown} ${error.message ?? 'is not valid'}.` }
  }
}

function enumDetail(error: ErrorObject, shown: string): string {
  const allowed = (error.params['allowedValues'] as readonly unknown[])
    .filter(each => each !== null)
    .map(String)
  const [nearest] = nearestNames(String(error.data), allowed)
  const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`
  return `${shown} has to be one of ${allowed.join(', ')}${hint === '' ? '.' : hint}`
}

function memberNames(error: ErrorObject): readonly string[] {
  return Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {})
}

function unknownDetail(name: string, known: readonly string[]): string {
  const [nearest] = nearestNames(name, known)
  return nearest === undefined
    ? `"${name}" is not known here; known are ${known.join(', ')}.`
    : `"${name}" is not known here; did you mean "${nearest}"?`
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
