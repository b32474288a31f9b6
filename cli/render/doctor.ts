/** Renders OK or FAIL per check, and what to do about it. */
import type { JsonOf } from '@svc/server/contract'
import { isNarrow } from './entry.ts'
import { countOf } from './numbers.ts'
import type { Style } from './style.ts'
import { padEnd, wrap } from './width.ts'

/** Its recommendation says what to do: about a FAIL, or about what is no reason for one. */
export type DoctorCheck = JsonOf<'doctor'>['checks'][number]

export function renderDoctor(checks: readonly DoctorCheck[], style: Style): string[] {
  const width = Math.min(30, Math.max(...checks.map(check => check.name.length)))
  const failed = checks.filter(check => check.status === 'FAIL').length
  return [
    ...checks.flatMap(check => renderCheck(check, width, style)),
    '',
    failed === 0 ? wellLine(checks, style) : style.red(`${failed} of ${checks.length} checks failed.`),
  ]
}

function wellLine(checks: readonly DoctorCheck[], style: Style): string {
  const advised = checks.filter(({ recommendation }) => recommendation !== null).length
  if (advised === 0) return style.green('All is well.')
  return style.yellow(`Nothing failed; ${countOf(advised, 'recommendation')}.`)
}

function renderCheck(check: DoctorCheck, width: number, style: Style): string[] {
  const isWell = check.recommendation === null
  const status =
    check.status === 'FAIL' ? style.red('FAIL') : isWell ? style.green('OK  ') : style.yellow('OK  ')
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
