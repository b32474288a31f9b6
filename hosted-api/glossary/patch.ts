/** The two forms of a partial change: merge patch (RFC 7396) and JSON patch (RFC 6902). */
import jsonPatch, { type Operation } from 'fast-json-patch'
import { invalid, Problem } from '../http/index.ts'
import type { Content } from './record.ts'

export const mergePatchMedia = 'application/merge-patch+json'
export const jsonPatchMedia = 'application/json-patch+json'

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

/** @throws Problem `invalid` with the operation that cannot be applied; 412 for a failed `test` */
export function applyJsonPatch(target: Content, operations: readonly Operation[]): Content {
  try {
    const copy = structuredClone(target)
    return jsonPatch.applyPatch(copy, structuredClone(operations) as Operation[], true, true, true)
      .newDocument
  } catch (error) {
    throw patchProblem(error)
  }
}

function patchProblem(error: unknown): unknown {
  if (!(error instanceof jsonPatch.JsonPatchError)) return error
  const { name, index = 0 } = error as { name: string; index?: number }
  if (name === 'TEST_OPERATION_FAILED') {
    return new Problem(
      'version_mismatch',
      `The test of operation ${index} does not hold: read the record again.`,
    )
  }
  const reason = name.toLowerCase().replaceAll('_', ' ')
  return invalid([{ pointer: `/${index}`, code: 'bad_operation', detail: `Operation ${index}: ${reason}.` }])
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
