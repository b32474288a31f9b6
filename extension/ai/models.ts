/** Which language model of the editor is asked: the only one, or the one that was chosen last. */
import { type ExtensionContext, type LanguageModelChat, lm, window } from 'vscode'
import { SvcRefusal } from '../background.ts'

const chosenKey = 'svc.languageModel'

/** Editors that are built on VS Code may have no such interface. */
async function models(): Promise<readonly LanguageModelChat[]> {
  return typeof lm?.selectChatModels === 'function' ? lm.selectChatModels() : []
}

/** Returns undefined if the question which one was dismissed. Throws SvcRefusal if there is none. */
export async function modelOfEditor(context: ExtensionContext): Promise<LanguageModelChat | undefined> {
  const all = await models()
  const known = context.globalState.get<string>(chosenKey)
  return all.find(({ id }) => id === known) ?? (all.length === 1 ? all[0] : pick(context, all))
}

export async function chooseModel(context: ExtensionContext): Promise<void> {
  await pick(context, await models())
}

async function pick(
  context: ExtensionContext,
  all: readonly LanguageModelChat[],
): Promise<LanguageModelChat | undefined> {
  if (all.length === 0) {
    throw new SvcRefusal(
      'there is no language model: sign in to one in the editor (its chat shows them), or configure one with "svc config ai"',
    )
  }
  const items = all.map(model => ({
    label: model.name,
    description: model.vendor,
    detail: model.family,
    model,
  }))
  const picked = await window.showQuickPick(items, { title: 'Which language model is SVC to ask?' })
  if (picked !== undefined) await context.globalState.update(chosenKey, picked.model.id)
  return picked?.model
}
