/** Runs an AI command of `svc` for a view: with the configured language model, or with one of the editor where there is none. */
import type { EditorProposal, FromEditor, ToEditor } from '@svc/server/editor-link'
import { type CancellationToken, type LanguageModelChat, workspace } from 'vscode'
import { Cancelled, SvcRefusal } from '../background.ts'
import type { Services } from '../commands/command.ts'
import { isWithin } from '../projects/uris.ts'
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
  await saveAll(root)
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

/** svc reads files, so what it is asked about is saved first. */
async function saveAll(root: string): Promise<void> {
  const dirty = workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && isWithin(uri.toString(), root),
  )
  const saved = await Promise.all(dirty.map(document => document.save()))
  if (!saved.every(Boolean)) throw new SvcRefusal('a file cannot be saved; svc reads what is saved')
}
