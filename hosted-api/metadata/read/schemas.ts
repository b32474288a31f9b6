/** Schemas of several answers. */
import { type TSchema, Type } from '@sinclair/typebox'
import { oneOf, orNull, RecordId } from '../../http/index.ts'

export const AnyObject: TSchema = Type.Object({}, { additionalProperties: true })

export const ColumnSchema = Type.Object({
  name: Type.String(),
  type: orNull(Type.String()),
  nullable: Type.Optional(Type.Boolean()),
  description: Type.Optional(orNull(Type.String())),
  pii: Type.Optional(Type.Boolean()),
  /**
   * Everything that it is made of is hidden in a hash, a count or a comparison: no value of its origins can
   * be read.
   */
  masked: Type.Optional(Type.Boolean()),
})

export const EdgeColumns = Type.Array(
  Type.Object({
    from: Type.String(),
    to: Type.String(),
    /** The transformation, in the words of the tool that made the pack. */
    transform: Type.Optional(Type.String()),
    /** The value cannot be read in `to`: a hash, a count, a comparison. */
    masking: Type.Optional(Type.Boolean()),
  }),
)

export const TestDefinition = Type.Object({
  name: Type.String(),
  type: Type.String(),
  column: orNull(Type.String()),
  severity: oneOf(['error', 'warn']),
  definition: Type.Unknown(),
})

export const AssetParams = Type.Object({ asset: RecordId })

/** interface.md 2.11 */
export const AssetRef = { asset_id: RecordId, asset_name: Type.String() }
