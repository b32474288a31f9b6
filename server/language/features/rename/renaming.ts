/** The result of a rename: edits with annotations and files to rename, or the reason for a refusal. */

import { uniqueBy } from '../../lists.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import type { Range } from '../../text/range.ts'

export interface Renaming {
  readonly edits: readonly RenameEdit[]
  /**
   * `required` means that the asset has its name from its file, so that the rename has no effect without
   * this.
   */
  readonly files: readonly { readonly from: string; readonly to: string; readonly required: boolean }[]
  /** The annotations by the id that edits refer to. */
  readonly annotations: readonly RenameAnnotation[]
}

export interface RenameEdit extends TextEdit {
  /** Undefined for edits of the file where the rename was requested. */
  readonly annotation: string | undefined
}

/** The edits of one other file, which a preview shows together. */
export interface RenameAnnotation {
  readonly id: string
  readonly label: string
  readonly description: string
}

export interface Refusal {
  /** The reason in one clause. */
  readonly refusal: string
}

export interface Prepared {
  readonly range: Range
  readonly placeholder: string
}

export function refuse(refusal: string): Refusal {
  return { refusal }
}

/**
 * Combines the edits of all files, with annotations for those other than `home` that a preview shows.
 */
export function renaming(
  home: string,
  edits: readonly TextEdit[],
  describe: (path: string) => string,
  files: Renaming['files'] = [],
): Renaming {
  const others = [...new Set(edits.map(edit => edit.path))].filter(path => path !== home)
  return {
    // Two parts of a rename may find the same place.
    edits: uniqueBy(edits, keyOf).map(edit => ({
      ...edit,
      annotation: edit.path === home ? undefined : edit.path,
    })),
    files,
    annotations: others.map(path => ({
      id: path,
      label: path,
      description: describe(path),
    })),
  }
}

function keyOf({ path, range, newText }: TextEdit): string {
  return `${path}\0${range.start}\0${range.end}\0${newText}`
}
