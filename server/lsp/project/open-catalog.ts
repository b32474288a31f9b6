/**
 * Holds the catalogue of a project in an editor: it is opened once, and replaced when `svc.yaml` names other
 * extensions or a warehouse of another engine.
 */
import {
  type CatalogGroup,
  type CatalogMemory,
  type FoundByAsset,
  newCatalogGroup,
  openCatalog,
  prepareWorkers,
  type ShadowCatalog,
} from '../../catalog/index.ts'
import type { Engine } from '../../language/index.ts'

/** The settings that a catalogue is opened with; other ones need a new catalogue. */
export interface CatalogOptions {
  readonly engine: Engine
  /** Statements that load extensions of the engine. */
  readonly load: readonly string[]
}

const looseFiles = newCatalogGroup()

export class OpenCatalog {
  readonly #found: () => FoundByAsset
  readonly #group: CatalogGroup | undefined
  #options: CatalogOptions | undefined
  #catalog: Promise<ShadowCatalog> | undefined

  /** @param isLoose whether it is of a file that belongs to no project */
  constructor(found: () => FoundByAsset, isLoose = false) {
    this.#found = found
    this.#group = isLoose ? looseFiles : undefined
  }

  for(options: CatalogOptions): Promise<ShadowCatalog> {
    if (this.#catalog !== undefined && isSame(this.#options, options)) return this.#catalog
    return this.#open(options, undefined)
  }

  /** Replaces the catalogue by one that starts with the memory of a catalogue with the same options. */
  remember(memory: CatalogMemory, options: CatalogOptions): void {
    // The one before takes its process with it, and the next key needs one.
    prepareWorkers(1, options.engine)
    void this.#open(options, memory)
  }

  close(): void {
    void this.#catalog?.then(catalog => catalog.close())
  }

  #open(options: CatalogOptions, memory: CatalogMemory | undefined): Promise<ShadowCatalog> {
    this.close()
    const { engine, load } = options
    this.#options = options
    const group = this.#group && { group: this.#group }
    this.#catalog = openCatalog(engine, {
      load,
      memory,
      remembersColumns: true,
      found: this.#found,
      ...group,
    })
    return this.#catalog
  }
}

function isSame(before: CatalogOptions | undefined, { engine, load }: CatalogOptions): boolean {
  return before?.engine === engine && before.load.join(';') === load.join(';')
}
