/**
 * Edits `glossary.yaml` and keeps everything else, including comments and layout. Text in, text out; the
 * caller must check whether a change is allowed (unique names, an asset that exists).
 */

import { nodeAt } from '../project/locate.ts'
import { addBlock, addEntry, addItem, type YamlEdit, yamlScalar } from '../project/yaml-edits.ts'
import { parseYaml } from '../syntax/yaml.ts'
import type { Term, TermLink } from './glossary.ts'

/** A key and its value. */
type Pair = readonly [string, string]

export type NewTerm = Pick<Term, 'id' | 'name' | 'description'>
export type NewLink = Pick<TermLink, 'term' | 'asset' | 'column' | 'role'>

/** Adds a term. `text` is undefined if there is no file yet. */
export function withTerm(text: string | undefined, { id, name, description }: NewTerm): string {
  const pairs: Pair[] = [
    ['name', name],
    ['id', id],
  ]
  if (description !== '') pairs.push(['description', description])
  return withItem(text ?? '', 'terms', pairs, [])
}

export function withLink(text: string, { term, asset, column, role }: NewLink): string {
  const pairs: Pair[] = [
    ['term', term],
    ['asset', asset],
  ]
  if (column !== undefined) pairs.push(['column', column])
  if (role !== undefined) pairs.push(['role', role])
  return withItem(text, 'links', pairs, ['terms', 'metrics', 'dimensions', 'policies'])
}

/** Changes the role of the link at `index` of the file's list. */
export function withRole(text: string, index: number, role: NonNullable<TermLink['role']>): string {
  const file = { text, tree: parseYaml(text).root }
  const node = nodeAt(file.tree, ['links', index, 'role'])
  const edit =
    node?.kind === 'scalar'
      ? { range: node.range, newText: role }
      : addEntry(file, ['links', index], 'role', role)
  return edit === undefined ? text : applied(text, edit)
}

function withItem(text: string, list: string, pairs: readonly Pair[], above: readonly string[]): string {
  const file = { text, tree: parseYaml(text).root }
  const lines = pairs.map(([key, value]) => `${key}: ${yamlScalar(value)}`)
  const flow = `{${pairs.map(([key, value]) => `${key}: ${yamlFlowScalar(value)}`).join(', ')}}`
  // A link is written as a flow mapping, a term in lines, as people write them.
  const written = list === 'links' ? [flow] : lines
  const item = addItem(file, [list], flow, written)
  const block = [`${list}:`, ...written.map((line, index) => `${index === 0 ? '  - ' : '    '}${line}`)]
  return applied(text, item ?? addBlock(file, block, above))
}

/** Quotes a plain scalar for a flow mapping, where a comma would end it. */
function yamlFlowScalar(value: string): string {
  const written = yamlScalar(value)
  return /[,[\]{}]/.test(value) && !written.startsWith('"') ? JSON.stringify(value) : written
}

function applied(text: string, { range, newText }: YamlEdit): string {
  return text.slice(0, range.start) + newText + text.slice(range.end)
}
