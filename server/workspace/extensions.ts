/** The engine's extensions that a project names, made ready, with what is wrong with them in `svc.yaml`. */
import { noExtensions, prepareExtensions } from '../catalog/index.ts'
import { type Diagnostic, nodeAt, type Settings, settingsPath } from '../language/index.ts'

export interface ExtensionsRead {
  /** Statements that load them, in order. */
  readonly load: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Which native code may be loaded: `none` where the workspace is not trusted; by an editor what is `installed`; for a
 * command DuckDB may `install` what is named and not there yet.
 */
export type ExtensionRights = 'none' | 'installed' | 'install'

/** Never throws. */
export async function readExtensions(
  root: string,
  settings: Settings,
  rights: ExtensionRights,
): Promise<ExtensionsRead> {
  const { extensions } = settings
  if (extensions.length === 0) return { load: [], diagnostics: [] }
  const ready =
    rights === 'none'
      ? { ...noExtensions, problems: extensions.map((each, index) => untrusted(each.name, index)) }
      : await prepareExtensions({ root, extensions, mayInstall: rights === 'install' })
  const severity = rights === 'install' ? 'error' : 'warning'
  const diagnostics = ready.problems.map(
    ({ index, message, hint }): Diagnostic => ({
      code: 'extension-not-loaded',
      severity,
      path: settingsPath,
      range: rangeOf(settings, index),
      message,
      hint,
    }),
  )
  return { load: ready.load, diagnostics }
}

function untrusted(name: string, index: number) {
  return {
    index,
    message: `the extension ${name} is not loaded: it is native code, and nobody has said that this project is trusted`,
    hint: 'Trust the workspace; editors other than VS Code start the server as svc lsp --stdio --trusted.',
  }
}

function rangeOf({ file }: Settings, index: number): Diagnostic['range'] {
  const node = nodeAt(file?.tree, ['extensions', index]) ?? nodeAt(file?.tree, ['extensions'])
  return node?.range ?? { start: 0, end: 0 }
}
