/** Shows progress in clients that support it. Short work shows none. */
import type { ClientCapabilities, Connection, WorkDoneProgressServerReporter } from 'vscode-languageserver'
import type { Progress } from './project/project-host.ts'

const shownAfterMs = 300
const betweenReportsMs = 100

export function progressOf(connection: Connection, client: ClientCapabilities, now: () => Date) {
  return (title: string): Progress => {
    if (client.window?.workDoneProgress !== true) return { report() {}, end() {} }
    const startedMs = now().getTime()
    let shown: Promise<WorkDoneProgressServerReporter | undefined> | undefined
    let isEnded = false
    let lastMs = 0
    return {
      report(message, percentage) {
        const nowMs = now().getTime()
        if (isEnded || nowMs - startedMs < shownAfterMs || nowMs - lastMs < betweenReportsMs) return
        lastMs = nowMs
        shown ??= begin(connection, title)
        void shown.then(progress => {
          if (isEnded || progress === undefined) return
          if (percentage === undefined) progress.report(message)
          else progress.report(percentage, message)
        })
      },
      end() {
        if (isEnded) return
        isEnded = true
        void shown?.then(progress => progress?.done())
      },
    }
  }
}

/** Returns undefined if the client cannot show it, which does not stop the work. */
async function begin(
  connection: Connection,
  title: string,
): Promise<WorkDoneProgressServerReporter | undefined> {
  try {
    const progress = await connection.window.createWorkDoneProgress()
    progress.begin(title, 0)
    return progress
  } catch {
    return undefined
  }
}
