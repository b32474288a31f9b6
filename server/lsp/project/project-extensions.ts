/**
 * Prepares the engine's extensions of a project in an editor: once, and again when `svc.yaml` names others.
 */
import type { Settings } from '../../language/index.ts'
import { type ExtensionsRead, readExtensions } from '../../workspace/index.ts'
import type { ProjectHost } from './project-host.ts'

export class ProjectExtensions {
  readonly #root: string
  readonly #host: ProjectHost
  #named = '[]'
  #read: Promise<ExtensionsRead> = Promise.resolve({ load: [], diagnostics: [] })

  constructor(root: string, host: ProjectHost) {
    this.#root = root
    this.#host = host
  }

  async read(settings: Settings): Promise<ExtensionsRead> {
    // The text of the file is part of the key, because problems have places in it.
    const named = JSON.stringify([settings.extensions, settings.extensions.length > 0 && settings.file?.text])
    if (named !== this.#named) {
      this.#named = named
      this.#read = readExtensions(
        this.#root,
        settings,
        settings.engine,
        this.#host.isTrusted ? 'installed' : 'none',
      )
      const { load } = await this.#read
      if (load.length > 0) this.#host.onExtensions(settings.engine, load)
    }
    return this.#read
  }
}
