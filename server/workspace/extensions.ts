/** Prepares the engine extensions that a project lists, with diagnostics for `svc.yaml`. */
import { type ExtensionProblem, noExtensions, prepareExtensions } from '../catalog/index.ts'
import {
  type Diagnostic,
  type Engine,
  type ExtensionSetting,
  nodeAt,
  type Settings,
  settingsPath,
} from '../language/index.ts'
import { readDeclarations } from './declarations.ts'

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
  declared: ReadonlyMap<string, string>,
): Promise<ExtensionsRead> {
  const listed = [...settings.extensions.entries()].filter(([, each]) => isOf(each, engine, settings))
  if (listed.length === 0 && declared.size === 0) return { load: [], diagnostics: [] }
  const refuse = refusal(engine, rights)
  const extensions = listed.map(([, each]) => each)
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
      range: rangeOf(settings, listed[index]?.[0] ?? 0),
      message,
      hint,
    }),
  )
  const own = await readDeclarations(declared, engine, ready.load)
  return { load: [...ready.load, ...own.load], diagnostics: [...diagnostics, ...own.diagnostics] }
}

/** In a project of several engines an extension that only another one has is that one's. */
function isOf({ name, path }: ExtensionSetting, engine: Engine, { engines }: Settings): boolean {
  const others = [...engines.values()].flatMap(each => (each === engine ? [] : (each?.extensions ?? [])))
  const own = engine.extensions
  if (own?.knows(name) === true && path === undefined) return true
  return path === undefined
    ? !others.some(other => other.knows(name))
    : own?.fileEnding !== undefined || !others.some(other => other.fileEnding !== undefined)
}

type Refusal = (name: string) => Pick<ExtensionProblem, 'message' | 'hint'>

/** Returns why none of them may be tried; undefined if they may. */
function refusal({ label, extensions }: Engine, rights: ExtensionRights): Refusal | undefined {
  if (extensions === undefined)
    return name => ({
      message: `the extension ${name} is not loaded: the engine of this project is ${label}, of which svc loads none`,
      hint: 'Take it out of svc.yaml.',
    })
  // An extension that comes with the engine itself is no code of others.
  return rights === 'none' && extensions.fileEnding !== undefined ? untrusted : undefined
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
