/** Makes the published JSON Schemas (draft 2020-12) from the description that also validates. */
import { assetShape } from './asset-schema.ts'
import type { JsonValue } from './definition.ts'
import {
  amountPattern,
  durationPattern,
  percentPattern,
  ratePattern,
  sizePattern,
  thresholdPattern,
} from './formats.ts'
import { glossaryShape } from './glossary-schema.ts'
import { settingsShape } from './settings-schema.ts'
import {
  isBuilt,
  type Key,
  type ObjectShape,
  type Shape,
  type TextShape,
  type VariantsShape,
} from './shape.ts'

export type JsonSchema = { readonly [name: string]: JsonValue }

/** Returns the schema of a `.svc` file, with implemented keys only. */
export function assetJsonSchema(): JsonSchema {
  return published('asset', 'A data asset of svc (.svc file)', assetShape)
}

/** Returns the schema of `svc.yaml`. */
export function settingsJsonSchema(): JsonSchema {
  return published('settings', 'Settings of an svc project (svc.yaml)', settingsShape)
}

/** Returns the schema of `glossary.yaml`. */
export function glossaryJsonSchema(): JsonSchema {
  return published('glossary', 'The words of the business (glossary.yaml)', glossaryShape)
}

function published(name: string, title: string, shape: ObjectShape): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:svc:schema:${name}`,
    title,
    ...schemaOf(shape),
  }
}

function schemaOf(shape: Shape): JsonSchema {
  switch (shape.kind) {
    case 'text':
      return textSchema(shape)
    case 'boolean':
      return { type: 'boolean' }
    case 'number':
      return {
        type: shape.whole ? 'integer' : 'number',
        ...(shape.min === undefined ? {} : { minimum: shape.min }),
      }
    case 'duration':
      return { type: 'string', pattern: durationPattern.source }
    case 'rate':
      return { type: 'string', pattern: ratePattern.source }
    case 'size':
      return { type: 'string', pattern: sizePattern.source }
    case 'percent':
      return { type: 'string', pattern: percentPattern.source }
    case 'amount':
      return {
        anyOf: [
          { type: 'integer', minimum: 0 },
          { type: 'string', pattern: amountPattern.source },
        ],
      }
    case 'step':
      return {
        anyOf: [
          { type: 'integer', minimum: 1 },
          { type: 'string', pattern: durationPattern.source },
        ],
      }
    case 'threshold':
      return { type: 'string', pattern: thresholdPattern.source }
    case 'choice':
      return { enum: shape.choices.filter(isBuilt).map(each => each.value) }
    case 'scalar':
      return { type: ['string', 'number', 'boolean', 'null'] }
    case 'bound':
      return { type: ['string', 'number'] }
    case 'any':
      return {}
    case 'rows':
      return {
        anyOf: [
          { type: 'array', items: { type: 'object' } },
          { type: 'string', minLength: 1 },
        ],
      }
    case 'list':
      return listSchema(schemaOf(shape.of), shape.orOne === true, shape.notEmpty === true)
    case 'record':
      return {
        ...recordSchema(schemaOf(shape.of), shape.keyFormat?.pattern.source),
        ...(shape.notEmpty === true ? { minProperties: 1 } : {}),
      }
    case 'object':
      return objectSchema(shape)
    case 'variants':
      return { oneOf: variantSchemas(shape) }
    case 'shorthand':
      return { anyOf: [...shortSchemas(shape.of, shape.keys), schemaOf(shape.of)] }
  }
}

function textSchema(shape: TextShape): JsonSchema {
  const pattern = shape.format?.pattern
  // A number is read as the text in which it is written.
  if (pattern === undefined)
    return shape.sql === undefined ? { type: ['string', 'number'] } : { type: 'string', minLength: 1 }
  const type = shape.format?.noNumber === true ? 'string' : ['string', 'number']
  return { type, ...(pattern.flags === '' ? { pattern: pattern.source } : {}) }
}

function listSchema(items: JsonSchema, orOne: boolean, notEmpty: boolean): JsonSchema {
  const list: JsonSchema = { type: 'array', items, ...(notEmpty ? { minItems: 1 } : {}) }
  return orOne ? { anyOf: [items, list] } : list
}

function recordSchema(values: JsonSchema, keyPattern: string | undefined): JsonSchema {
  const propertyNames = keyPattern === undefined ? { minLength: 1 } : { pattern: keyPattern }
  return { type: 'object', additionalProperties: values, propertyNames }
}

function objectSchema(shape: ObjectShape): JsonSchema {
  const keys = shape.keys.filter(isBuilt)
  const { exactlyOne, atLeastOne } = shape
  const kinds = exactlyOne?.keys.filter(name => keys.some(key => key.name === name))
  const required = requiring(kinds ?? [])
  const isKnown = { propertyNames: { enum: shape.keys.map(({ name }) => name) } }
  const others = shape.hasOthers === true ? [{ not: { anyOf: [...required, isKnown] } }] : []
  return {
    ...keysSchema(keys),
    ...(shape.hasOthers === true && { additionalProperties: true }),
    ...(kinds === undefined ? {} : { oneOf: [...required, ...others] }),
    ...(atLeastOne !== undefined && { anyOf: requiring(atLeastOne) }),
  }
}

function requiring(names: readonly string[]): readonly JsonSchema[] {
  return names.map(name => ({ required: [name] }))
}

function keysSchema(keys: readonly Key[], extra: JsonSchema = {}): JsonSchema {
  const required = keys.filter(key => key.required === true).map(key => key.name)
  const properties = Object.fromEntries(keys.filter(isBuilt).map(key => [key.name, keySchema(key)]))
  const all = [...Object.keys(extra), ...required]
  return {
    type: 'object',
    properties: { ...extra, ...properties },
    ...(all.length > 0 && { required: all }),
    additionalProperties: false,
  }
}

function keySchema(key: Key): JsonSchema {
  const isShown = key.default !== undefined && JSON.stringify(key.default) !== '{}'
  return {
    description: key.doc,
    ...schemaOf(key.shape),
    ...(isShown ? { default: key.default ?? null } : {}),
  }
}

function variantSchemas(shape: VariantsShape): JsonSchema[] {
  return shape.variants.filter(isBuilt).map(variant => ({
    description: variant.doc,
    ...keysSchema(variant.keys, { type: { const: variant.value } }),
    ...(variant.exactlyOne !== undefined && { oneOf: requiring(variant.exactlyOne.keys) }),
    ...(variant.atLeastOne !== undefined && { anyOf: requiring(variant.atLeastOne) }),
  }))
}

/** Returns the schemas of the short form of a mapping: the values of the key that it sets. */
function shortSchemas(shape: ObjectShape | VariantsShape, keys: readonly string[]): JsonSchema[] {
  if (shape.kind === 'variants') {
    const simple = shape.variants.filter(
      each => isBuilt(each) && each.keys.every(key => key.required !== true),
    )
    return [{ enum: simple.filter(each => each.atLeastOne === undefined).map(each => each.value) }]
  }
  const key = shape.keys.find(each => each.name === keys[0])
  return key === undefined ? [] : [schemaOf(key.shape)]
}
