/** The engine's extensions that a project names, made ready, with what is wrong with them in `svc.yaml`. */
import { type ExtensionProblem, noExtensions, prepareExtensions } from '../catalog/index.ts'
import { type Diagnostic, type Engine, nodeAt, type Settings, settingsPath } from '../language/index.ts'

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
  engine: Engine,
  rights: ExtensionRights,
): Promise<ExtensionsRead> {
  const { extensions } = settings
  if (extensions.length === 0) return { load: [], diagnostics: [] }
  const refuse = refusal(engine, rights)
  const ready =
    refuse === undefined
      ? await prepareExtensions({ engine, root, extensions, mayInstall: rights === 'install' })
      : { ...noExtensions, problems: extensions.map(({ name }, index) => ({ index, ...refuse(name) })) }
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

type Refusal = (name: string) => Pick<ExtensionProblem, 'message' | 'hint'>

/** Why none of them is even tried; undefined: they may be. */
function refusal({ label, extensions }: Engine, rights: ExtensionRights): Refusal | undefined {
  if (extensions === undefined)
    return name => ({
      message: `the extension ${name} is not loaded: the engine of this project is ${label}, of which svc loads none`,
      hint: 'Take it out of svc.yaml.',
    })
  return rights === 'none' ? untrusted : undefined
}

function untrusted(name: string) {
  return {
    message: `the extension ${name} is not loaded: it is native code, and nobody has said that this project is trusted`,
    hint: 'Trust the workspace; editors other than VS Code start the server as svc lsp --stdio --trusted.',
  }
}

function rangeOf({ file }: Settings, index: number): Diagnostic['range'] {
  const node = nodeAt(file?.tree, ['extensions', index]) ?? nodeAt(file?.tree, ['extensions'])
  return node?.range ?? { start: 0, end: 0 }
}
