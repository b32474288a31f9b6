/** Lists say how long ago something happened, so they are drawn again each minute while they can be seen. */
import type { Disposable, TreeView } from 'vscode'

const minuteMs = 60_000

export function eachMinute(view: Pick<TreeView<unknown>, 'visible'>, draw: () => void): Disposable {
  const timer = setInterval(() => {
    if (view.visible) draw()
  }, minuteMs)
  return { dispose: () => clearInterval(timer) }
}
