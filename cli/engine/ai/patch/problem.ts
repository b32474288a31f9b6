/** A reason why a patch is refused, or a check that it weakens: what, where, and what to do. */

/** A refusal or a warning about a patch. */
export interface PatchRefusal {
  readonly code: string
  /** The file; undefined for the patch as a whole. */
  readonly path: string | undefined
  /** A JSON Pointer into the file or the patch, or `path:line:column` in the file as it would be. */
  readonly place: string | undefined
  readonly message: string
  readonly hint: string | undefined
}

export function refusal(
  code: string,
  { path, place, message, hint }: Partial<Omit<PatchRefusal, 'code'>> & { readonly message: string },
): PatchRefusal {
  return { code, path, place, message, hint }
}
