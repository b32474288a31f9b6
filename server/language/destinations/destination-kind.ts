/**
 * The interface of a kind of destination in the language: one object in one file. `cli/engine/publish` sends
 * rows to it.
 */
import type { Destination, PublishMode } from '../schema/definition.ts'
import { type Key, text, type Variant } from '../schema/shape.ts'
import type { ExternalDataset } from '../sources/external-dataset.ts'

export interface DestinationKind {
  /** Its name, its documentation and its keys in `svc.yaml` and in the asset. */
  readonly variant: Variant
  /** The description that follows "to" in a sentence. */
  readonly inWords: string
  /** The keys that it needs, whether they are in `svc.yaml` or in the asset. */
  readonly required: readonly string[]
  /** Whether the credentials may be the whole address, so that no file has to name one. */
  readonly addressInCredentials?: true
  /** The modes that it can work in; the first is its default. */
  modes(target: Destination): readonly PublishMode[]
  /** How many rows go in one batch. */
  batch(target: Destination): number
  readonly concurrency: number
  /** What is written there, under the name that OpenLineage gives to it; `endpoint` is its address. */
  dataset(resource: string, endpoint: string): ExternalDataset | undefined
  /** Why the target cannot work as it is written; undefined if nothing speaks against it. */
  obstacle?(target: Destination): { readonly message: string; readonly hint: string } | undefined
}

/** Modes that need a key: they tell rows apart by it. */
export function needsKey(mode: PublishMode): boolean {
  return mode !== 'replace'
}

/** Of a target whose kind `svc.yaml` says: what an address and a name may look like is checked once the kind is known. */
const places: readonly Key[] = [
  { name: 'endpoint', names: 'address', doc: 'Address of the destination, or env:NAME.', shape: text },
  {
    name: 'resource',
    names: 'address',
    doc: 'What is written there: a table, a path, the name of a file.',
    shape: text,
  },
]

/** Returns every key of the kinds, each once, in the order of the kinds. */
export function unionOfKeys(kinds: readonly DestinationKind[]): readonly Key[] {
  const keys = new Map(places.map(key => [key.name, key]))
  for (const { variant } of kinds)
    for (const key of variant.keys) if (!keys.has(key.name)) keys.set(key.name, key)
  return [...keys.values()]
}
