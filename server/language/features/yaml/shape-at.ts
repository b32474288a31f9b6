/** Finds the schema at a place in a YAML text: the shape of a value, the keys of a mapping. */
import { oncePer } from '../../once.ts'
import type { ChoiceShape, Key, ObjectShape, Shape, Variant, VariantsShape } from '../../schema/shape.ts'
import { isBuilt } from '../../schema/shape.ts'
import type { NodePath } from '../../syntax/node.ts'

/** Returns the `type` that is written in the mapping at a path, to choose among variants. */
export type TypeAt = (path: NodePath) => string | undefined

export interface ShapeAt {
  readonly shape: Shape
  /** The key of the value; undefined for items and for keys that users name. */
  readonly key: Key | undefined
}

export function shapeAt(root: Shape, path: NodePath, typeAt: TypeAt): ShapeAt | undefined {
  let current: ShapeAt | undefined = { shape: root, key: undefined }
  for (const [index, step] of path.entries()) {
    if (current === undefined) return undefined
    current = below(current.shape, step, path.slice(0, index), typeAt)
  }
  return current
}

function below(shape: Shape, step: string | number, path: NodePath, typeAt: TypeAt): ShapeAt | undefined {
  switch (shape.kind) {
    case 'list':
      if (typeof step === 'number') return { shape: shape.of, key: undefined }
      return shape.orOne === true ? below(shape.of, step, path, typeAt) : undefined
    case 'record':
      return { shape: shape.of, key: undefined }
    case 'shorthand':
      return below(shape.of, step, path, typeAt)
    case 'object':
    case 'variants': {
      const key = keysOf(shape, path, typeAt).find(each => each.name === step)
      return key === undefined ? undefined : { shape: key.shape, key }
    }
    default:
      return undefined
  }
}

/** Returns every implemented key of the mapping; for variants those of the written type, or of all types. */
export function keysOf(shape: ObjectShape | VariantsShape, path: NodePath, typeAt: TypeAt): readonly Key[] {
  if (shape.kind === 'object') return shape.keys.filter(isBuilt)
  const variant = variantOf(shape, typeAt(path))
  const variants = variant === undefined ? shape.variants.filter(isBuilt) : [variant]
  const keys = new Map(
    variants.flatMap(each => each.keys.filter(isBuilt).map(key => [key.name, key] as const)),
  )
  return [typeKey(shape), ...keys.values()]
}

function variantOf(shape: VariantsShape, type: string | undefined): Variant | undefined {
  return shape.variants.find(variant => variant.value === type && isBuilt(variant))
}

/** Returns the key `type` of a mapping with variants, which no schema lists. */
const typeKey = oncePer(({ doc, variants }: VariantsShape): Key => {
  const choices: ChoiceShape = { kind: 'choice', choices: variants }
  return { name: 'type', doc, shape: choices, required: true }
})

/** Returns the shape of the mapping, also where a short form is allowed instead. */
export function mappingOf(shape: Shape): ObjectShape | VariantsShape | undefined {
  if (shape.kind === 'object' || shape.kind === 'variants') return shape
  if (shape.kind === 'shorthand') return shape.of
  return shape.kind === 'list' && shape.orOne === true ? mappingOf(shape.of) : undefined
}

/** Returns the shape of the short form: a single value instead of a mapping. */
export function shortOf(shape: Shape): Shape {
  if (shape.kind !== 'shorthand') return shape
  if (shape.of.kind === 'variants') return typeKey(shape.of).shape
  const key = shape.of.keys.find(each => each.name === shape.keys[0])
  return key === undefined ? shape : shortOf(key.shape)
}
