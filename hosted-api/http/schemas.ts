/** Schemas that several routes share. */
import { type ObjectOptions, type TObject, type TProperties, Type } from '@sinclair/typebox'

export { choice as oneOf, orNull, type Shape } from '../../server/contract/schema.ts'

/** An object with these members only, so that misspelt ones are reported. */
export function closed<P extends TProperties>(properties: P, options: ObjectOptions = {}): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** The largest record number that both engines can store in an integer. */
export const mostRecordId = 2_147_483_647
export const RecordId = Type.Integer({ minimum: 1, maximum: mostRecordId, description: 'Record number.' })

export const Count = Type.Integer({ minimum: 0 })

/** A text with something else than white space. */
export const visible = { pattern: '\\S', rule: 'has to have visible text' }

/** A time in UTC with milliseconds. */
export const Time = Type.String({ format: 'date-time' })

export const ProblemBody = Type.Object(
  {
    success: Type.Literal(false),
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.String(),
    detail: Type.String(),
    instance: Type.String(),
    request_id: Type.String(),
    errors: Type.Optional(
      Type.Array(Type.Object({ pointer: Type.String(), code: Type.String(), detail: Type.String() })),
    ),
  },
  { $id: 'Problem', additionalProperties: true },
)

/** A warning, which does not prevent the request. */
export const Warning = Type.Object({
  code: Type.String(),
  detail: Type.String(),
  pointer: Type.Optional(Type.String()),
})
