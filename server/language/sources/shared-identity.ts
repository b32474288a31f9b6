import type { Nothing, OnlyKeys } from '../project/counted.ts'
import type { SourceOptions } from '../schema/definition.ts'

/**
 * Returns the shared keys that count for identity. The secret and the request rate do not affect the data.
 */
export function sharedIdentity<T extends SourceOptions>(given: OnlyKeys<T, SourceOptions>) {
  const options: SourceOptions = given
  const { credentials: _credentials, limits: _limits, ...others } = options
  const { write, primaryKey, include, exclude, naming, nested, ...forgotten } = others
  forgotten satisfies Nothing
  return { write, primaryKey, include, exclude, naming, nested }
}
