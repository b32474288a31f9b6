/** Runs an AI command of `svc` for a view: with the configured language model, or with one of the editor where there is none. */

import type { EditorProposal, FromEditor, ToEditor } from '@svc/server/editor-link'
import { type CancellationToken, type LanguageModelChat, window } from 'vscode'
import { Cancelled, SvcRefusal } from '../background.ts'
import type { Services } from '../commands/command.ts'
import { saved } from '../commands/run-verb.ts'
import { messageOf } from '../first-error.ts'
import { answerQuestion } from './editor-model.ts'
import { modelOfEditor } from './models.ts'

export interface Wish {
  /** The URI of the project. */
  readonly root: string
  readonly words: readonly string[]
  readonly input?: string
  readonly token: CancellationToken
  /** Called with a change when it is shown: from here on a person decides. */
  readonly onProposal?: (proposal: EditorProposal) => void
}

type Ground = Pick<Services, 'background' | 'proposals' | 'context'>

/** Throws SvcRefusal, Cancelled. */
export async function askBestModel(ground: Ground, wish: Wish): Promise<unknown> {
  try {
    return await askSvc(ground, wish, undefined)
  } catch (error) {
    if (!(error instanceof SvcRefusal) || !unconfigured.includes(error.code ?? '')) throw error
    const model = await modelOfEditor(ground.context)
    if (model === undefined) throw new Cancelled('no language model was chosen')
    return await askSvc(ground, wish, model)
  }
}

/** What svc answers where it has no language model of its own. */
const unconfigured = ['ai-not-configured', 'missing-credentials']

/** @param model the editor's; undefined: the one that is configured for svc */
export async function askSvc(
  { background, proposals }: Ground,
  { root, words, input, token, onProposal }: Wish,
  model: LanguageModelChat | undefined,
): Promise<unknown> {
  if (!(await saved(root))) throw new SvcRefusal('a file cannot be saved; svc reads what is saved')
  const running = new Map<number, () => void>()
  const hear = (message: ToEditor, say: (answer: FromEditor) => void): void => {
    if (message.kind === 'stop') running.get(message.id)?.()
    if (message.kind === 'question' && model !== undefined)
      running.set(message.id, answerQuestion(model, message, say))
    if (message.kind !== 'proposal') return
    const { id } = message
    proposals.show(root, message).then(
      agreed => say({ kind: 'decision', id, agreed }),
      () => say({ kind: 'decision', id, agreed: false }),
    )
    onProposal?.(message)
  }
  try {
    return await background.json(root, words, {
      token,
      ...(input !== undefined && { input }),
      editor: { model: model?.name ?? '', hear },
    })
  } finally {
    for (const stop of running.values()) stop()
  }
}

/** Ends when a person has something to decide: what fails after that is only told. */
export function untilShown(ask: (shown: () => void) => Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let isShown = false
    const shown = (): void => {
      isShown = true
      resolve(undefined)
    }
    ask(shown).then(resolve, (error: unknown) => {
      if (!isShown) reject(error)
      else if (!(error instanceof Cancelled)) void window.showErrorMessage(`SVC: ${messageOf(error)}`)
    })
  })
}
