/** `svc ai explain | review | fix | tests | new` with the configured language model, or one of the editor. */
import { commands, window, workspace } from 'vscode'
import { answerText } from '../ai/answers.ts'
import { askBestModel, untilShown, type Wish } from '../ai/ask-svc.ts'
import type { FixArgument } from '../ai/fix-action.ts'
import { chooseModel } from '../ai/models.ts'
import { Cancelled } from '../background.ts'
import { commandIds } from '../contributions.ts'
import { withProgress } from '../progress.ts'
import { assetTarget, projectTarget } from '../targets/target.ts'
import type { Command, Services } from './command.ts'

export const askModelCommands: readonly Command[] = [
  { id: commandIds.aiExplain, run: (services, argument) => read(services, argument, 'explain') },
  { id: commandIds.aiReview, run: (services, argument) => read(services, argument, 'review') },
  {
    id: commandIds.aiFix,
    run: (services, argument) => change(services, argument, asset => ['fix', asset, ...errorWords(argument)]),
  },
  {
    id: commandIds.aiTests,
    run: (services, argument) => change(services, argument, asset => ['tests', asset]),
  },
  {
    id: commandIds.aiNew,
    async run(services, argument) {
      const project = await projectTarget(services.projects, argument)
      if (project === undefined) return
      const input = await window.showInputBox({
        title: 'What is the new asset to hold?',
        prompt: 'A sentence or two. A language model writes the asset; you see it before it is written.',
        ignoreFocusOut: true,
      })
      if (input === undefined || input.trim() === '') return
      await ask(services, { root: project.root, words: ['ai', 'new', '--apply'], input })
    },
  },
  { id: commandIds.aiChooseModel, run: ({ context }) => chooseModel(context) },
  { id: commandIds.aiApply, run: ({ proposals }, argument) => proposals.apply(argument) },
  { id: commandIds.aiDiscard, run: async ({ proposals }, argument) => proposals.discard(argument) },
]

async function read(services: Services, argument: unknown, verb: 'explain' | 'review'): Promise<void> {
  const target = await assetTarget(services.projects, argument)
  if (target === undefined) return
  const { root, asset } = target
  const answer = await ask(services, { root, words: ['ai', verb, asset] })
  if (answer === undefined) return
  const uri = services.texts.put(`${asset}.md`, answerText(verb, answer))
  await commands.executeCommand('markdown.showPreview', uri)
}

async function change(
  services: Services,
  argument: unknown,
  words: (asset: string) => readonly string[],
): Promise<void> {
  const target = await assetTarget(services.projects, argument)
  if (target === undefined) return
  await ask(services, { root: target.root, words: ['ai', ...words(target.asset), '--apply'] })
}

function errorWords(argument: unknown): readonly string[] {
  const error = (argument as Partial<FixArgument> | undefined)?.error
  return typeof error === 'string' && error !== '' ? ['--error', error] : []
}

/** Returns undefined for what was cancelled or is still to be decided. */
async function ask(services: Services, wish: Omit<Wish, 'token' | 'onProposal'>): Promise<unknown> {
  if (!workspace.isTrusted) throw new Error('svc runs only in a workspace that you trust')
  return withProgress('a language model is at work', async token => {
    try {
      return await untilShown(onProposal => askBestModel(services, { ...wish, token, onProposal }))
    } catch (error) {
      if (error instanceof Cancelled) return undefined
      throw error
    }
  })
}
