/** The consent to overwrite views of production that somebody has replaced: an option, or a yes on a terminal. */
import type { MayReplace } from '../engine/run/replaced-views.ts'
import type { OptionHelp } from '../render/help.ts'
import type { CommandContext } from './command.ts'
import { confirm } from './confirm.ts'
import { tellsEvents } from './progress.ts'

export const replaceViewsOption: OptionHelp = {
  name: 'replace-views',
  summary: 'put back views that somebody replaced, unasked',
}

export function mayReplaceIn(context: CommandContext): MayReplace {
  return async views => {
    if (context.options.flag('replace-views')) return true
    if (tellsEvents(context)) return false
    const [first, ...more] = views.map(({ name }) => name)
    const what =
      more.length === 0
        ? `the view ${first}`
        : `${views.length} views (${[first, ...more].slice(0, 5).join(', ')}${views.length > 5 ? ', ...' : ''})`
    const leaving = views.filter(({ isLeaving }) => isLeaving).length
    const instead = leaving === views.length ? 'Drop it' : 'Put that of svc in its place'
    const otherwise = leaving > 0 && leaving < views.length ? ', or drop it where there is none' : ''
    return confirm(context, `Somebody has replaced ${what}, not svc. ${instead}${otherwise}?`)
  }
}
