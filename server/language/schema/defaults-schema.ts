/** Describes `defaults` of `svc.yaml`: the keys of an asset that may be said once for a folder. */
import { assetShape } from './asset-schema.ts'
import { type Key, type KeyParts, type ObjectShape, recordOf, type Shape, type TextFormat } from './shape.ts'

/** Keys that say what one asset is, and not how those of a folder are kept. */
const ownKeys = ['name', 'description', 'ingest', 'transform', 'columns', 'tests', 'publish', 'exposures']

/** What belongs to the columns of one source, or to the table of one asset, by the key that it is under. */
const ofOne: Readonly<Record<string, { readonly names: readonly string[]; readonly why: string }>> = {
  contract: { names: ['columns', 'tables', 'constraints'], why: 'they are those of one source' },
  deploy: { names: ['indexes', 'before', 'after'], why: 'they are those of one table' },
}

const pathPatternFormat: TextFormat = {
  pattern: /^(?!\/|[A-Za-z]:|~)(?!(.*\/)?\.\.(\/|$))[^\\]+$/,
  rule: "a pattern is relative to the project's root, with forward slashes, such as models/staging/**",
}

const folderShape: ObjectShape = {
  kind: 'object',
  keys: assetShape.keys.filter(({ name }) => !ownKeys.includes(name)).map(withoutDefault),
  idle: { names: ownKeys, why: 'it belongs into the file of each asset' },
}

export const defaultsKey: KeyParts = {
  keysName: 'path pattern',
  doc: 'Keys of assets by pattern of paths, such as models/staging/**; later patterns win, and the file of the asset wins over all.',
  default: {},
  shape: recordOf('pattern', folderShape, pathPatternFormat),
}

/** What is not written for a folder is left to other patterns, to the asset and to the default of the key. */
function withoutDefault({ default: _default, required: _required, ...key }: Key): Key {
  const shape = partial(key.shape)
  const own = ofOne[key.name]
  return own !== undefined && shape.kind === 'object'
    ? { ...key, shape: withoutKeys(shape, own) }
    : { ...key, shape }
}

function partial(shape: Shape): Shape {
  if (shape.kind === 'object') return { ...shape, keys: shape.keys.map(withoutDefault) }
  if (shape.kind === 'shorthand' && shape.of.kind === 'object')
    return { ...shape, of: { ...shape.of, keys: shape.of.keys.map(withoutDefault) } }
  return shape
}

function withoutKeys(
  shape: ObjectShape,
  idle: { readonly names: readonly string[]; readonly why: string },
): ObjectShape {
  return { ...shape, keys: shape.keys.filter(({ name }) => !idle.names.includes(name)), idle }
}
