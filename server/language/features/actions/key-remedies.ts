/** What mends problems of keys and values: missing, twice, unknown, of the wrong kind, without a unit. */
import { nodeAt } from '../../project/locate.ts'
import type { Asset } from '../../project/project.ts'
import { addBlock, addEntry, isFlow, removeAt, removePart } from '../../project/yaml-edits.ts'
import { toSnakeCase } from '../../source/snake-case.ts'
import type { MapNode, Node, NodePath, ScalarNode } from '../../syntax/node.ts'
import { type Problem, type Remedy, remedy } from './code-action.ts'
import { skeletonRemedies, tabRemedies } from './file-remedies.ts'
import { pathAt } from './path-at.ts'

type Remedies = (problem: Problem) => readonly Remedy[]

function treeOf({ knowledge, path }: Problem): Node | undefined {
  const { settings, glossary, assets } = knowledge.project
  if (path === 'svc.yaml') return settings.file?.tree
  return path === 'glossary.yaml' ? glossary.file?.tree : assets.get(path)?.tree
}

export const keyRemedies: Readonly<Record<string, Remedies>> = {
  'duplicate-key': problem => {
    const file = { text: problem.text, tree: treeOf(problem) }
    const { start } = problem.diagnostic.range
    const found = mapWithKeyAt(file.tree, start)
    if (found === undefined) return []
    const index = found.entries.findIndex(entry => entry.key.range.start === start)
    return remedy('Remove the second one', problem.path, removePart(file, found, index))
  },
  'not-built-yet': notBuiltYet,
  'unknown-key': problem => removeKey(problem, `Remove "${written(problem)}"`),
  'missing-key': missingKey,
  'yaml-syntax': tabRemedies,
  'wrong-type': wrongType,
  'invalid-duration': problem =>
    /^\d+(\.\d+)?$/.test(written(problem))
      ? [
          ['s', 'seconds'],
          ['m', 'minutes'],
          ['h', 'hours'],
          ['d', 'days'],
        ].flatMap(([unit, name]) =>
          replaced(problem, `${written(problem)}${unit}`, `${written(problem)} ${name}`),
        )
      : [],
  'invalid-name': problem => {
    const name = toSnakeCase(written(problem).replace(/^["']|["']$/g, '')).replace(/^(?=\d)/, '_')
    return /^[A-Za-z_]\w*$/.test(name) ? replaced(problem, name, `Change to "${name}"`) : []
  },
  'unquoted-template': problem => {
    const { start } = problem.diagnostic.range
    const end = problem.text.slice(start).search(/[ \t]*(#[^\r\n]*)?(\r|\n|$)/)
    const value = problem.text.slice(start, start + end)
    const quoted = value.includes('"')
      ? `'${value.replaceAll("'", "''")}'`
      : `"${value.replaceAll('\\', '\\\\')}"`
    return remedy('Put it in quotes', problem.path, { range: { start, end: start + end }, newText: quoted })
  },
  'unclosed-tag': problem => {
    const { start, end } = problem.diagnostic.range
    const tag = /^\{\{\s*(\w+(\s*\([^()\r\n]*\))?)?/.exec(problem.text.slice(start, end))?.[0] ?? ''
    if (tag.trim() === '{{') return []
    const at = start + tag.trimEnd().length
    return remedy('Close the tag', problem.path, { range: { start: at, end: at }, newText: ' }}' })
  },
  'yaml-tag': problem => {
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
  },
}

function written({ text, diagnostic: { range } }: Problem): string {
  return text.slice(range.start, range.end)
}

function replaced(problem: Problem, newText: string, title: string): readonly Remedy[] {
  return remedy(title, problem.path, { range: problem.diagnostic.range, newText })
}

function removeKey(problem: Problem, title: string): readonly Remedy[] {
  const file = { text: problem.text, tree: treeOf(problem) }
  const path = pathAt(file.tree, problem.diagnostic.range.start)
  const node = nodeAt(file.tree, path.slice(0, -1))
  // Only where it is the key itself that is wrong, and something is left without it.
  const isKey =
    node?.kind === 'map' &&
    node.entries.some(entry => entry.key.range.start === problem.diagnostic.range.start)
  return !isKey || node.entries.length < 2 ? [] : remedy(title, problem.path, removeAt(file, path))
}

/** The key goes, or the value becomes one that there is; what a source or a transform is to be only the user knows. */
function notBuiltYet(problem: Problem): readonly Remedy[] {
  const file = { text: problem.text, tree: treeOf(problem) }
  const { range, hint = '' } = problem.diagnostic
  const path = pathAt(file.tree, range.start)
  const isValue = scalarAt(file.tree, range.start)?.range.start === range.start
  const isNeeded =
    (path[0] === 'ingest' && path.at(-1) === 'type') || (path[0] === 'transform' && path.length < 3)
  if (isNeeded) return removeKey(problem, 'Remove it')
  const allowed = /^Allowed: (.+)\.$/.exec(hint)?.[1]?.split(', ') ?? []
  const changes = isValue ? allowed.flatMap(value => replaced(problem, value, `Change to "${value}"`)) : []
  // A test goes as a whole.
  const whole = path[0] === 'tests' ? path.slice(0, 2) : path
  return [...changes, ...remedy('Remove it', problem.path, removeAt(file, whole))]
}

function mapWithKeyAt(node: Node | undefined, offset: number): MapNode | undefined {
  if (node === undefined || node.kind === 'scalar') return undefined
  if (node.kind === 'map' && node.entries.some(entry => entry.key.range.start === offset)) return node
  const children = node.kind === 'map' ? node.entries.map(entry => entry.value) : node.items
  for (const child of children) {
    const found = mapWithKeyAt(child, offset)
    if (found !== undefined) return found
  }
  return undefined
}

// ---------------------------------------------------------------- missing keys

/** Values that are right wherever the key is missing; others only the user knows. */
const skeletons: Readonly<Record<string, string>> = {
  'exposures.type': 'dashboard',
  'exposures.name': 'unnamed',
}

function missingKey(problem: Problem): readonly Remedy[] {
  const { message } = problem.diagnostic
  const asset = problem.knowledge.project.assets.get(problem.path)
  if (asset !== undefined && isEmptyAsset(asset)) return skeletonRemedies(problem, emptyFrom(asset))
  const top = /^"(\w+)" is missing$/.exec(message)?.[1]
  if (asset !== undefined && top !== undefined) return missingBlock(problem, asset, top)
  const [, at = '', key = ''] = /^"([^"]+)" has no "(\w+)"$/.exec(message) ?? []
  const value = skeletons[`${at.replace(/\[\d+\]/g, '')}.${key}`]
  const path = at
    .split(/[.[\]]+/)
    .filter(step => step !== '')
    .map(step => (/^\d+$/.test(step) ? Number(step) : step))
  const file = { text: problem.text, tree: treeOf(problem) }
  if (value === undefined) return []
  return remedy(`Add ${key}: ${value}`, problem.path, addEntry(file, path, key, value))
}

function isEmptyAsset({ tree }: Asset): boolean {
  if (tree === undefined) return true
  return tree.kind === 'map' ? tree.entries.length === 0 : tree.kind === 'scalar' && tree.value === null
}

/** `{}` gives way; a comment stays. */
function emptyFrom({ tree, text }: Asset): number {
  return tree?.kind === 'map' ? tree.range.start : text.length
}

function missingBlock(problem: Problem, asset: Asset, key: string): readonly Remedy[] {
  const lines = blockLines(asset, key)
  const before = {
    name: [],
    ingest: ['name', 'description', 'owner', 'tags'],
    transform: ['name', 'description', 'owner', 'tags', 'ingest', 'contract'],
  }[key]
  if (lines === undefined || before === undefined) return []
  const { tree } = asset
  if (tree !== undefined && isFlow(asset, tree)) return []
  return remedy(`Add the block "${key}"`, problem.path, addBlock(asset, lines, before))
}

function blockLines(asset: Asset, key: string): readonly string[] | undefined {
  if (key === 'name') return /^[A-Za-z_]\w*$/.test(asset.name) ? [`name: ${asset.name}`] : undefined
  if (key === 'ingest')
    return asset.sql?.tags.some(tag => tag.kind === 'source') === true ? undefined : ['ingest: none']
  if (key !== 'transform') return undefined
  return asset.definition.ingest.type === 'none'
    ? ['transform: |', '  SELECT 1 AS id']
    : ['transform: |', '  SELECT *', '  FROM {{ source }}']
}

// ---------------------------------------------------------------- values of the wrong kind

/** `must be text, not a number`: quotes; `must be a number, not text`: none; `must be a list`: brackets. */
function wrongType(problem: Problem): readonly Remedy[] {
  const { message, range } = problem.diagnostic
  const node = scalarAt(treeOf(problem), problem.diagnostic.range.start)
  if (node === undefined) return []
  const wanted = /must be (.+), not/.exec(message)?.[1] ?? ''
  const body = problem.text.slice(node.bodyRange.start, node.bodyRange.end)
  if (wanted === 'text' && node.style === 'plain' && node.value !== null)
    return remedy('Put it in quotes', problem.path, { range, newText: JSON.stringify(body) })
  if (
    /^a (whole )?number$/.test(wanted) &&
    typeof node.value === 'string' &&
    /^-?\d+(\.\d+)?$/.test(node.value.trim())
  )
    return remedy('Take it out of the quotes', problem.path, { range, newText: node.value.trim() })
  const meant = {
    true: 'true',
    yes: 'true',
    on: 'true',
    y: 'true',
    false: 'false',
    no: 'false',
    off: 'false',
    n: 'false',
  }[String(node.value).trim().toLowerCase()]
  if (wanted === 'true or false' && meant !== undefined)
    return remedy(`Change to ${meant}`, problem.path, { range, newText: meant })
  if (wanted === 'a list' && node.style !== 'literal' && node.style !== 'folded')
    return remedy('Make it a list', problem.path, {
      range,
      newText: `[${problem.text.slice(range.start, range.end)}]`,
    })
  return []
}

function scalarAt(tree: Node | undefined, offset: number): ScalarNode | undefined {
  const node = nodeAt(tree, pathAt(tree, offset) as NodePath)
  return node?.kind === 'scalar' ? node : undefined
}
