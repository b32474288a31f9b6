/** Tools that the editor's agents may use: what is known of an asset, the problems of the files, and a change that a person decides. */
import {
  type CancellationToken,
  LanguageModelTextPart,
  type LanguageModelTool,
  LanguageModelToolResult,
  lm,
  workspace,
} from 'vscode'
import { SvcRefusal } from '../background.ts'
import type { Services } from '../commands/command.ts'
import { toolIds } from '../contributions.ts'
import { askSvc } from './ask-svc.ts'
import { chatProject } from './chat-turn.ts'

interface ToolInput {
  readonly asset?: string
  /** A patch in the form of `svc ai apply`. */
  readonly patch?: unknown
}

type Work = (services: Services, input: ToolInput, token: CancellationToken) => Promise<unknown>

const mostBytes = '60000'

const tools: Readonly<Record<string, Work>> = {
  [toolIds.context]: async (services, { asset }, token) => {
    const focus = asset === undefined ? [] : ['--asset', asset]
    const words = ['ai', 'context', '--include-tests', '--max-bytes', mostBytes, ...focus]
    return services.background.json(await chatProject(services), words, { token })
  },
  [toolIds.problems]: async (services, _input, token) =>
    services.background.json(await chatProject(services), ['validate'], { token }),
  [toolIds.propose]: async (services, { patch }, token) => {
    const input = JSON.stringify(patch ?? null)
    return askSvc(
      services,
      { root: await chatProject(services), words: ['ai', 'apply', '-'], input, token },
      undefined,
    )
  },
}

export function offerTools(services: Services): void {
  if (typeof lm?.registerTool !== 'function') return
  for (const [name, work] of Object.entries(tools))
    services.context.subscriptions.push(lm.registerTool(name, toolOf(services, work)))
}

/** A refusal is an answer too: the model reads it and may do better. */
function toolOf(services: Services, work: Work): LanguageModelTool<ToolInput> {
  return {
    async invoke({ input }, token) {
      if (!workspace.isTrusted) throw new Error('svc runs only in a workspace that you trust')
      try {
        return result(await work(services, input, token))
      } catch (error) {
        if (!(error instanceof SvcRefusal)) throw error
        const { message, hint, place, code } = error
        return result({ error: { code, message, hint, place } })
      }
    },
  }
}

function result(value: unknown): LanguageModelToolResult {
  return new LanguageModelToolResult([new LanguageModelTextPart(JSON.stringify(value))])
}
