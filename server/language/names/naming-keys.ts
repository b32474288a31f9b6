/** Walks over a schema: every key whose value, or whose keys, are texts that users choose, and what these name. */
import { isBuilt, type Key, type Shape } from '../schema/shape.ts'
import type { NameKind } from './name-kinds.ts'

export interface NamingKey {
  /** The keys from the top of the file on; `[]` is an item, `<word>` a key that users name, `(type)` a variant. */
  readonly path: string
  readonly key: Key
  /** Whether the name is the key of a mapping, or its value. */
  readonly part: 'key' | 'value'
  /** What it names; undefined where the schema does not say it. */
  readonly names: NameKind | undefined
}

/** Returns the keys of a schema whose values are names or texts. */
export function namingKeys(keys: readonly Key[], at = ''): readonly NamingKey[] {
  return keys.filter(isBuilt).flatMap(key => {
    const path = at === '' ? key.name : `${at}.${key.name}`
    return belowShape(key, key.shape, path)
  })
}

function belowShape(key: Key, shape: Shape, path: string): readonly NamingKey[] {
  switch (shape.kind) {
    case 'text':
      return shape.sql === undefined ? [{ path, key, part: 'value', names: key.names }] : []
    case 'list':
      return belowShape(key, shape.of, `${path}[]`)
    case 'record': {
      const own: NamingKey = { path: `${path}.<${shape.keyName}>`, key, part: 'key', names: key.keysName }
      return [own, ...belowShape(key, shape.of, own.path)]
    }
    case 'object':
      return namingKeys(shape.keys, path)
    case 'variants':
      return shape.variants
        .filter(isBuilt)
        .flatMap(variant => namingKeys(variant.keys, `${path}(${variant.value})`))
    case 'shorthand':
      return belowShape(key, shape.of, path)
    default:
      return []
  }
}
