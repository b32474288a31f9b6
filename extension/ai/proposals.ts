/** Changes that a language model proposes: shown as a difference, and written by `svc` only after a person's yes. */
import type { EditorProposal } from '@svc/server/editor-link'
import { commands, type ExtensionContext, TabInputTextDiff, Uri, window, workspace } from 'vscode'
import { confirmed } from '../commands/run-verb.ts'
import { commandIds } from '../contributions.ts'
import { sameUri } from '../projects/uris.ts'
import type { VirtualTexts } from './virtual-texts.ts'

export type Proposals = ReturnType<typeof createProposals>

interface Shown {
  readonly key: string
  readonly proposal: EditorProposal
  readonly files: readonly {
    readonly path: string
    readonly file: Uri
    readonly left: Uri
    readonly right: Uri
  }[]
  settle(agreed: boolean): void
}

export function createProposals(context: ExtensionContext, texts: VirtualTexts) {
  const open = new Map<string, Shown>()

  function find(argument: unknown): Shown | undefined {
    const uri = argument instanceof Uri ? argument : window.activeTextEditor?.document.uri
    const named = typeof argument === 'string' ? open.get(argument) : undefined
    const active = [...open.values()].find(({ files }) =>
      files.some(
        ({ right, left }) =>
          uri !== undefined && [right, left].some(each => sameUri(each.toString(), uri.toString())),
      ),
    )
    return named ?? active ?? (typeof argument === 'string' ? undefined : [...open.values()].at(-1))
  }

  context.subscriptions.push(
    window.tabGroups.onDidChangeTabs(({ closed }) => {
      for (const { input } of closed) {
        if (!(input instanceof TabInputTextDiff)) continue
        const key = input.modified.toString()
        open.get(key)?.settle(false)
      }
    }),
  )
  return {
    /** Shows a change. Resolves with what the person decides; closing the difference is a no. */
    show: (root: string, proposal: EditorProposal) =>
      new Promise<boolean>((resolve, reject) => {
        const shown = place(texts, root, proposal, agreed => {
          if (!open.delete(shown.key)) return
          resolve(agreed)
          void close(texts, shown, agreed)
        })
        open.set(shown.key, shown)
        showDifference(shown).then(() => void ask(shown), reject)
      }),
    /** Without an argument: the change in the active editor, or the last one. */
    async apply(argument: unknown): Promise<void> {
      const shown = find(argument)
      if (shown === undefined) tellGone()
      else if (!hasUnsaved(shown) && (await agreedToWeaker(shown.proposal))) shown.settle(true)
    },
    discard(argument: unknown): void {
      const shown = find(argument)
      if (shown === undefined) tellGone()
      else shown.settle(false)
    },
  }
}

function place(
  texts: VirtualTexts,
  root: string,
  proposal: EditorProposal,
  settle: (agreed: boolean) => void,
): Shown {
  const files = proposal.files.map(({ path, before, after }) => {
    const file = Uri.joinPath(Uri.parse(root), path)
    return { path, file, left: before === null ? texts.put(path, '') : file, right: texts.put(path, after) }
  })
  return { key: files[0]?.right.toString() ?? '', proposal, files, settle }
}

async function showDifference({ files }: Shown): Promise<void> {
  const [first, ...rest] = files
  if (first === undefined) return
  const title = (path: string) => `${path} (proposed)`
  // Several files stand in one editor, so that none of them is overlooked.
  if (rest.length === 0)
    await commands.executeCommand('vscode.diff', first.left, first.right, title(first.path))
  else {
    const all = files.map(({ file, left, right }) => [file, left, right])
    await commands.executeCommand('vscode.changes', 'Proposed changes', all)
  }
}

/** A notification that is dismissed decides nothing: the buttons above the difference stay. */
async function ask({ key, proposal }: Shown): Promise<void> {
  const [apply, discard] = ['Apply', 'Discard']
  const weaker =
    proposal.weakened.length === 0 ? '' : ` It makes ${countOf(proposal.weakened.length)} weaker.`
  const text = `SVC: ${proposal.summary === '' ? 'A change is proposed.' : proposal.summary}${weaker}`
  const picked = await (weaker === ''
    ? window.showInformationMessage(text, apply, discard)
    : window.showWarningMessage(text, apply, discard))
  if (picked === apply) await commands.executeCommand(commandIds.aiApply, key)
  if (picked === discard) await commands.executeCommand(commandIds.aiDiscard, key)
}

/** A yes to a change is none to checks that it weakens: they are named, and asked about on their own. */
async function agreedToWeaker({ weakened }: EditorProposal): Promise<boolean> {
  if (weakened.length === 0) return true
  const question = `The change makes ${countOf(weakened.length)} weaker. Were they wrong?`
  return confirmed(question, weakened.join('\n\n'), 'They Were Wrong, Apply')
}

/** What is not saved would be lost, or overwrite the change. */
function hasUnsaved({ files }: Shown): boolean {
  const unsaved = workspace.textDocuments.find(
    ({ isDirty, uri }) => isDirty && files.some(({ file }) => sameUri(file.toString(), uri.toString())),
  )
  if (unsaved === undefined) return false
  void window.showWarningMessage(
    `SVC: ${workspace.asRelativePath(unsaved.uri)} has changes that are not saved. Undo them, or save them and ask again.`,
  )
  return true
}

async function close(texts: VirtualTexts, { files, proposal }: Shown, agreed: boolean): Promise<void> {
  const rights = files.map(({ right }) => right.toString())
  const tabs = window.tabGroups.all
    .flatMap(group => group.tabs)
    .filter(({ input }) => input instanceof TabInputTextDiff && rights.includes(input.modified.toString()))
  if (tabs.length > 0) await window.tabGroups.close(tabs)
  for (const { left, right } of files) {
    texts.remove(left)
    texts.remove(right)
  }
  if (!agreed)
    void window.setStatusBarMessage(
      `SVC: ${proposal.files.map(({ path }) => path).join(', ')} left as it was`,
      5000,
    )
}

function tellGone(): void {
  void window.showInformationMessage('SVC: no change is waiting for a decision.')
}

function countOf(checks: number): string {
  return checks === 1 ? 'a check' : `${checks} checks`
}
