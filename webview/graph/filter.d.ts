import type { CatalogFile } from '../protocol.ts'
import type { GraphModel } from './model.ts'
export type Filtered =
  | {
      readonly kept: ReadonlySet<number> | undefined
    }
  | {
      readonly problem: string
    }
/** An exposure is kept with an asset that it shows. `kept` undefined: there is no filter. */
export declare function filterOf(model: GraphModel, catalog: CatalogFile, text: string): Filtered
