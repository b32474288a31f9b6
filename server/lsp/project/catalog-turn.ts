/**
 * The catalogue of a project in an editor: opened once, and again when `svc.yaml` names other extensions or a warehouse
 * of another engine. What the one before has found out is then of no use.
 */
import {
  type CatalogMemory,
  type FoundByAsset,
  openCatalog,
  prepareWorkers,
  type ShadowCatalog,
} from '../../catalog/index.ts'
import type { Engine } from '../../language/index.ts'

/** What a catalogue is opened for. */
export interface CatalogGround {
  readonly engine: Engine
  /** Statements that load extensions of the engine. */
  readonly load: readonly string[]
}

export class CatalogTurn {
  readonly #found: () => FoundByAsset
  #ground: CatalogGround | undefined
  #catalog: Promise<ShadowCatalog> | undefined

  constructor(found: () => FoundByAsset) {
    this.#found = found
  }

  for(ground: CatalogGround): Promise<ShadowCatalog> {
    if (this.#catalog !== undefined && isSame(this.#ground, ground)) return this.#catalog
    return this.#open(ground, undefined)
  }

  /** Another one, that begins with what a catalogue of the same ground knew. */
  remember(memory: CatalogMemory, ground: CatalogGround): void {
    // The one before takes its process with it, and the next key needs one.
    prepareWorkers(1)
    void this.#open(ground, memory)
  }

  close(): void {
    void this.#catalog?.then(catalog => catalog.close())
  }

  #open(ground: CatalogGround, memory: CatalogMemory | undefined): Promise<ShadowCatalog> {
    this.close()
    const { engine, load } = ground
    this.#ground = ground
    this.#catalog = openCatalog(engine, { load, memory, remembersColumns: true, found: this.#found })
    return this.#catalog
  }
}

function isSame(before: CatalogGround | undefined, { engine, load }: CatalogGround): boolean {
  return before?.engine === engine && before.load.join(';') === load.join(';')
}
