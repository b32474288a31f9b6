/** Schemas that several routes share. */
import { Type } from '@sinclair/typebox'

export { choice as oneOf, orNull } from '../../server/contract/schema.ts'

/** The largest record number that both engines can store in an integer. */
export const mostRecordId = 2_147_483_647
export const RecordId = Type.Integer({ minimum: 1, maximum: mostRecordId, description: 'Record number.' })

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
