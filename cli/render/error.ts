/** What is said when a command stops: the world's refusal, wrong usage, or a bug of ours. */
import type { SvcError } from '../engine/errors.ts'
import type { Style } from './style.ts'
import { clip, wrap } from './width.ts'

const label = 'error: '
/** Longer is not read; a selector or a server's answer may have any length. */
const longestMessage = 2000

/** `error: <message>`, then the place and the hint, indented to the message. */
export function renderError(error: Pick<SvcError, 'message' | 'hint' | 'place'>, style: Style): string[] {
  const indent = ' '.repeat(label.length)
  const room = Math.max(30, style.width - label.length)
  const [first = '', ...rest] = wrap(clip(error.message, longestMessage), room)
  const lines = [`${style.red('error:')} ${first}`, ...rest.map(line => indent + line)]
  if (error.place !== undefined) lines.push(indent + style.dim(error.place))
  if (error.hint !== undefined)
    lines.push(...wrap(clip(error.hint, longestMessage), room).map(line => indent + line))
  return lines
}

/** A bug keeps its stack: it is what the people who mend it need. */
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
