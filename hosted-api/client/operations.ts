/**
 * The operations that svc itself calls. Their types are derived from the routes, so they are not stated
 * twice.
 */
import type { Static } from '@sinclair/typebox'
import type { UploadWrapper } from '../metadata/pack/pack-schema.ts'
import type { UploadAnswer, UploadParams, UploadQuery } from '../metadata/upload/upload-shapes.ts'

/** A route as its caller sees it. `Takes` and `Gives` exist only for the compiler. */
export interface Operation<Takes extends Input = Input, Gives = unknown> {
  readonly method: string
  /** The path with parameters as the route has them: `/projects/:project`. */
  readonly path: string
  readonly shapes?: readonly [Takes, Gives]
}

export interface Input {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

export type PackWrapper = Static<typeof UploadWrapper>
export type UploadResult = Static<typeof UploadAnswer>

export const uploadContextPack: Operation<
  {
    readonly path: Static<typeof UploadParams>
    readonly query: Static<typeof UploadQuery>
    readonly body: PackWrapper
  },
  UploadResult
> = { method: 'POST', path: '/api/svc/metadata/projects/:project/upload' }
