/** Codes of the diagnostics of keys and values: missing, unknown, of the wrong kind, without a unit. */
import { nodeAt } from '../project/locate.ts'
import { pathAt } from '../project/path-at.ts'
import type { Asset } from '../project/project.ts'
import { addBlock, addEntry, isFlow, removeAt } from '../project/yaml-edits.ts'
import { isTestOption } from '../schema/test-schema.ts'
import { toSnakeCase } from '../source/snake-case.ts'
import type { Node, NodePath, ScalarNode } from '../syntax/node.ts'
import { codesOf } from './diagnostic-code.ts'
import { type Problem, type Remedy, remedy, replaceHere, treeOf, written } from './fix.ts'
import { wholeAsset } from './whole-file-fixes.ts'

export const schemaCodes = codesOf({
  'declaration-not-loaded':
    'A statement of `database/*.sql` does not declare a function or type of the database: it is none, or PostgreSQL refuses it.',
  'defaults-unmatched': { doc: 'A pattern of `defaults` in `svc.yaml` fits no asset.', severity: 'warning' },
  'extension-not-loaded':
    'An extension of the engine that `svc.yaml` names is not loaded: its file is missing or does not fit, it is not installed, or the workspace is not trusted.',
  'invalid-duration': { doc: 'A duration is not written like `90s`, `30m`, `12h` or `7d`.', fix: addUnit },
  'invalid-name': { doc: 'A name that cannot stand in SQL.', fix: validName },
  'missing-key': { doc: 'A required key is missing.', fix: missingKey },
  'not-built-yet': {
    doc: 'A key or value of the language that this version of svc cannot do yet.',
    fix: notBuiltYet,
  },
  'own-test-broken': 'An asset uses a test of `tests/*.sql` whose file has an error.',
  'own-test-syntax':
    'A file in `tests/` is no test: its name, a parameter, a placeholder or its SQL is wrong.',
  'selector-unmatched':
    'A selector in `svc.yaml` selects no asset; a warning where nothing is nearly called so.',
  'unknown-key': {
    doc: 'A key that is not part of the language.',
    fix: problem => [...moveBeside(problem), ...removeKey(problem, `Remove "${written(problem)}"`)],
  },
  'wrong-type': {
    doc: 'A value of the wrong kind, such as a list where a text is expected.',
    fix: wrongType,
  },
  'wrong-value': 'A value that is not allowed, or not written as it has to be.',
})

function addUnit(problem: Problem): readonly Remedy[] {
  const number = written(problem)
  if (!/^\d+(\.\d+)?$/.test(number)) return []
  return ['seconds', 'minutes', 'hours', 'days'].flatMap(unit =>
    replaceHere(problem, `${number} ${unit}`, `${number}${unit[0]}`),
  )
}

