/**
 * Applies the operations of a patch to a YAML text. `fast-json-patch` says what the values become; they are
 * then brought into the tree of the text, node by node, so that everything else keeps its comments and its
 * layout.
 */

import { isDeepStrictEqual } from 'node:util'
import type { PatchOp } from '@svc/server/contract'
import jsonPatch, { type JsonPatchError, type Operation } from 'fast-json-patch'
import { Document, type ParsedNode, parseDocument } from 'yaml'
import { mergeLines } from './merge-lines.ts'
import { type PatchRefusal, refusal } from './problem.ts'
import { reconcile } from './reconcile.ts'

/** The result: the text and its values before and after. */
export interface YamlEdit {
  readonly text: string
  readonly before: unknown
  readonly after: unknown
}

const writing = { lineWidth: 0, minContentWidth: 0, flowCollectionPadding: false } as const
/** As many nodes as aliases may stand for; more is an attack. */
const maxAliasCount = 100

/**
 * `text` is undefined for a new file. `order` has the keys of the whole file as they are usually written.
 */
export function editYaml(
  path: string,
  text: string | undefined,
  ops: readonly PatchOp[],
  order: readonly string[],
): YamlEdit | PatchRefusal {
  if (text === undefined) return newYaml(path, ops)
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n/g, '\n')
  const tree = parseDocument(plain, { merge: false })
  if (tree.errors.length > 0) return brokenYaml(path, ops, tree.errors[0]?.message ?? '')
  try {
    const before: unknown = tree.toJS({ maxAliasCount })
    const after = applied(path, before, ops)
    if (isRefusal(after)) return after
    const written = rewritten(plain, tree, after.value, order)
    if (written === undefined) return withAlias(path)
    return { text: inFormOf(text, written), before, after: after.value }
  } catch (error) {
    // An alias whose anchor is gone, or that stands for too much.
    if (error instanceof ReferenceError) return withAlias(path)
    throw error
  }
}

function rewritten(
  text: string,
  tree: Document.Parsed<ParsedNode>,
  value: unknown,
  order: readonly string[],
): string | undefined {
  const layouts = layoutsFor(text, tree)
  tree.contents = reconcile(tree, tree.contents, value, order) as ParsedNode
  const usual = tree.toString(writing)
  const merged = layouts.map(({ base, layout }) => mergeLines(base, text, tree.toString(layout)))
  return [...merged, usual].find(each => hasValue(each, value))
}

/** The ways in which the library can write the file, the one that is most like the user's first. */
function layoutsFor(text: string, tree: Document.Parsed<ParsedNode>) {
  const lines = new Set(text.split('\n'))
  const layouts = [2, 4].flatMap(indent =>
    [true, false].map(indentSeq => ({ ...writing, indent, indentSeq })),
  )
  return layouts
    .map(layout => {
      const base = tree.toString(layout)
      return { layout, base, others: base.split('\n').filter(line => !lines.has(line)).length }
    })
    .sort((a, b) => a.others - b.others)
}

function hasValue(text: string, value: unknown): boolean {
  const read = parseDocument(text, { merge: false })
  return read.errors.length === 0 && isDeepStrictEqual(read.toJS({ maxAliasCount }), value)
}

/** A file that cannot be read has no places: only the whole of it can be replaced. */
function brokenYaml(path: string, ops: readonly PatchOp[], reason: string): YamlEdit | PatchRefusal {
  const [whole] = ops
  if (ops.length === 1 && whole?.path === '' && (whole.op === 'replace' || whole.op === 'add')) {
    const made = newYaml(path, ops)
    return isRefusal(made) ? made : { ...made, before: undefined }
  }
  return refusal('patch-path', {
    path,
    message: `the file is not YAML, so no place in it can be found: ${reason.split('\n', 1)[0]}`,
    hint: 'Replace the whole file: one operation "replace" with the path "".',
  })
}

function newYaml(path: string, ops: readonly PatchOp[]): YamlEdit | PatchRefusal {
  const after = applied(path, {}, ops)
  if (isRefusal(after)) return after
  const tree = new Document(undefined)
  tree.contents = reconcile(tree, null, after.value, []) as typeof tree.contents
  return { text: tree.toString(writing), before: undefined, after: after.value }
}

// ---------------------------------------------------------------- operations

function applied(
  path: string,
  before: unknown,
  ops: readonly PatchOp[],
): { readonly value: unknown } | PatchRefusal {
  let value = unshared(before)
  for (const [index, op] of ops.entries()) {
    const illegal = [op.path, op.from ?? ''].find(pointer => hasIllegalIndex(value, pointer))
    if (illegal !== undefined) return opRefusal(path, op, index, 'OPERATION_PATH_ILLEGAL_ARRAY_INDEX')
    try {
      value = jsonPatch.applyOperation(value, structuredClone(op) as Operation, true, true).newDocument
    } catch (error) {
      const failed = error as JsonPatchError
      if (typeof failed.name !== 'string' || failed.operation === undefined) throw error
      return opRefusal(path, op, index, failed.name)
    }
  }
  return { value }
}

/** RFC 6901 knows no leading zeros; `fast-json-patch` does. */
function hasIllegalIndex(value: unknown, pointer: string): boolean {
  let at = value
  for (const step of pointer.split('/').slice(1)) {
    if (Array.isArray(at) && !/^(?:-|0|[1-9]\d*)$/.test(step)) return true
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    at = typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[key] : undefined
  }
  return false
}

/** A copy in which an alias has a value of its own: an operation changes one place. */
function unshared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unshared)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, unshared(each)]))
}

function opRefusal(path: string, op: PatchOp, index: number, reason: string): PatchRefusal {
  const place = op.path
  if (reason === 'TEST_OPERATION_FAILED') {
    const message = `operation ${index + 1}: the value is not the one that the patch tests for`
    return refusal('patch-test', {
      path,
      place,
      message,
      hint: 'Make the patch anew from the file as it is.',
    })
  }
  const known: Readonly<Record<string, string>> = {
    OPERATION_PATH_UNRESOLVABLE: 'there is nothing at this path',
    OPERATION_FROM_UNRESOLVABLE: `there is nothing at "${op.from ?? ''}"`,
    OPERATION_PATH_CANNOT_ADD: 'the place above this path is no mapping or list',
    OPERATION_PATH_ILLEGAL_ARRAY_INDEX: 'an item of a list is a number, or - for the end',
    OPERATION_VALUE_OUT_OF_BOUNDS: 'the list is shorter',
  }
  const message = `operation ${index + 1} (${op.op}): ${known[reason] ?? 'it cannot be applied'}`
  return refusal('patch-path', { path, place, message, hint: 'A path is a JSON Pointer into the YAML file.' })
}

function withAlias(path: string): PatchRefusal {
  return refusal('patch-path', {
    path,
    message: 'the patch changes a value that YAML anchors or aliases share',
    hint: 'Edit the file by hand: one change would have several effects.',
  })
}

export function isRefusal(value: object): value is PatchRefusal {
  return 'code' in value && 'message' in value
}

/** Gives the text the byte order mark and the ends of lines of the original. */
function inFormOf(original: string, text: string): string {
  const lines = /\r\n/.test(original) ? text.replace(/\n/g, '\r\n') : text
  return original.startsWith('\uFEFF') ? `\uFEFF${lines}` : lines
}
