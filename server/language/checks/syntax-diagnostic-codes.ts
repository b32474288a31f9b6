/** Codes of the diagnostics of YAML and of template tags. */

import { removePart } from '../project/yaml-edits.ts'
import type { MapNode, Node } from '../syntax/node.ts'
import { codesOf } from './diagnostic-code.ts'
import { type Problem, type Remedy, remedy, treeOf } from './fix.ts'
import { indentWithSpaces } from './whole-file-fixes.ts'

export const syntaxCodes = codesOf({
  'duplicate-key': { doc: 'A key is written twice in one mapping.', fix: removeSecond },
  'file-too-large': 'The file has more than 8 million characters.',
  'file-passed-over':
    'A file looks as if it belonged to the project and is not read: its name ends in `.SVC`, begins with a dot, or is a link that leads nowhere.',
  'invalid-tag': 'A template tag that svc does not know, or one where none may stand.',
  'link-outside':
    'A file of the project is a link that leads out of its folder, so `svc mcp` and `svc ai` do not read it.',
  'too-many-problems': 'The file has more than 1,000 problems; the others are shown when these are fixed.',
  'not-utf8': 'The file holds bytes that are no UTF-8 text.',
  'unclosed-tag': { doc: 'A template tag is opened with `{{` and never closed with `}}`.', fix: closeTag },
  'unquoted-template': {
    doc: 'A YAML value begins with `{{`, which YAML reads as a mapping: it needs quotes or a block.',
    fix: quoteTemplate,
  },
  'yaml-alias': 'A YAML alias (`*name`) without an anchor, or aliases that unfold to far too much.',
  'yaml-depth': 'YAML nested too deeply to be meant.',
  'yaml-merge': 'A YAML merge key (`<<`), which svc does not read.',
  'yaml-syntax': { doc: 'The file is not YAML.', fix: indentWithSpaces },
  'yaml-tag': { doc: 'A YAML tag (`!name`), which svc does not read.', fix: removeTag },
})

function removeSecond(problem: Problem): readonly Remedy[] {
  const file = { text: problem.text, tree: treeOf(problem) }
  const { start } = problem.diagnostic.range
  const map = mapWithKeyAt(file.tree, start)
  if (map === undefined) return []
  const index = map.entries.findIndex(entry => entry.key.range.start === start)
  return remedy('Remove the second one', problem.path, removePart(file, map, index))
}

function mapWithKeyAt(node: Node | undefined, offset: number): MapNode | undefined {
  if (node === undefined || node.kind === 'scalar') return undefined
  if (node.kind === 'map' && node.entries.some(entry => entry.key.range.start === offset)) return node
  const children = node.kind === 'map' ? node.entries.map(entry => entry.value) : node.items
  for (const child of children) {
    const inner = mapWithKeyAt(child, offset)
    if (inner !== undefined) return inner
  }
  return undefined
}

function quoteTemplate(problem: Problem): readonly Remedy[] {
  const { start } = problem.diagnostic.range
  const end = problem.text.slice(start).search(/[ \t]*(#[^\r\n]*)?(\r|\n|$)/)
  const value = problem.text.slice(start, start + end)
  const quoted = value.includes('"')
    ? `'${value.replaceAll("'", "''")}'`
    : `"${value.replaceAll('\\', '\\\\')}"`
  return remedy('Put it in quotes', problem.path, { range: { start, end: start + end }, newText: quoted })
}

function closeTag(problem: Problem): readonly Remedy[] {
  const { start, end } = problem.diagnostic.range
  const tag = /^\{\{\s*(\w+(\s*\([^()\r\n]*\))?)?/.exec(problem.text.slice(start, end))?.[0] ?? ''
  if (tag.trim() === '{{') return []
  const at = start + tag.trimEnd().length
  return remedy('Close the tag', problem.path, { range: { start: at, end: at }, newText: ' }}' })
}

function removeTag(problem: Problem): readonly Remedy[] {
  const { start } = problem.diagnostic.range
  const before = /![^\s]*\s+$/.exec(problem.text.slice(0, start))
  const after = /^![^\s]*\s+/.exec(problem.text.slice(start))
  if (after !== null)
    return remedy('Remove the tag', problem.path, {
      range: { start, end: start + after[0].length },
      newText: '',
    })
  return before === null
    ? []
    : remedy('Remove the tag', problem.path, { range: { start: before.index, end: start }, newText: '' })
}
