/**
 * Puts the bundled command behind everything on the PATH of integrated terminals: messages say to type `svc`, and a
 * newcomer has no other. One that the user or the project has installed comes first.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { ExtensionContext, LogOutputChannel } from 'vscode'

export function putCommandOnPath(context: ExtensionContext, cli: string, log: LogOutputChannel): void {
  const folder = join(context.globalStorageUri.fsPath, 'bin')
  const variables = context.environmentVariableCollection
  variables.description = 'Makes `svc` known in terminals'
  try {
    writeLaunchers(folder, process.execPath, cli)
  } catch (error) {
    variables.clear()
    log.warn(`svc is not on the PATH of terminals: ${String(error)}`)
    return
  }
  // The files of a shell may set PATH anew, after which the editor's shell integration adds the folder again.
  const options = { applyAtProcessCreation: true, applyAtShellIntegration: true }
  variables.append('PATH', `${delimiter}${folder}`, options)
}

/** Writes `svc` for shells and `svc.cmd` for Windows: both run the command in the editor's own Node. */
export function writeLaunchers(folder: string, node: string, cli: string): void {
  mkdirSync(folder, { recursive: true })
  const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`
  const shell = `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec ${quoted(node)} ${quoted(cli)} "$@"\n`
  const escaped = (path: string) => `"${path.replaceAll('%', '%%')}"`
  const windows = `@echo off\r\nsetlocal\r\nset ELECTRON_RUN_AS_NODE=1\r\n${escaped(node)} ${escaped(cli)} %*\r\n`
  write(join(folder, 'svc'), shell)
  chmodSync(join(folder, 'svc'), 0o755)
  write(join(folder, 'svc.cmd'), windows)
}

/** Several windows start at once, and a shell may be reading the file. */
function write(path: string, text: string): void {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
}
