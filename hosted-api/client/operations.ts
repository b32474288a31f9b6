/**
 * The operations that svc itself calls. Their types are derived from the routes, so they are not stated
 * twice.
 */
import type { Static } from '@sinclair/typebox'
import type { UploadWrapper } from '../metadata/pack/pack-schema.ts'
import type { UploadAnswer, UploadQuery } from '../metadata/upload/upload-shapes.ts'

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
    readonly path: { readonly project: number }
    readonly query: Static<typeof UploadQuery>
    readonly body: PackWrapper
  },
  UploadResult
> = { method: 'POST', path: '/api/svc/metadata/projects/:project/upload' }

/** A record of the glossary: the fields of its kind beside these. */
export interface StoreRecord extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly version: number
}

export interface StoreGlossary {
  readonly terms: readonly (StoreRecord & { readonly links: readonly StoreRecord[] })[]
  readonly metrics: readonly StoreRecord[]
  readonly dimensions: readonly StoreRecord[]
  readonly policies: readonly StoreRecord[]
}

export const exportGlossaryOf: Operation<{ readonly path: { readonly project: number } }, StoreGlossary> = {
  method: 'GET',
  path: '/api/svc/glossary/projects/:project/export',
}

export type StorePlural = 'terms' | 'metrics' | 'dimensions' | 'policies' | 'links'
type RecordPath = { readonly plural: StorePlural; readonly record: number }
/** The record is under the name of its kind. */
type RecordAnswer = Readonly<Record<string, unknown>>

export const createGlossaryRecord: Operation<
  { readonly path: { readonly plural: StorePlural }; readonly body: object },
  RecordAnswer
> = { method: 'POST', path: '/api/svc/glossary/:plural' }

/** With `ifMatch`, so that what somebody changed meanwhile is not overwritten. */
export const changeGlossaryRecord: Operation<
  { readonly path: RecordPath; readonly body: object },
  RecordAnswer
> = { method: 'PATCH', path: '/api/svc/glossary/:plural/:record' }

export const deleteGlossaryRecord: Operation<{ readonly path: RecordPath }, RecordAnswer> = {
  method: 'DELETE',
  path: '/api/svc/glossary/:plural/:record',
}

export const listAssetsOf: Operation<
  { readonly path: { readonly project: number }; readonly query: { readonly name: string } },
  readonly { readonly id: number; readonly name: string }[]
> = { method: 'GET', path: '/api/svc/metadata/projects/:project/assets' }
