/** `@svc` in the chat of the editor: the AI commands of `svc`, answered by the model that is chosen in the chat. */

import type { EditorProposal } from '@svc/server/editor-link'
import {
  type ChatRequest,
  type ChatResponseStream,
  type ChatResult,
  chat,
  Location,
  Uri,
  window,
  workspace,
} from 'vscode'
import { Cancelled, SvcRefusal } from '../background.ts'
import type { Services } from '../commands/command.ts'
import { commandIds, participantId } from '../contributions.ts'
import { messageOf } from '../first-error.ts'
import { answerText, plain } from './answers.ts'
import { askSvc, untilShown } from './ask-svc.ts'
import { chatProject, type Turn } from './chat-turn.ts'
import { answerFreely } from './free-question.ts'
import { type NamedAsset, namedAsset } from './named-asset.ts'

export function offerParticipant(services: Services): void {
  // Editors that are built on VS Code may leave the chat out.
  if (typeof chat?.createChatParticipant !== 'function') return
  const participant = chat.createChatParticipant(participantId, (request, context, stream, token) =>
    answer(services, { request, context, stream, token }),
  )
  const icon = (name: string) => Uri.joinPath(services.context.extensionUri, 'media', name)
  participant.iconPath = { light: icon('file-light.svg'), dark: icon('file-dark.svg') }
  services.context.subscriptions.push(participant)
}

async function answer(services: Services, turn: Turn): Promise<ChatResult> {
  try {
    if (!workspace.isTrusted) throw new SvcRefusal('svc runs only in a workspace that you trust')
    await (turn.request.command === undefined ? answerFreely(services, turn) : runCommand(services, turn))
    return {}
  } catch (error) {
    if (error instanceof Cancelled) return {}
    const message = messageOf(error)
    const hint = error instanceof SvcRefusal && error.hint !== undefined ? ` ${error.hint}` : ''
    services.log.warn(`@svc: ${message}${hint}`)
    return { errorDetails: { message: `${message}.${hint}` } }
  }
}

async function runCommand(services: Services, turn: Turn): Promise<void> {
  const { request, stream, token } = turn
  const { command = '', model, prompt } = request
  if (command === 'new') {
    const project = await chatProject(services)
    if (prompt.trim() === '')
      throw new SvcRefusal('say what the new asset is to hold, as in: @svc /new orders of each day')
    stream.progress(`${model.name} writes an asset`)
    await propose(services, turn, { root: project, words: ['ai', 'new', '--apply'], input: prompt })
    return
  }
  const named = await assetOf(services, request)
  const { root, asset, rest } = named
  stream.progress(`${model.name} looks at ${asset}`)
  const words = ['ai', command, asset]
  if (command === 'explain' || command === 'review') {
    stream.markdown(answerText(command, await askSvc(services, { root, words, token }, model)))
    return
  }
  const error = command === 'fix' && rest !== '' ? ['--error', rest] : []
  await propose(services, turn, { root, words: [...words, ...error, '--apply'] })
}

/** The answer of the chat ends when the change is shown; the decision is taken at the difference, or with the buttons. */
async function propose(
  services: Services,
  { request, stream, token }: Turn,
  wish: { readonly root: string; readonly words: readonly string[]; readonly input?: string },
): Promise<void> {
  await untilShown(shown => {
    const onProposal = (proposal: EditorProposal): void => {
      tellProposal(stream, proposal)
      shown()
    }
    return askSvc(services, { ...wish, token, onProposal }, request.model)
  })
}

function tellProposal(stream: ChatResponseStream, { summary, files, weakened }: EditorProposal): void {
  const names = files.map(({ path }) => `\`${path}\``).join(', ')
  stream.markdown(
    `${plain(summary)}\n\nThe change of ${names} is open beside this chat; nothing is written yet.\n\n`,
  )
  if (weakened.length > 0)
    stream.markdown(
      `**Checks would be weaker:**\n\n${weakened.map(text => `- ${plain(text)}`).join('\n')}\n\n`,
    )
  stream.button({ command: commandIds.aiApply, title: 'Apply' })
  stream.button({ command: commandIds.aiDiscard, title: 'Discard' })
}

/** The asset that the prompt names first, that is attached, or that is open. */
async function assetOf({ projects }: Services, { prompt, references }: ChatRequest): Promise<NamedAsset> {
  await projects.loaded
  const attached = references.flatMap(({ value }) =>
    value instanceof Uri ? [value.toString()] : value instanceof Location ? [value.uri.toString()] : [],
  )
  const open = window.activeTextEditor?.document.uri.toString()
  const named = namedAsset(projects.all, prompt, [...attached, ...(open === undefined ? [] : [open])])
  if (named !== undefined) return named
  throw new SvcRefusal('no asset is meant: name one, attach its file, or open it')
}
