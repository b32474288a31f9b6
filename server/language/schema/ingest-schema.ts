/**
 * Defines the key `ingest` (decisions 1): the kinds of source (`server/language/sources`), none, and those
 * that are not implemented yet.
 */
import { sourceKinds } from '../sources/index.ts'
import { type ShorthandShape, shorthand } from './shape.ts'

export const ingestShape: ShorthandShape = shorthand(['type'], {
  kind: 'variants',
  doc: 'The kind of source.',
  variants: [
    ...sourceKinds.map(({ variant }) => variant),
    { value: 'none', doc: 'No source: the asset is a model of other assets.', keys: [] },
    { value: 'python', doc: 'A Python function that yields records.', keys: [], built: false },
  ],
})
