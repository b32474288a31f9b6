/** Push diagnostics: sends the diagnostics of every file that changed, open or not. */
import type { Diagnostic } from '../../language/index.ts'
import type { Context } from '../context.ts'
import type { LiveProject } from '../project/live-project.ts'
import { reportOf } from './reports.ts'

/** The server's way of delivering changed diagnostics. */
export interface DiagnosticsChannel {
  changed(project: LiveProject, changed: ReadonlyMap<string, readonly Diagnostic[]>): void
}

export function pushChannel(context: Context): DiagnosticsChannel {
  return {
    changed(project, changed) {
      for (const path of changed.keys()) {
        const { uri, items } = reportOf(context, project, path)
        // Problems of an older text are shown until newer ones are known, and never as those of the newer text.
        const version = context.versionOf(uri, project.published.of(path)?.text)
        void context.connection.sendDiagnostics({
          uri,
          diagnostics: [...items],
          ...(version !== undefined && { version }),
        })
      }
    },
  }
}
