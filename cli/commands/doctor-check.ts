/** Makes the lines of `svc doctor`. */
import { SvcError } from '../engine/errors.ts'
import { memoryFailure } from '../engine/memory-failure.ts'
import type { DoctorCheck } from '../render/doctor.ts'

export function ok(name: string, detail: string): DoctorCheck {
  return { name, status: 'OK', detail, recommendation: null }
}

/** A run works, and there is something to do all the same: the statuses of a check are two (interface.md 3.2). */
export function advise(name: string, detail: string, recommendation: string): DoctorCheck {
  return { name, status: 'OK', detail, recommendation }
}

export function fail(name: string, detail: string, recommendation: string): DoctorCheck {
  return { name, status: 'FAIL', detail, recommendation }
}

/** `environment`: the one that commands of the error's hint are about. */
export function failOf(name: string, error: unknown, otherwise: string, environment: string): DoctorCheck {
  const known = memoryFailure(error) ?? error
  if (!(known instanceof SvcError)) throw error
  return fail(name, known.message, known.inEnvironment(environment).hint ?? otherwise)
}
