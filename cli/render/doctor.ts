/** Renders OK or FAIL per check, and what to do about each FAIL. */
import type { JsonOf } from '@svc/server/contract'
import { isNarrow } from './entry.ts'
import type { Style } from './style.ts'
import { padEnd, wrap } from './width.ts'

/** Its recommendation says what to do about a FAIL. */
export type DoctorCheck = JsonOf<'doctor'>['checks'][number]

export function renderDoctor(checks: readonly DoctorCheck[], style: Style): string[] {
  const width = Math.min(30, Math.max(...checks.map(check => check.name.length)))
  const failed = checks.filter(check => check.status === 'FAIL').length
  return [
    ...checks.flatMap(check => renderCheck(check, width, style)),
    '',
    failed === 0 ? style.green('All is well.') : style.red(`${failed} of ${checks.length} checks failed.`),
  ]
}

function renderCheck(check: DoctorCheck, width: number, style: Style): string[] {
  const status = check.status === 'OK' ? style.green('OK  ') : style.red('FAIL')
  const indent = ' '.repeat(isNarrow(style) ? 6 : width + 8)
  const texts = [check.detail, ...(check.recommendation === null ? [] : [check.recommendation])]
  const lines = texts.flatMap(text => wrap(text, style.width - indent.length))
  if (isNarrow(style)) return [`${status} ${check.name}`, ...lines.map(line => indent + line)]
  const [first = '', ...rest] = lines
  return [`${status}  ${padEnd(check.name, width)}  ${first}`, ...rest.map(line => indent + line)]
}

export function doctorJson(checks: readonly DoctorCheck[]): JsonOf<'doctor'> {
  return { checks, failed: checks.filter(check => check.status === 'FAIL').length }
}
