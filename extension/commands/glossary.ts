/** Adds a term to `glossary.yaml`, and opens that file. */
import { Range, Uri, window, workspace } from 'vscode'
import { commandIds } from '../contributions.ts'
import { projectTarget } from '../targets/target.ts'
import type { Command } from './command.ts'
import { saved } from './run-verb.ts'

export const newTerm: Command = {
  id: commandIds.newTerm,
  async run({ projects, background }, argument) {
    const project = await projectTarget(projects, argument)
    if (project === undefined) return
    const name = await window.showInputBox({
      title: 'Name of the new term',
      prompt: 'What people call it.',
      validateInput: text => (text.trim() === '' ? 'A term needs a name.' : undefined),
    })
    if (name === undefined) return
    const description = await window.showInputBox({ title: `What does ${name.trim()} mean?` })
    if (description === undefined || !(await saved(project.root))) return
    const described = description.trim() === '' ? [] : ['--description', description.trim()]
    await background.json(project.root, ['glossary', 'add-term', name.trim(), ...described])
    await openAt(project.root, name.trim())
  },
}

export const openGlossary: Command = {
  id: commandIds.openGlossary,
  async run({ projects }, argument) {
    const project = await projectTarget(projects, argument)
    if (project === undefined) return
    if (await isThere(fileOf(project.root))) {
      await openAt(project.root, undefined)
      return
    }
    void window.showInformationMessage(
      `SVC: ${project.name} has no glossary.yaml yet. "New Glossary Term…" writes it.`,
    )
  },
}

function fileOf(root: string): Uri {
  return Uri.joinPath(Uri.parse(root), 'glossary.yaml')
}

async function isThere(file: Uri): Promise<boolean> {
  try {
    await workspace.fs.stat(file)
    return true
  } catch {
    return false
  }
}

/** Shows the place where a name stands last, or the beginning. */
async function openAt(root: string, name: string | undefined): Promise<void> {
  const document = await workspace.openTextDocument(fileOf(root))
  const offset = name === undefined ? 0 : Math.max(0, document.getText().lastIndexOf(name))
  const at = document.positionAt(offset)
  await window.showTextDocument(document, { selection: new Range(at, at) })
}
