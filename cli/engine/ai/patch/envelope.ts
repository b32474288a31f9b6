/** Reads a patch as it came from outside: its form and its size, before anything else is looked at. */
import type { Patch } from '@svc/server/contract'
import { isRecord } from '@svc/server/language'
import { type PatchRefusal, refusal } from './problem.ts'

export type { Patch, PatchFile, PatchOp } from '@svc/server/contract'

/** A person reads the difference of every patch: nobody reads more than this. */
export const patchLimits = {
  /** Of the JSON text. */
  bytes: 1_000_000,
  files: 50,
  /** Of one file. */
  ops: 500,
  pathLength: 500,
  pointerLength: 1000,
  /** Nesting of a value. */
  depth: 32,
  /** Of a file, before and after. */
  fileBytes: 2_000_000,
} as const

const opNames = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const
const shapeHint = 'svc schema ai-patch shows the form of a patch.'

export type Envelope = { readonly patch: Patch } | { readonly refusals: readonly PatchRefusal[] }

/** Reads the text of a patch. */
export function parsePatch(text: string): Envelope {
  const bytes = Buffer.byteLength(text)
  if (bytes > patchLimits.bytes) return { refusals: [limit(`${bytes} bytes`, 'bytes')] }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 200) : ''
    return { refusals: [shape('', `the patch is no JSON: ${reason}`)] }
  }
  return readPatch(value)
}

/** Checks the form of a patch; every mistake of its form is told. */
export function readPatch(value: unknown): Envelope {
  if (!isRecord(value)) return { refusals: [shape('', 'a patch is an object with "version" and "files"')] }
  const problems = unknownMembers(value, ['version', 'files'], '')
  if (value['version'] !== 1) problems.push(shape('/version', 'the version of a patch is 1'))
  const files = value['files']
  if (!Array.isArray(files)) return { refusals: [...problems, shape('/files', '"files" is a list')] }
  if (files.length === 0) problems.push(shape('/files', 'the patch has no file'))
  if (files.length > patchLimits.files) return { refusals: [limit(`${files.length} files`, 'files')] }
  for (const [index, file] of files.entries()) problems.push(...fileProblems(file, `/files/${index}`))
  if (problems.length > 0) return { refusals: problems }
  // A patch may never have been a text, such as the argument of a tool.
  const bytes = Buffer.byteLength(JSON.stringify(value))
  if (bytes > patchLimits.bytes) return { refusals: [limit(`${bytes} bytes`, 'bytes')] }
  return { patch: value as unknown as Patch }
}

function fileProblems(file: unknown, at: string): PatchRefusal[] {
  if (!isRecord(file)) return [shape(at, 'a file of a patch is an object')]
  const problems = unknownMembers(file, ['path', 'base_sha256', 'ops'], at)
  if (typeof file['path'] !== 'string') problems.push(shape(`${at}/path`, '"path" is a text'))
  const base = file['base_sha256']
  if (base !== null && !(typeof base === 'string' && /^[0-9a-f]{64}$/.test(base))) {
    const message = '"base_sha256" is the SHA-256 of the file in lower-case hex, or null for a new file'
    problems.push(shape(`${at}/base_sha256`, message))
  }
  const ops = file['ops']
  if (!Array.isArray(ops)) return [...problems, shape(`${at}/ops`, '"ops" is a list of operations')]
  if (ops.length === 0) problems.push(shape(`${at}/ops`, 'there is no operation'))
  if (ops.length > patchLimits.ops) problems.push(limit(`${ops.length} operations in a file`, 'ops'))
  else problems.push(...ops.flatMap((op, index) => opProblems(op, `${at}/ops/${index}`)))
  return problems
}

function opProblems(op: unknown, at: string): PatchRefusal[] {
  if (!isRecord(op)) return [shape(at, 'an operation is an object')]
  const problems = unknownMembers(op, ['op', 'path', 'from', 'value'], at)
  const name = opNames.find(each => each === op['op'])
  if (name === undefined) return [...problems, shape(`${at}/op`, `"op" is one of ${opNames.join(', ')}`)]
  problems.push(...pointerProblems(op['path'], `${at}/path`))
  const hasFrom = name === 'move' || name === 'copy'
  if (hasFrom) problems.push(...pointerProblems(op['from'], `${at}/from`))
  else if (op['from'] !== undefined) problems.push(shape(`${at}/from`, `"${name}" takes no "from"`))
  const hasValue = name === 'add' || name === 'replace' || name === 'test'
  if (hasValue && !Object.hasOwn(op, 'value')) problems.push(shape(at, `"${name}" needs a "value"`))
  if (!hasValue && Object.hasOwn(op, 'value')) problems.push(shape(`${at}/value`, `"${name}" takes no value`))
  if (hasValue && depthOf(op['value']) > patchLimits.depth)
    problems.push(limit('a value that is nested too deep', 'depth'))
  return problems
}

function pointerProblems(pointer: unknown, at: string): PatchRefusal[] {
  const isPointer = typeof pointer === 'string' && /^(?:\/(?:[^/~]|~[01])*)*$/su.test(pointer)
  if (!isPointer) return [shape(at, 'a path is a JSON Pointer, such as /columns/id/description')]
  if (pointer.length > patchLimits.pointerLength) return [limit('a path that is too long', 'pointerLength')]
  const steps = pointer.split('/')
  const forbidden = steps.find(step => ['__proto__', 'constructor', 'prototype'].includes(step))
  return forbidden === undefined ? [] : [shape(at, `a path never goes through "${forbidden}"`)]
}

/** Returns the depth of nesting, or a number above the limit as soon as it is passed. */
function depthOf(value: unknown): number {
  let depth = 0
  let level: unknown[] = [value]
  while (level.length > 0 && depth <= patchLimits.depth) {
    level = level.flatMap(each => (typeof each === 'object' && each !== null ? Object.values(each) : []))
    depth += 1
  }
  return depth
}

function unknownMembers(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  at: string,
): PatchRefusal[] {
  return Object.keys(value)
    .filter(name => !known.includes(name))
    .map(name => shape(at, `nobody knows the member ${JSON.stringify(name.slice(0, 60))} here`))
}

function shape(place: string, message: string): PatchRefusal {
  return refusal('patch-shape', { place: place === '' ? undefined : place, message, hint: shapeHint })
}

function limit(what: string, name: keyof typeof patchLimits): PatchRefusal {
  return refusal('patch-too-large', {
    message: `the patch has ${what}; the limit is ${patchLimits[name]}`,
    hint: 'Split it into smaller ones, each of which somebody can read.',
  })
}
