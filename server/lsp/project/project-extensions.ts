/**
 * Prepares the engine's extensions of a project in an editor, with what it declares of its database: once, and again when
 * `svc.yaml` names others or a file declares something else.
 */
import type { MayOpen } from '../../catalog/index.ts'
import type { Settings } from '../../language/index.ts'
import { declarationTexts, type ExtensionsRead, readExtensions } from '../../workspace/index.ts'
import type { ProjectHost } from './project-host.ts'

export function projectExtensions(
  root: string,
  host: ProjectHost,
  mayOpen: MayOpen,
): (settings: Settings) => Promise<ExtensionsRead> {
  let before = ''
  let reading: Promise<ExtensionsRead> = Promise.resolve({ load: [], diagnostics: [] })
  return async settings => {
    const { extensions, engine, file } = settings
    // The text of the file is part of the key, because problems have places in it.
    const named = JSON.stringify([
      engine.kind,
      extensions,
      extensions.length > 0 && file?.text,
      [...declarationTexts(root, engine, mayOpen)],
    ])
    if (named !== before) {
      before = named
      reading = readExtensions(root, settings, engine, host.isTrusted ? 'installed' : 'none', mayOpen)
      const { load } = await reading
      if (load.length > 0) host.onExtensions(engine, load)
    }
    return reading
  }
}
