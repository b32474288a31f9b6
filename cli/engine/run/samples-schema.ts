/**
 * The schemas of sample tables: one for each environment of a project, because several of them may share a warehouse. Each table
 * is replaced by the next sample of its asset, and garbage collection deletes them all.
 */
import { createHash } from 'node:crypto'
import { ownPrefix } from './green-schema.ts'

/** The schema of all projects and environments, in which svc made sample tables before. */
export const formerSamplesSchema = `${ownPrefix}samples`

/** A name of a project or an environment may be as long as a schema's, so that it is not part of this one's. */
export function samplesSchema(project: string, stateName: string): string {
  return `${samplesPrefix(project)}${mark(stateName)}`
}

/** How the names of the schemas of a project's sample tables begin. */
export function samplesPrefix(project: string): string {
  return `${formerSamplesSchema}_${mark(project)}_`
}

function mark(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 8)
}
