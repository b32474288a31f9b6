/**
 * A patch of a project's files, as a language model or an agent proposes it, and what `svc ai apply` says
 * about it. The operations are those of JSON Patch (RFC 6902); `path` is a JSON Pointer into the YAML file.
 */
import {
  always,
  anything,
  document,
  hash,
  list,
  nullable,
  object,
  oneOf,
  optional,
  type Shape,
  text,
} from './schema.ts'

const PatchOp = object({
  op: oneOf('add', 'remove', 'replace', 'move', 'copy', 'test'),
  path: text,
  /** Of `move` and `copy`. */
  from: optional(text),
  /** Of `add`, `replace` and `test`. */
  value: optional(anything),
})
export type PatchOp = Shape<typeof PatchOp>

const PatchFile = object({
  /** Relative to the project's root, with forward slashes: an asset file or `glossary.yaml`. */
  path: text,
  /** The SHA-256 of the file's bytes, on which the operations are based; null for a new file. */
  base_sha256: nullable(hash),
  ops: list(PatchOp),
})
export type PatchFile = Shape<typeof PatchFile>

const Patch = object({ version: always(1), files: list(PatchFile) })
export type Patch = Shape<typeof Patch>
export const aiPatchSchema = document('A patch for svc ai apply', Patch)

const PatchProblem = object({
  code: text,
  /** Null for a problem of the patch as a whole. */
  path: nullable(text),
  /** A JSON Pointer into the file or the patch, or `path:line:column` of the file as it would be. */
  place: nullable(text),
  message: text,
  hint: nullable(text),
})
export type PatchProblem = Shape<typeof PatchProblem>

export const aiApplySchema = document(
  'svc ai apply --json',
  object({
    /**
     * `refused`: the patch is not safe or not right. `unconfirmed`: a weakened check was not agreed to. `failed`: a file cannot be
     * written, and every file is as it was.
     */
    status: oneOf('applied', 'checked', 'refused', 'unconfirmed', 'failed'),
    files: list(
      object({
        path: text,
        /** `ready`: right, but nothing was written. */
        status: oneOf('created', 'changed', 'unchanged', 'ready', 'failed'),
        before_sha256: nullable(hash),
        /** The hash that the file has or would have; null if the patch never came that far. */
        after_sha256: nullable(hash),
        /** A unified diff without secrets; empty if the patch never came that far. */
        diff: text,
      }),
    ),
    /** Why it is refused, or what failed when it was written. */
    refusals: list(PatchProblem),
    /** Checks that the patch removes or weakens; each needs a yes. */
    weakened: list(PatchProblem),
  }),
)