function validName(problem: Problem): readonly Remedy[] {
  const name = toSnakeCase(written(problem).replace(/^["']|["']$/g, '')).replace(/^(?=\d)/, '_')
  return /^[A-Za-z_]\w*$/.test(name) ? replaceHere(problem, `Change to "${name}"`, name) : []
}

/** Moves an option of a test out of what its kind takes, to stand beside the kind. */
function moveBeside(problem: Problem): readonly Remedy[] {
  const file = { text: problem.text, tree: treeOf(problem) }
  const path = pathAt(file.tree, problem.diagnostic.range.start)
  const [list, index, kind] = path
  const name = path.at(-1)
  if (path.length < 4 || list !== 'tests' || typeof name !== 'string' || !isTestOption(name)) return []
  const value = nodeAt(file.tree, path)
  const test = nodeAt(file.tree, [list, index ?? 0])
  const isTaken = test?.kind === 'map' && test.entries.some(({ key }) => key.value === name)
  if (value === undefined || isTaken || (value.kind !== 'scalar' && !isFlow(file, value))) return []
  const text = problem.text.slice(value.range.start, value.range.end)
  const edits = [removeAt(file, path), addEntry(file, [list, index ?? 0], name, text)]
  const title = `Move "${name}" beside "${kind}"`
  return edits.every(edit => edit !== undefined)
    ? [{ title, edits: edits.map(edit => ({ path: problem.path, ...edit })) }]
    : []
}

function removeKey(problem: Problem, title: string): readonly Remedy[] {
  const file = { text: problem.text, tree: treeOf(problem) }
  const path = pathAt(file.tree, problem.diagnostic.range.start)
  const node = nodeAt(file.tree, path.slice(0, -1))
  // Offers this only if the key itself is wrong and other keys are left.
  const isKey =
    node?.kind === 'map' &&
    node.entries.some(entry => entry.key.range.start === problem.diagnostic.range.start)
  return !isKey || node.entries.length < 2 ? [] : remedy(title, problem.path, removeAt(file, path))
}

/** Removes the key or offers an existing value. For a source or a transform only the user knows the value. */
function notBuiltYet(problem: Problem): readonly Remedy[] {
  const file = { text: problem.text, tree: treeOf(problem) }
  const { range, facts } = problem.diagnostic
  const path = pathAt(file.tree, range.start)
  const isValue = scalarAt(file.tree, range.start)?.range.start === range.start
  const isNeeded =
    (path[0] === 'ingest' && path.at(-1) === 'type') || (path[0] === 'transform' && path.length < 3)
  if (isNeeded) return removeKey(problem, 'Remove it')
  const allowed = Array.isArray(facts?.['allowed']) ? facts['allowed'] : []
  const changes = isValue ? allowed.flatMap(value => replaceHere(problem, `Change to "${value}"`, value)) : []
  // A test is removed as a whole.
  const whole = path[0] === 'tests' ? path.slice(0, 2) : path
  return [...changes, ...remedy('Remove it', problem.path, removeAt(file, whole))]
}

// ---------------------------------------------------------------- missing keys

/** Defaults that are right wherever the key is missing; other values only the user knows. */
const skeletons: Readonly<Record<string, string>> = {
  'exposures.type': 'dashboard',
  'exposures.name': 'unnamed',
}

function missingKey(problem: Problem): readonly Remedy[] {
  const { at = '', key = '' } = problem.diagnostic.facts ?? {}
  const asset = problem.knowledge.project.assets.get(problem.path)
  if (asset !== undefined && isEmptyAsset(asset)) return wholeAsset(problem, emptyFrom(asset))
  if (typeof at !== 'string' || typeof key !== 'string') return []
  if (at === '') return asset === undefined ? [] : missingBlock(problem, asset, key)
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

/** Returns the start of the text to replace: `{}` is replaced, a comment stays. */
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

/**
 * Adds quotes for `must be text, not a number`, removes them for `must be a number, not text`, and adds
 * brackets for `must be a list`.
 */
function wrongType(problem: Problem): readonly Remedy[] {
  const { facts, range } = problem.diagnostic
  const node = scalarAt(treeOf(problem), problem.diagnostic.range.start)
  if (node === undefined) return []
  const wanted = String(facts?.['wanted'] ?? '')
  const body = problem.text.slice(node.bodyRange.start, node.bodyRange.end)
  if (wanted === 'text' && node.style === 'plain' && node.value !== null)
    return remedy('Put it in quotes', problem.path, { range, newText: JSON.stringify(body) })
  if (
    /^a (whole )?number$/.test(wanted) &&
    typeof node.value === 'string' &&
    /^-?\d+(\.\d+)?$/.test(node.value.trim())
  )
    return remedy('Take it out of the quotes', problem.path, { range, newText: node.value.trim() })
  const word = String(node.value).trim().toLowerCase()
  const isNo = /^(false|no|off|n)$/.test(word)
  const meant = /^(true|yes|on|y)$/.test(word) ? 'true' : isNo ? 'false' : undefined
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
