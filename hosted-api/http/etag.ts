/**
 * Entity tags (RFC 9110 section 13): `"v3"` is the version of a record, `"p31"` the revision of a project. A version
 * grows with every change that can be seen in the record.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from './problems.ts'

/** `revision`: of a record that shows something of others, which change without a version of it. */
export function versionTag(version: number, revision?: number): string {
  return revision === undefined ? `"v${version}"` : `"v${version}.p${revision}"`
}

/** `form`: another representation at the same address has another tag. */
export function revisionTag(revision: number, form?: string): string {
  return form === undefined ? `"p${revision}"` : `"p${revision}.${form}"`
}

/** True when the client has what it would be sent. */
export function isUnchanged(header: string | undefined, tag: string | undefined): boolean {
  if (header === undefined || tag === undefined) return false
  return header === tag || tagsOf(header).some(each => each === '*' || bare(each) === bare(tag))
}

/**
 * Checks `If-Match` against the version that is about to be changed; called inside the transaction that changes it.
 * @throws Problem `version_mismatch` with the current version
 */
export function requireMatch(headers: IncomingHttpHeaders, version: number): void {
  const header = headers['if-match']
  if (header === undefined) return
  const tag = versionTag(version)
  // A weak tag never matches here: who overwrites has to know what. What it shows of others does not count.
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
