/** SQL whose columns cannot be followed by their names: what comes out only the warehouse knows. */

import type { Asset } from '../../project/project.ts'
import { scanTemplate } from '../../syntax/scan-template.ts'
import { type SqlToken, sqlTokens } from '../../syntax/sql-tokens.ts'
import type { Knowledge } from '../knowledge.ts'
import { isTransform, type NamedBlock, namedBlocks } from '../names/asset-names.ts'

/** The columns of the asset are not those that its SQL seems to have, or it chooses columns by what they are called. */
export function hidesNames(knowledge: Knowledge, asset: Asset): boolean {
  const blocks = namedBlocks(knowledge, asset)
  return blocks.some(({ block }) => choosesByName(block.text)) || !hasKnownOutput(knowledge, asset, blocks)
}

function hasKnownOutput(knowledge: Knowledge, asset: Asset, blocks: readonly NamedBlock[]): boolean {
  const columns = knowledge.analysis.of(asset.name)?.columns ?? []
  const transform = blocks.find(isTransform)
  if (transform === undefined || columns.length === 0) return true
  const { output } = transform.bound
  return (
    output.length === columns.length &&
    output.every(({ name }, at) => name === '' || name.toLowerCase() === columns[at]?.name.toLowerCase())
  )
}

const matchers = new Set(['like', 'ilike', 'similar', 'glob'])

/** `COLUMNS(…)`, `* LIKE 'x%'`, PIVOT and UNPIVOT. */
function choosesByName(text: string): boolean {
  // Most texts have none of the words.
  if (!/columns\s*\(|pivot|\*\s*(like|ilike|similar|glob)/i.test(text)) return false
  const tokens = sqlTokens(text).filter(token => token.kind !== 'comment')
  const wordAt = (token: SqlToken | undefined): string =>
    token === undefined ? '' : text.slice(token.start, token.end).toLowerCase()
  return tokens.some((token, at) => {
    const [word, next] = [wordAt(token), wordAt(tokens[at + 1])]
    if (token.kind === 'operator') return word === '*' && matchers.has(next)
    return token.kind === 'word' && ((word === 'columns' && next === '(') || /^(un)?pivot$/.test(word))
  })
}

/** A ref to one of `assets` stands where no table was found: what is read of it cannot be told. */
export function missesTable({ block, bound }: NamedBlock, assets: ReadonlySet<string>): boolean {
  const { tags } = scanTemplate(block.text)
  const found = new Set(
    bound.selects.flatMap(({ tables }) => tables.map(({ table }) => table.nameRange.start)),
  )
  return tags.some(tag => tag.kind === 'ref' && assets.has(tag.name) && !found.has(tag.range.start))
}
