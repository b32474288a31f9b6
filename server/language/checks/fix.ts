/**
 * The interface of fixes, and the functions that most of them use. A check defines its fix in its own file.
 */
import type { Knowledge } from '../features/knowledge.ts'
import { glossaryPath } from '../glossary/glossary.ts'
import { nodeAt } from '../project/locate.ts'
import { settingsPath } from '../project/parse-settings.ts'
import { pathAt } from '../project/path-at.ts'
import type { Asset } from '../project/project.ts'
import { removeAt, type YamlText } from '../project/yaml-edits.ts'
import type { TestDefinition } from '../schema/definition.ts'
import type { Node, NodePath } from '../syntax/node.ts'
import type { Diagnostic, TextEdit } from '../text/diagnostic.ts'
import type { Range } from '../text/range.ts'

export interface NewFile {
  readonly path: string
  readonly text: string
}

export interface Remedy {
  readonly title: string
  readonly edits: readonly TextEdit[]
  /** Files to create, with their text. */
  readonly creates?: readonly NewFile[]
}

export interface Problem {
  readonly knowledge: Knowledge
  readonly path: string
  readonly text: string
  readonly diagnostic: Diagnostic
}

/** Makes a remedy; none if `edit` is undefined. */
export function remedy(
  title: string,
  path: string,
  edit: { readonly range: Range; readonly newText: string } | undefined,
): readonly Remedy[] {
  return edit === undefined ? [] : [{ title, edits: [{ path, ...edit }] }]
}

/** Returns the tree of the file that has the problem. */
export function treeOf({ knowledge, path }: Problem): Node | undefined {
  const { settings, glossary, assets } = knowledge.project
  if (path === settingsPath) return settings.file?.tree
  return path === glossaryPath ? glossary.file?.tree : assets.get(path)?.tree
}

/** Returns the text at the problem's range. */
export function written({ text, diagnostic: { range } }: Problem): string {
  return text.slice(range.start, range.end)
}

/** Replaces the text at the problem's range. */
export function replaceHere(problem: Problem, title: string, newText: string): readonly Remedy[] {
  return remedy(title, problem.path, { range: problem.diagnostic.range, newText })
}

/** Removes the entry or item at the problem's range, with the parent if that would be left empty. */
export function removeHere(problem: Problem, asset: YamlText, title: string): readonly Remedy[] {
  const path = shortened(asset.tree, pathAt(asset.tree, problem.diagnostic.range.start))
  return remedy(title, problem.path, removeAt(asset, path))
}

/**
 * Returns the path to remove: a test is removed as a whole, `range: {x: …}` with its sibling keys, and so is a foreign key, whose
 * parts belong together.
 */
function shortened(tree: Node | undefined, path: NodePath): NodePath {
  if (path[1] === 'constraints' && path[2] === 'foreign_keys') return path.slice(0, 4)
  if (path[0] !== 'tests' || path.length < 3) return path
  const body = nodeAt(tree, path.slice(0, 3))
  const isList = body?.kind === 'sequence' && body.items.length > 1 && path.length === 4
  return isList ? path : path.slice(0, 2)
}

export function swap(problem: Problem, asset: Asset, a: Range, b: Range): readonly Remedy[] {
  const { path } = problem
  const edits = [
    { path, range: a, newText: asset.text.slice(b.start, b.end) },
    { path, range: b, newText: asset.text.slice(a.start, a.end) },
  ]
  return [{ title: 'Swap them', edits }]
}

/** Returns whether the name is valid and not taken by another asset. */
export function isFreeName({ knowledge }: Problem, name: string): boolean {
  const taken = [...knowledge.project.assets.values()].some(
    each => each.name.toLowerCase() === name.toLowerCase(),
  )
  return /^[A-Za-z_]\w*$/.test(name) && !taken
}

export function renameTo(problem: Problem, asset: Asset, name: string): readonly Remedy[] {
  const node = nodeAt(asset.tree, ['name'])
  if (node?.kind !== 'scalar') return []
  return remedy(`Call it "${name}"`, problem.path, { range: node.bodyRange, newText: name })
}

/** Returns the test at the problem's range. */
export function testAt(problem: Problem, asset: Asset): TestDefinition | undefined {
  const path = pathAt(asset.tree, problem.diagnostic.range.start)
  return asset.definition.tests.find(test => path[0] === 'tests' && test.index === path[1])
}
