/**
 * The safety layer of a patch: what came from outside is looked at step by step, and nothing is written. A
 * step is only taken when the one before has found nothing to refuse.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assetJsonSchema, glossaryPath, type Project } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { placesToAllow, prefixProblem } from './allowed-places.ts'
import { patchedProject, projectRefusals } from './check-project.ts'
import { editYaml, isRefusal } from './edit-yaml.ts'
import { type PatchFile, parsePatch, patchLimits, readPatch } from './envelope.ts'
import { placeProblem, statOf } from './place.ts'
import { type PatchRefusal, refusal } from './problem.ts'
import { weakenedInAsset, weakenedInGlossary } from './weakened.ts'

export type { PatchRefusal } from './problem.ts'

export interface PatchConsent {
  /** Prefixes of keys that may be changed besides the usual ones: `/ingest/endpoint`. */
  readonly allow: readonly string[]
}

export interface CheckedPatchFile {
  readonly path: string
  /** The text before; undefined for a new file. */
  readonly before: string | undefined
  /** The text as it would be; undefined if the patch never came that far. */
  readonly after: string | undefined
  readonly beforeHash: string | null
  readonly afterHash: string | null
}

export interface PatchVerdict {
  readonly files: readonly CheckedPatchFile[]
  /** Nothing may be applied unless this is empty. */
  readonly refusals: readonly PatchRefusal[]
  /** Checks that the patch removes or weakens: somebody has to agree to them. */
  readonly weakened: readonly PatchRefusal[]
}

/**
 * Checks a patch: a JSON text, or a value as a tool got it. Throws SvcError `wrong-usage` for a prefix that is
 * none, `file-failed`.
 */
export async function checkPatch(
  workspace: Workspace,
  patch: unknown,
  { allow }: PatchConsent,
): Promise<PatchVerdict> {
  const wrong = allow.map(prefixProblem).find(problem => problem !== undefined)
  if (wrong !== undefined) throw new SvcError('wrong-usage', wrong)
  const envelope = typeof patch === 'string' ? parsePatch(patch) : readPatch(patch)
  if ('refusals' in envelope) return { files: [], refusals: envelope.refusals, weakened: [] }
  const { files } = envelope.patch
  const outside = [...placeRefusals(workspace, files), ...twice(files)]
  if (outside.length > 0) return unread(files, outside)
  const read = files.map(file => readBase(workspace.root, file))
  const stale = read.flatMap(({ problem }) => problem ?? [])
  if (stale.length > 0) return unread(files, stale)
  const edits = files.map((file, index) => edited(file, read[index]?.text))
  const failed = edits.flatMap(({ problem }) => problem ?? [])
  if (failed.length > 0) return unread(files, failed)
  return await judged(
    workspace,
    edits.flatMap(({ edit }) => edit ?? []),
    allow,
  )
}

function unread(files: readonly PatchFile[], refusals: readonly PatchRefusal[]): PatchVerdict {
  return {
    files: files.map(({ path, base_sha256 }) => ({
      path,
      before: undefined,
      after: undefined,
      beforeHash: base_sha256,
      afterHash: null,
    })),
    refusals,
    weakened: [],
  }
}

// ---------------------------------------------------------------- places and base

function placeRefusals({ root, project }: Workspace, files: readonly PatchFile[]): PatchRefusal[] {
  return files.flatMap(({ path }) => placeProblem(root, project.settings.models, path) ?? [])
}

/** Names that some file systems take for the same count as the same. */
function twice(files: readonly PatchFile[]): PatchRefusal[] {
  const seen = new Set<string>()
  return files.flatMap(({ path }) => {
    const name = path.normalize('NFKC').toLowerCase()
    if (!seen.has(name)) {
      seen.add(name)
      return []
    }
    const hint = 'Put all operations of a file together.'
    return [refusal('patch-shape', { path, message: 'the patch has this file twice', hint })]
  })
}

interface Base {
  readonly text?: string
  readonly problem?: PatchRefusal
}

function readBase(root: string, { path, base_sha256: base }: PatchFile): Base {
  const full = join(root, path)
  const stat = statOf(full)
  const told = (message: string, hint: string): Base => ({
    problem: refusal('patch-base', { path, message, hint }),
  })
  if (stat === undefined) {
    return base === null ? {} : told('there is no such file', 'For a new file "base_sha256" is null.')
  }
  if (base === null) return told('the file is there already', 'Give the hash of its bytes as "base_sha256".')
  if (stat.size > patchLimits.fileBytes) return told(`the file has ${stat.size} bytes`, 'Edit it by hand.')
  const bytes = bytesOf(full)
  if (typeof bytes === 'string') {
    const hint = 'Check its owner and mode; every file is as it was.'
    return { problem: refusal('file-failed', { path, message: `the file cannot be read (${bytes})`, hint }) }
  }
  if (sha256Of(bytes) !== base) {
    return told('the file is not the one that the patch was made for', 'Make the patch anew from it.')
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return told('the file is no UTF-8 text', 'Convert it first; svc validate shows the place.')
  }
}

/** Returns the code of the system's error where the file cannot be read. */
function bytesOf(full: string): Buffer | string {
  try {
    return readFileSync(full)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code)
    throw error
  }
}

export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

// ---------------------------------------------------------------- the files as they would be

interface EditedFile {
  readonly path: string
  readonly isNew: boolean
  readonly text: string | undefined
  readonly now: string
  readonly before: unknown
  readonly after: unknown
}

function edited(
  { path, ops }: PatchFile,
  text: string | undefined,
): { readonly edit?: EditedFile; readonly problem?: PatchRefusal } {
  const edit = editYaml(path, text, ops, path === glossaryPath ? [] : assetKeys())
  if (isRefusal(edit)) return { problem: edit }
  if (Buffer.byteLength(edit.text) > patchLimits.fileBytes) {
    const message = `the file would be larger than ${patchLimits.fileBytes} bytes`
    return { problem: refusal('patch-too-large', { path, message, hint: 'Put rows into a data file.' }) }
  }
  const { before, after } = edit
  return { edit: { path, isNew: text === undefined, text, now: edit.text, before, after } }
}

/** The keys of an asset in the order in which they are usually written. */
function assetKeys(): readonly string[] {
  const { properties } = assetJsonSchema() as { readonly properties?: Readonly<Record<string, unknown>> }
  return Object.keys(properties ?? {})
}

async function judged(
  workspace: Workspace,
  edits: readonly EditedFile[],
  allow: readonly string[],
): Promise<PatchVerdict> {
  const files = edits.map(({ path, text, now }) => ({
    path,
    before: text,
    after: now,
    beforeHash: text === undefined ? null : sha256Of(text),
    afterHash: sha256Of(now),
  }))
  const consent = edits.flatMap(edit =>
    placesToAllow({ ...edit, isGlossary: edit.path === glossaryPath }, allow),
  )
  const texts = new Map(edits.map(({ path, now }) => [path, now]))
  const changed = patchedProject(workspace.project, texts)
  const weakened = weakenedBy(workspace.project, changed, edits)
  if (consent.length > 0) return { files, refusals: consent, weakened }
  return { files, refusals: await projectRefusals(workspace, changed, texts), weakened }
}

function weakenedBy(project: Project, changed: Project, edits: readonly EditedFile[]): PatchRefusal[] {
  return edits.flatMap(({ path, isNew, before, after }) => {
    if (path === glossaryPath) return weakenedInGlossary(path, project.glossary, changed.glossary)
    const [old, now] = [project.assets.get(path), changed.assets.get(path)]
    if (isNew || old === undefined || now === undefined) return []
    return weakenedInAsset({ old, now, before, after })
  })
}
