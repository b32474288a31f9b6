/** Asks the configured language model for a command: progress on a terminal, retries and the cost line on stderr. */
import type { JsonOf } from '@svc/server/contract'
import type { Asking } from '../engine/ai/ask.ts'
import type { Checked } from '../engine/ai/ask-for-value.ts'
import {
  chooseModel,
  knownSettings,
  type ModelChoice,
  modelOfEditor,
  readGlobalSettings,
} from '../engine/ai/settings.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { refuseInvalid } from '../engine/workspace/open-workspace.ts'
import { answeredBy, costLine } from '../render/answered-by.ts'
import type { CommandContext } from './command.ts'

export interface Asked<T> {
  readonly value: T
  readonly answeredBy: JsonOf<'ai-explain'>['answered_by']
}

/** Throws SvcError `ai-not-configured`, `missing-credentials` or what is wrong with svc.yaml. */
export function configuredModel({ world }: CommandContext, workspace: OpenedWorkspace): ModelChoice {
  const { env, editor } = world
  const { settings } = workspace.project
  refuseInvalid(settings, workspace.settingsText ?? '')
  if (editor?.model !== undefined) return modelOfEditor(editor.model)
  return chooseModel(knownSettings(settings.ai, readGlobalSettings(env)), env)
}

/** Throws what `configuredModel` throws before anything else is done, then what `work` throws. */
export async function askModel<T>(
  context: CommandContext,
  workspace: OpenedWorkspace,
  work: (asking: Asking) => Promise<Checked<T>>,
): Promise<Asked<T>> {
  const choice = configuredModel(context, workspace)
  const { connect } = await import('../engine/ai/models/guarded-fetch.ts')
  const { openModel } = await import('../engine/ai/models/open-model.ts')
  const connection = connect(context.world.env)
  try {
    const model = await openModel(choice.provider, {
      ...choice,
      fetch: connection.fetch,
      editor: context.world.editor,
    })
    const checked = await guarded(context, () =>
      work({ choice, model, signal: context.signal, ...progressOf(context, choice) }),
    )
    context.output.err.lines([costLine(choice, checked)])
    return { value: checked.value, answeredBy: answeredBy(choice, checked) }
  } finally {
    await connection.close()
  }
}

/** Ctrl-C ends the request, and the line of progress. */
function guarded<T>({ world }: CommandContext, work: () => Promise<T>): Promise<T> {
  return world.guard === undefined ? work() : world.guard(work)
}

function progressOf({ output: { err } }: CommandContext, { provider, model }: ModelChoice) {
  const clear = '\r\u001b[K'
  return {
    onProgress(characters: number): void {
      if (err.isTerminal) err.raw(`${clear}${provider} ${model}: ${characters} characters `)
    },
    onRetry(reason: string, waitMs: number): void {
      const seconds = Math.ceil(waitMs / 1000)
      err.lines([
        `${err.isTerminal ? clear : ''}${provider}: ${reason.slice(0, 200)}; trying again in ${seconds} s`,
      ])
    },
  }
}
