/** The two forms of a partial change: merge patch (RFC 7396) and JSON patch (RFC 6902). */
import jsonPatch, { type Operation, type Validator } from 'fast-json-patch'
import { type BodyLimits, invalidAt, Problem } from '../http/index.ts'
import { boundedSize } from '../http/json-size.ts'
import { isObject } from '../http/json-value.ts'
import type { Content } from './record.ts'

export const mergePatchMedia = 'application/merge-patch+json'
export const jsonPatchMedia = 'application/json-patch+json'

type PatchLimits = Pick<BodyLimits, 'body' | 'depth'>

/** Sets the members of the patch; null removes a member. Objects are merged. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = mergePatch(merged[name], value)
  }
  return merged
}

/**
 * The size is checked after each operation, because a few copies of a value into itself would fill the memory.
 * @throws Problem `invalid` with the operation that cannot be applied; 412 for a failed `test`; `too_large`
 */
export function applyJsonPatch(
  target: Content,
  operations: readonly Operation[],
  limits: PatchLimits,
): Content {
  let document: unknown = structuredClone(target)
  let size = boundedSize(document, limits).bytes
  for (const [index, operation] of operations.entries()) {
    if (operation.op === 'copy') size += sizeAt(document, operation.from, limits)
    // The library copies what a move replaces.
    else if (operation.op === 'move') size += sizeAt(document, operation.path, limits)
    else if (operation.op === 'add' || operation.op === 'replace')
      size += boundedSize(operation.value, limits).bytes
    // What an operation removes is not subtracted: the sum limits the work of the whole patch too.
    if (limits.body > 0 && size > limits.body) throw tooLarge(limits)
    document = applied(document, operation, index)
  }
  return document as Content
}

/**
 * Many patches could make a record larger or deeper than any body may be.
 * @throws Problem `too_large`
 */
export function requirePatchedSize(content: Content, limits: PatchLimits): void {
  const { bytes, isTooDeep } = boundedSize(content, limits)
  if (limits.body > 0 && bytes > limits.body) throw tooLarge(limits)
  if (isTooDeep) {
    throw new Problem(
      'too_large',
      `The changed record would be nested more than ${limits.depth} levels deep.`,
    )
  }
}

function tooLarge({ body }: PatchLimits): Problem {
  return new Problem('too_large', `The changed record would have more than ${body} bytes.`)
}

function applied(document: unknown, operation: Operation, index: number): unknown {
  try {
    return jsonPatch.applyOperation(document, structuredClone(operation), validate, true, true, index)
      .newDocument
  } catch (error) {
    throw patchProblem(error, index)
  }
}

/** The library's own validator copies the whole document to look for the source of a move or a copy. */
const validate: Validator<unknown> = (operation, index, document, existingPath) => {
  const isMove = operation.op === 'move' || operation.op === 'copy'
  jsonPatch.validator(operation, index, isMove ? undefined : document, existingPath)
  if (isMove) jsonPatch.applyOperation(document, { op: '_get', path: operation.from, value: undefined }, true)
}

function sizeAt(document: unknown, pointer: string | undefined, limits: PatchLimits): number {
  try {
    return boundedSize(jsonPatch.getValueByPointer(document, pointer ?? ''), limits).bytes
  } catch {
    // A wrong pointer is reported when the operation is applied.
    return 0
  }
}

function patchProblem(error: unknown, index: number): unknown {
  // The library throws a TypeError for a path through `__proto__`.
  if (error instanceof TypeError) return badOperation(index, 'its path is not supported')
  if (!(error instanceof jsonPatch.JsonPatchError)) return error
  if (error.name === 'TEST_OPERATION_FAILED') {
    return new Problem(
      'version_mismatch',
      `The test of operation ${index} does not hold: read the record again.`,
    )
  }
  return badOperation(index, error.name.toLowerCase().replaceAll('_', ' '))
}

function badOperation(index: number, reason: string): Problem {
  return invalidAt(`/${index}`, 'bad_operation', `Operation ${index}: ${reason}.`)
}
