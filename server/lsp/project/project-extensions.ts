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
    const declared = readableOrNone(host, () => declarationTexts(root, engine, mayOpen))
    // The text of the file is part of the key, because problems have places in it.
    const named = JSON.stringify([
      engine.kind,
      extensions,
      extensions.length > 0 && file?.text,
      [...declared],
    ])
    if (named !== before) {
      before = named
      reading = readExtensions(root, settings, engine, host.isTrusted ? 'installed' : 'none', declared)
      const { load } = await reading
      if (load.length > 0) host.onExtensions(engine, load)
    }
    return reading
  }
}

/** A file that cannot be read is logged, as every other one is: the rest is checked without it. */
function readableOrNone({ log }: ProjectHost, read: () => ReadonlyMap<string, string>) {
  try {
    return read()
  } catch (error) {
    log.warn(error instanceof Error ? error.message : String(error))
    return new Map<string, string>()
  }
}
