/** Renders the error that stops a command: an SvcError, wrong usage, or a bug. */
import type { SvcError } from '../engine/errors.ts'
import type { Style } from './style.ts'
import { clip, displayWidth, wrap } from './width.ts'

const label = 'error: '
/** Messages are cut at this length, because a selector or a server's answer may have any length. */
const longestMessage = 2000
const deepestCause = 8

/** Returns `error: <message>  [code]`, then the place and the hint, indented like the message. */
export function renderError(
  error: Pick<SvcError, 'message' | 'hint' | 'place'> & Partial<Pick<SvcError, 'code' | 'exitCode'>>,
  style: Style,
): string[] {
  const indent = ' '.repeat(label.length)
  const room = Math.max(30, style.width - label.length)
  const [first = '', ...rest] = wrap(clip(error.message, longestMessage), room)
  const lines = [`${style.red('error:')} ${first}`, ...rest.map(line => indent + line)]
  // Wrong usage needs no explanation; everything else is explained in docs/errors.md.
  if (error.code !== undefined && error.exitCode !== 2) addCode(lines, `[${error.code}]`, style)
  if (error.place !== undefined) lines.push(indent + style.dim(error.place))
  if (error.hint !== undefined)
    lines.push(...wrap(clip(error.hint, longestMessage), room).map(line => indent + line))
  return lines
}

/** Appends the code to the last line if there is space, otherwise on its own line. */
function addCode(lines: string[], code: string, style: Style): void {
  const last = lines.at(-1) ?? ''
  if (displayWidth(last) + 2 + code.length <= style.width)
    lines[lines.length - 1] = `${last}  ${style.dim(code)}`
  else lines.push(' '.repeat(label.length) + style.dim(code))
}

/** With `--debug`, returns the causes of an error, down to the first one. */
export function renderCauses(error: unknown, style: Style): string[] {
  const lines: string[] = []
  let current = error
  for (let depth = 0; depth < deepestCause && current instanceof Error; depth++) {
    lines.push(...(current.stack ?? `${current.name}: ${current.message}`).split('\n'))
    current = current.cause
    if (current !== undefined) lines.push('caused by:')
  }
  return lines.map(line => style.dim(line))
}

/** A bug is shown with its stack, which its fix needs. */
export function renderBug(error: unknown, style: Style): string[] {
  const message = error instanceof Error ? error.message : String(error)
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return [
    `${style.red('error:')} this is a bug in svc: ${message}`,
    '       Please report it with the lines below and the command that you ran.',
    '',
    style.dim(stack),
  ]
}
