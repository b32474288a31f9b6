/** What refers to a term: links of the glossary, and `columns.<name>.term` in the files of assets. */
import { nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { NodePath } from '../syntax/node.ts'
import type { Range } from '../text/range.ts'
import { type Glossary, glossaryPath, type Term } from './glossary.ts'
import { findTerm } from './terms.ts'

export interface TermReference {
  readonly path: string
  readonly asset: string
  readonly column: string | undefined
  /** The reference as written: identifier, name or synonym. */
  readonly written: string
  /** The scalar, with its quotes. */
  readonly range: Range
  /** What goes when the term goes: the link, or the key `term`. */
  readonly node: NodePath
}

export function termReferences(
  glossary: Glossary,
  assets: Iterable<Pick<Asset, 'name' | 'path' | 'definition' | 'tree'>>,
  term: Term,
): readonly TermReference[] {
  const isIt = (written: string | undefined) => written !== undefined && findTerm(glossary, written) === term
  const links = glossary.links
    .filter(link => isIt(link.term))
    .map(({ asset, column, term: written, index, termRange }): TermReference => {
      const node = nodeAt(glossary.file?.tree, ['links', index, 'term'])
      const range = node?.range ?? termRange
      return { path: glossaryPath, asset, column, written, range, node: ['links', index] }
    })
  const columns = [...assets].flatMap(({ name: asset, path, definition, tree }) =>
    Object.entries(definition.columns).flatMap(([column, { term: written }]): TermReference[] => {
      if (written === undefined || !isIt(written)) return []
      const node = nodeAt(tree, ['columns', column, 'term'])
      if (node === undefined) return []
      return [{ path, asset, column, written, range: node.range, node: ['columns', column, 'term'] }]
    }),
  )
  return [...links, ...columns]
}
