/** Checks that the term and the asset of a link exist, and are in the same project. */
import { invalid } from '../http/index.ts'
import type { Queries } from '../storage/index.ts'
import type { Kind } from './kind.ts'
import type { Content } from './record.ts'

/** @throws Problem `invalid`; an asset of another project is reported as one that does not exist */
export async function requireLinkTargets(
  queries: Queries,
  kind: Kind,
  project: number,
  content: Content,
): Promise<void> {
  if (kind.name !== 'link') return
  const targets = await Promise.all([
    queries.first('select id from term where id = ? and project_id = ? and deleted_at is null', [
      Number(content['term']),
      project,
    ]),
    queries.first('select id from asset where id = ? and project_id = ?', [
      Number(content['asset']),
      project,
    ]),
  ])
  const missing = ['term', 'asset'].filter((_, index) => targets[index] === undefined)
  if (missing.length === 0) return
  throw invalid(
    missing.map(name => ({
      pointer: `/${name}`,
      code: 'not_found',
      detail: `Project ${project} has no ${name} ${content[name]}.`,
    })),
  )
}
