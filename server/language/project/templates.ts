/** All SQL of an asset that may have template tags: of its transform, its `sql` tests, and around its build. */
import type { SqlTemplate } from '../syntax/template.ts'
import type { Asset } from './project.ts'

export function templatesOf(asset: Asset): readonly SqlTemplate[] {
  return [...builtTemplates(asset), ...asset.testSql.values()]
}

/** Those that count for what is built. */
export function builtTemplates({ sql, hooks }: Asset): readonly SqlTemplate[] {
  return [...(sql === undefined ? [] : [sql]), ...hooks.map(({ template }) => template)]
}
