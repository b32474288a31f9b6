import type { Nothing, OnlyKeys } from '../project/counted.ts'
import type { SourceOptions } from '../schema/definition.ts'

/** What all kinds of source have that counts. With which secret one is asked, and how fast, changes nothing of what it brings. */
export function sharedIdentity<T extends SourceOptions>(given: OnlyKeys<T, SourceOptions>) {
  const options: SourceOptions = given
  const { credentials: _credentials, limits: _limits, ...others } = options
  const { write, primaryKey, include, exclude, naming, nested, ...forgotten } = others
  forgotten satisfies Nothing
  return { write, primaryKey, include, exclude, naming, nested }
}
