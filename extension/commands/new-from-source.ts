/** `svc discover`: asks for an address or a named source, looks at it, and opens the files that it writes. */
import type { JsonOf } from '@svc/server/contract'
import { ThemeIcon, Uri, window } from 'vscode'
import { Cancelled, SvcRefusal } from '../background.ts'
import { commandIds } from '../contributions.ts'
import { messageOf } from '../first-error.ts'
import { addressProblem, namedSources, nameProblem, pathFor, tablesIn } from '../new-source.ts'
import { withProgress } from '../progress.ts'
import { variablesOf } from '../settings.ts'
import { projectTarget } from '../targets/target.ts'
import type { Command, Services } from './command.ts'

export const newFromSource: Command = {
  id: commandIds.newFromSource,
  async run(services, argument) {
    const project = await projectTarget(services.projects, argument)
    if (project === undefined) return
    const address = await askForAddress(Uri.parse(project.root), services)
    if (address !== undefined) await makeFrom(services, project.root, address)
  },
}

/** Makes an asset from each file, in the project of the row on which they were dropped. */
export async function newFromFiles(services: Services, files: readonly Uri[], node: unknown): Promise<void> {
  const project = await projectTarget(services.projects, node)
  if (project === undefined) return
  const folder = Uri.parse(project.root).fsPath
  for (const { fsPath } of files) {
    try {
      await makeFrom(services, project.root, pathFor(folder, fsPath))
    } catch (error) {
      const message = `no asset was made from ${fsPath}: ${messageOf(error)}`
      services.log.error(message)
      void window.showErrorMessage(`SVC: ${message}`)
    }
  }
}

async function makeFrom(services: Services, root: string, address: string): Promise<void> {
  const found = await discover(services, root, [address])
  if (found === undefined) return
  for (const { path } of found.assets) services.log.info(`created ${path}`)
  const [first] = found.assets
  if (first !== undefined) await window.showTextDocument(Uri.joinPath(Uri.parse(root), first.path))
  sayUnset(found.unset_variables)
}

type Discovered = JsonOf<'discover'>

async function askForAddress(folder: Uri, { log }: Services): Promise<string | undefined> {
  const named = namedSources({ ...process.env, ...variablesOf(folder, log) })
  const title = 'Where do the data come from?'
  if (named.length > 0) {
    const other = { label: 'Another address…', address: undefined }
    const variables = named.map(name => ({
      label: name,
      description: 'a database named by a variable',
      address: `env:${name}`,
    }))
    const picked = await window.showQuickPick([...variables, other], { title })
    if (picked === undefined || picked.address !== undefined) return picked?.address
  }
  const written = await writtenAddress(title)
  return written === fromPicker ? pickedFile(folder) : written
}

const fromPicker = Symbol('a file is to be picked')

/** Asks for an address; a button beside it picks a file of this computer. */
function writtenAddress(title: string): Promise<string | typeof fromPicker | undefined> {
  const input = window.createInputBox()
  const button = { iconPath: new ThemeIcon('folder-opened'), tooltip: 'Choose a File…' }
  Object.assign(input, {
    title,
    prompt:
      'The address of a web service, a database or files, or the path of a file. A password or key in it does not reach the file.',
    placeholder: 'https://api.example.com/v1/orders or data/*.csv',
    ignoreFocusOut: true,
    buttons: [button],
  })
  return new Promise(resolve => {
    const end = (value: string | typeof fromPicker | undefined): void => {
      resolve(value === '' ? undefined : value)
      input.dispose()
    }
    input.onDidChangeValue(text => {
      input.validationMessage = addressProblem(text.trim())
    })
    input.onDidAccept(() => {
      const text = input.value.trim()
      if (addressProblem(text) === undefined) end(text)
    })
    input.onDidTriggerButton(() => end(fromPicker))
    // Also after the others, of which the first counts.
    input.onDidHide(() => end(undefined))
    input.show()
  })
}

async function pickedFile(folder: Uri): Promise<string | undefined> {
  const [file] = (await window.showOpenDialog({ defaultUri: folder, openLabel: 'Discover' })) ?? []
  return file === undefined ? undefined : pathFor(folder.fsPath, file.fsPath)
}

/** Asks on where the source has several tables, or the name of the asset is taken. */
async function discover(
  services: Services,
  root: string,
  words: readonly string[],
): Promise<Discovered | undefined> {
  try {
    return await look(services, root, words)
  } catch (error) {
    if (error instanceof Cancelled) return undefined
    if (!(error instanceof SvcRefusal)) throw error
    const more = await furtherWords(error)
    return more === undefined ? undefined : discover(services, root, [...words, ...more])
  }
}

async function furtherWords(refusal: SvcRefusal): Promise<readonly string[] | undefined> {
  const found = tablesIn(refusal.facts)
  if (found !== undefined) return pickTable(found)
  if (refusal.code !== 'asset-exists') throw refusal
  const name = await window.showInputBox({
    title: 'Name of the new asset',
    prompt: `${refusal.message}. Choose another name.`,
    validateInput: nameProblem,
  })
  return name === undefined || name === '' ? undefined : ['--name', name]
}

async function pickTable(tables: readonly string[]): Promise<readonly string[] | undefined> {
  const all = { label: 'All tables', description: 'an asset for each', words: ['--all'] }
  const items = [...tables.map(table => ({ label: table, words: [`table:${table}`] })), all]
  return (await window.showQuickPick(items, { title: 'Which table?' }))?.words
}

async function look({ background }: Services, root: string, words: readonly string[]): Promise<Discovered> {
  return withProgress('looking at the source', async token => {
    const options = { token, hidesWords: true }
    return (await background.json(root, ['discover', ...words], options)) as Discovered
  })
}

function sayUnset(variables: readonly string[]): void {
  if (variables.length === 0) return
  const what = variables.join(' and ')
  void window.showInformationMessage(`SVC: set ${what} before a run, in the environment or in svc.env.`)
}
