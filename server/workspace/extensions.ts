/** Prepares the engine extensions that a project lists, with diagnostics for `svc.yaml`. */
import { type ExtensionProblem, noExtensions, prepareExtensions } from '../catalog/index.ts'
import { type Diagnostic, type Engine, nodeAt, type Settings, settingsPath } from '../language/index.ts'

export interface ExtensionsRead {
  /** Statements that load them, in order. */
  readonly load: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * The native code that may be loaded: `none` if the workspace is not trusted; `installed` extensions in an
 * editor; in a command DuckDB may `install` missing ones.
 */
export type ExtensionRights = 'none' | 'installed' | 'install'

/** Returns the extensions and never throws. */
export async function readExtensions(
  root: string,
  settings: Settings,
  engine: Engine,
  rights: ExtensionRights,
): Promise<ExtensionsRead> {
  const { extensions } = settings
  const all = [...settings.engines.values()]
  // They are those of another environment's engine, where one has any.
  const isOfOthers =
    engine.extensions === undefined && all.includes(engine) && all.some(each => each?.extensions)
  if (extensions.length === 0 || isOfOthers) return { load: [], diagnostics: [] }
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

/** Returns why none of them may be tried; undefined if they may. */
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
    message: `the extension ${name} is not loaded: it is native code, and this project is not trusted`,
    hint: 'Trust the workspace; editors other than VS Code start the server as svc lsp --stdio --trusted.',
  }
}

function rangeOf({ file }: Settings, index: number): Diagnostic['range'] {
  const node = nodeAt(file?.tree, ['extensions', index]) ?? nodeAt(file?.tree, ['extensions'])
  return node?.range ?? { start: 0, end: 0 }
}
