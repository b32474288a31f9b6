/**
 * Shows rows in the results grid: of what is live, and of the query under the cursor as it is in the editor.
 */
import { type QueryAtParams, type QueryAtResult, queryAtRequest } from '@svc/server/protocol'
import { Uri, window, workspace } from 'vscode'
import { commandIds, languageId, settingNames } from '../contributions.ts'
import { setting } from '../settings.ts'
import { assetTarget } from '../targets/target.ts'
import { tellUntrusted } from '../terminals/terminals.ts'
import type { Command } from './command.ts'

const defaultLimit = 100

/** Shows the production view, with `svc sample`. */
export const sampleAsset: Command = {
  id: commandIds.sampleAsset,
  async run({ projects, environments, results }, argument) {
    const target = await assetTarget(projects, argument)
    if (target === undefined) return
    const { root, asset: name } = target
    await results.show({
      key: `sample ${root} ${name}`,
      title: name,
      root,
      limit: limitOf(root),
      command: () => ({ words: ['sample', name, '--env', environments.of(root)] }),
    })
  },
}

/** Runs the model, or the CTE under the cursor, as it is in the editor, read-only on the live builds. */
export const previewRows: Command = {
  id: commandIds.previewRows,
  async run({ server, projects, environments, results }) {
    // The key would insert a line if the command were disabled.
    if (!workspace.isTrusted) return tellUntrusted()
    const editor = window.activeTextEditor
    if (editor === undefined || editor.document.languageId !== languageId) {
      void window.showInformationMessage('SVC: put the cursor into the SQL of an asset first.')
      return
    }
    const { document, selection } = editor
    const uri = document.uri.toString()
    const parameters: QueryAtParams = { uri, position: selection.active }
    const query = await server.request<QueryAtResult | null>(queryAtRequest, parameters)
    const project = projects.projectOf(uri)
    if (query === null || project === undefined) {
      void window.showInformationMessage('SVC: there is no query at the cursor.')
      return
    }
    const { asset, cte } = query
    const { root } = project
    const what = cte === undefined ? ['--query'] : ['--cte', cte]
    await results.show({
      key: `query ${uri} ${cte ?? ''}`,
      title: cte === undefined ? `${asset} (query)` : `${asset}: ${cte}`,
      root,
      limit: limitOf(root),
      command: () => ({
        words: ['sample', asset, ...what, '--stdin', '--env', environments.of(root)],
        input: document.getText(),
      }),
    })
  },
}

function limitOf(root: string): number {
  return setting(settingNames.sampleLimit, Uri.parse(root), defaultLimit)
}
