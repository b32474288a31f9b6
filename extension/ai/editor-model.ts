/** Answers a question of `svc` with a language model of the editor. Prompt and checks are those of svc: here they are only carried. */

import type { EditorQuestion, FromEditor } from '@svc/server/editor-link'
import {
  type CancellationToken,
  CancellationTokenSource,
  type LanguageModelChat,
  LanguageModelChatMessage,
} from 'vscode'
import { messageOf } from '../first-error.ts'

/** A model is silent while a person reads whether svc may ask it: svc is told that somebody is at work. */
const beatMs = 10_000

/** Returns what ends it. */
export function answerQuestion(
  model: LanguageModelChat,
  { id, system, turns }: EditorQuestion,
  say: (message: FromEditor) => void,
): () => void {
  const stopping = new CancellationTokenSource()
  const messages = [
    LanguageModelChatMessage.User(system),
    ...turns.map(({ from, text }) =>
      from === 'user' ? LanguageModelChatMessage.User(text) : LanguageModelChatMessage.Assistant(text),
    ),
  ]
  const characters = turns.reduce((sum, { text }) => sum + text.length, system.length)
  const beat = setInterval(() => say({ kind: 'piece', id, text: '' }), beatMs)
  const work = async (): Promise<void> => {
    await refuseTooLong(model, messages, characters, stopping.token)
    const response = await model.sendRequest(messages, { justification }, stopping.token)
    clearInterval(beat)
    for await (const text of response.text) say({ kind: 'piece', id, text })
    say({ kind: 'answer', id })
  }
  work()
    .catch((error: unknown) => say({ kind: 'failure', id, ...failureOf(error, model.name) }))
    .finally(() => clearInterval(beat))
  return () => stopping.cancel()
}

export const justification = 'SVC asks it about the assets of this project.'

class TooLong extends Error {}

/** A token is at least one character, so counting is only needed where it may not fit. */
async function refuseTooLong(
  model: LanguageModelChat,
  messages: readonly LanguageModelChatMessage[],
  characters: number,
  token: CancellationToken,
): Promise<void> {
  if (characters <= model.maxInputTokens) return
  let tokens = 0
  for (const message of messages) tokens += await model.countTokens(message, token)
  if (tokens <= model.maxInputTokens) return
  throw new TooLong(
    `the question has ${tokens} tokens, and ${model.name} reads at most ${model.maxInputTokens}`,
  )
}

/** Says what failed and what to do; the codes are those of the editor's LanguageModelError. */
export function failureOf(error: unknown, name: string): { readonly message: string; readonly hint: string } {
  const said = messageOf(error)
  const reason = said === '' ? '' : `: ${said}`
  if (error instanceof TooLong)
    return { message: said, hint: 'Choose a model with a larger window: SVC: Choose Language Model.' }
  switch ((error as { readonly code?: unknown } | null)?.code) {
    case 'NoPermissions':
      return {
        message: `the editor does not let SVC ask ${name}${reason}`,
        hint: 'Allow it when the editor asks, or under Manage Language Model Access; or choose a model of your own: svc config ai.',
      }
    case 'Blocked':
      return {
        message: `${name} refuses to answer${reason}`,
        hint: 'A quota may be used up, or a filter at work: wait, or choose another model (SVC: Choose Language Model).',
      }
    case 'NotFound':
      return {
        message: `${name} is not there any more${reason}`,
        hint: 'Choose another one: SVC: Choose Language Model.',
      }
    default:
      return {
        message: `${name} failed${reason}`,
        hint: 'Ask again, or choose another model: SVC: Choose Language Model.',
      }
  }
}
