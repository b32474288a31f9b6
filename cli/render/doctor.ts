/** Renders OK or FAIL per check, and what to do about each FAIL. */
import type { JsonOf } from '@svc/server/contract'
import { isNarrow } from './entry.ts'
import type { Style } from './style.ts'
import { padEnd, wrap } from './width.ts'

export interface DoctorCheck {
  readonly name: string
  readonly status: 'OK' | 'FAIL'
  readonly detail: string
  /** What to do; set only for FAIL. */
  readonly recommendation: string | undefined
}

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
  if (isNarrow(style)) {
    const text = [check.detail, ...(check.recommendation === undefined ? [] : [check.recommendation])]
    const lines = text.flatMap(each => wrap(each, style.width - 6))
    return [`${status} ${check.name}`, ...lines.map(line => `      ${line}`)]
  }
  const indent = ' '.repeat(width + 8)
  const [first = '', ...rest] = wrap(check.detail, style.width - indent.length)
  const advice =
    check.recommendation === undefined ? [] : wrap(check.recommendation, style.width - indent.length)
  return [
    `${status}  ${padEnd(check.name, width)}  ${first}`,
    ...[...rest, ...advice].map(line => indent + line),
  ]
}

export function doctorJson(checks: readonly DoctorCheck[]): JsonOf<'doctor'> {
  return {
    checks: checks.map(check => ({ ...check, recommendation: check.recommendation ?? null })),
    failed: checks.filter(check => check.status === 'FAIL').length,
  }
}
