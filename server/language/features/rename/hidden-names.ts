/** Detects SQL whose columns cannot be followed by name, because its output is known only at run time. */

import type { Engine } from '../../engines/engine.ts'
import type { SqlToken } from '../../engines/sql-token.ts'
import type { Asset } from '../../project/project.ts'
import { scanTemplate } from '../../syntax/scan-template.ts'
import type { Knowledge } from '../knowledge.ts'
import { isTransform } from '../names/mentions.ts'
import { type BoundBlock, boundBlocks } from '../sql/bound-sql.ts'

/**
 * Returns whether the columns of the asset may differ from those in its SQL, or are selected by their names.
 */
export function hidesNames(knowledge: Knowledge, asset: Asset): boolean {
  const blocks = boundBlocks(knowledge, asset)
  return (
    blocks.some(({ block, engine }) => choosesByName(block.text, engine)) ||
    !hasKnownOutput(knowledge, asset, blocks)
  )
}

function hasKnownOutput(knowledge: Knowledge, asset: Asset, blocks: readonly BoundBlock[]): boolean {
  const columns = knowledge.analysis.of(asset.name)?.columns ?? []
  const transform = blocks.find(isTransform)
  if (transform === undefined || columns.length === 0) return true
  const output = transform.bound.output.columns
  return (
    output.length === columns.length &&
    output.every(
      ({ name, spread }, at) =>
        spread === undefined && (name === '' || name.toLowerCase() === columns[at]?.name.toLowerCase()),
    )
  )
}

const matchers = new Set(['like', 'ilike', 'similar', 'glob'])

/** Returns whether the SQL has `COLUMNS(…)` or `* LIKE 'x%'`. */
function choosesByName(text: string, engine: Engine): boolean {
  // Most texts have none of these words.
  if (!/columns\s*\(|\*\s*(like|ilike|similar|glob)/i.test(text)) return false
  const tokens = engine.tokens(text).filter(token => token.kind !== 'comment')
  const wordAt = (token: SqlToken | undefined): string =>
    token === undefined ? '' : text.slice(token.start, token.end).toLowerCase()
  return tokens.some((token, at) => {
    const [word, next] = [wordAt(token), wordAt(tokens[at + 1])]
    if (token.kind === 'operator') return word === '*' && matchers.has(next)
    return token.kind === 'word' && word === 'columns' && next === '('
  })
}

/**
 * Returns whether a ref to one of `assets` was not resolved to a table, so that its columns cannot be
 * followed.
 */
export function missesTable({ block, bound, engine }: BoundBlock, assets: ReadonlySet<string>): boolean {
  const refs = scanTemplate(block.text, engine).tags.filter(tag => tag.kind === 'ref' && assets.has(tag.name))
  if (refs.length === 0) return false
  const resolved = new Set(
    bound.tables.flatMap(({ node }) => (node.kind === 'tag-table' ? [node.tag.start] : [])),
  )
  // A ref before a dot is a qualifier of a table elsewhere.
  return refs.some(({ range }) => !resolved.has(range.start) && block.text[range.end] !== '.')
}
