/**
 * Entity tags (RFC 9110 section 13): `"v3"` is the version of a record, `"p31"` the revision of a project. A
 * version increases with every visible change of the record.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from './problems.ts'

/** `revision` is added for a record that shows parts of others, which change without a new version of it. */
export function versionTag(version: number, revision?: number): string {
  return revision === undefined ? `"v${version}"` : `"v${version}.p${revision}"`
}

/** `form`: another representation at the same address needs another tag. */
export function revisionTag(revision: number, form?: string): string {
  return form === undefined ? `"p${revision}"` : `"p${revision}.${form}"`
}

/** Returns whether the client already has the current answer. */
export function isUnchanged(header: string | undefined, tag: string | undefined): boolean {
  if (header === undefined || tag === undefined) return false
  return header === tag || tagsOf(header).some(each => each === '*' || bare(each) === bare(tag))
}

/**
 * Checks `If-Match` against the current version; call it inside the transaction that changes the record.
 * @throws Problem `version_mismatch` with the current version
 */
export function requireMatch(headers: IncomingHttpHeaders, version: number): void {
  const header = headers['if-match']
  if (header === undefined) return
  const tag = versionTag(version)
  // A weak tag never matches, because overwriting needs an exact version. The revision of related records
  // does not count.
  if (tagsOf(header).some(each => each === '*' || each.replace(/\.p\d+"$/, '"') === tag)) return
  throw new Problem(
    'version_mismatch',
    `The record is at version ${version}: read it again and repeat the change.`,
    {
      members: { current_version: version },
      headers: { ETag: tag },
    },
  )
}

function tagsOf(header: string): readonly string[] {
  return header.split(',').map(each => each.trim())
}

function bare(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}
