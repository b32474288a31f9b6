// Prepares the example for an editor, so that its first run succeeds: a copy with its data, whose setting `svc.env` has
// the address of its web service. The service has to stay while the editor is open.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyExample } from './example.mjs'
import { startExampleServer } from './example-server.mjs'

/**
 * Makes the copy in `folder`, unless it is there already: what was changed in it stays.
 * @param {string} folder
 * @returns {Promise<{ folder: string, close: () => Promise<void> }>}
 */
export async function prepareExample(folder) {
  if (!existsSync(join(folder, 'svc.yaml'))) copyExample(folder)
  const server = await startExampleServer()
  const settings = join(folder, '.vscode', 'settings.json')
  mkdirSync(join(folder, '.vscode'), { recursive: true })
  const { 'svc.env': env, ...others } = settingsIn(settings)
  const renewed = { ...others, 'svc.env': { ...env, QUAKES_URL: server.url } }
  writeFileSync(settings, `${JSON.stringify(renewed, undefined, 2)}\n`)
  return { folder, close: server.close }
}

function settingsIn(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}
