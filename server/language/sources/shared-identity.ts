import type { Nothing, OnlyKeys } from '../project/counted.ts'
import type { SourceOptions } from '../schema/definition.ts'

/**
 * Returns the shared keys that count for identity. The secret, the request rate and
 * what becomes of earlier rows do not affect the data.
 */
export function sharedIdentity<T extends SourceOptions>(given: OnlyKeys<T, SourceOptions>) {
  const options: SourceOptions = given
  const { credentials: _credentials, limits: _limits, onChange: _onChange, ...others } = options
  const { write, incremental, primaryKey, include, exclude, mask, naming, nested, ...forgotten } = others
  forgotten satisfies Nothing
  const masked = Object.keys(mask).length === 0 ? {} : { mask }
  const whole = { write, primaryKey, include, exclude, ...masked, naming, nested }
  if (incremental === undefined) return whole
  // How far a load reaches back, and in which steps the source is asked, is no part of what the table holds.
  const { cursor, start, lagMs: _lagMs, order: _order, window: _window, ...rest } = incremental
  rest satisfies Nothing
  return { ...whole, incremental: { cursor, ...(start !== undefined && { start }) } }
}
