/** Renders which notifiers could be told. */
import type { Tried } from '../engine/notify/notify.ts'
import type { Style } from './style.ts'
import { wrapBehind } from './width.ts'

export function renderNotifyTest(tried: readonly Tried[], style: Style): string[] {
  return tried.flatMap(({ notifier, type, problem }) => {
    const mark = problem === null ? style.green('OK  ') : style.red('FAIL')
    const text = `${notifier} (${type})${problem === null ? '' : `: ${problem}`}`
    return wrapBehind(`${mark} `, text, style.width)
  })
}
