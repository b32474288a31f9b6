/** What a rename comes to: edits with what each is for, files to be renamed, or the reason why there is none. */

import type { TextEdit } from '../../text/diagnostic.ts'
import type { Range } from '../../text/range.ts'

export interface Renaming {
  readonly edits: readonly RenameEdit[]
  /** `required`: the asset has its name from its file, so that without this nothing is renamed. */
  readonly files: readonly { readonly from: string; readonly to: string; readonly required: boolean }[]
  /** By the id that edits carry. */
  readonly annotations: readonly RenameAnnotation[]
}

export interface RenameEdit extends TextEdit {
  /** Undefined: of the file in which the rename was asked for. */
  readonly annotation: string | undefined
}

/** Edits that a preview shows together: those of one other file. */
export interface RenameAnnotation {
  readonly id: string
  readonly label: string
  readonly description: string
  readonly needsConfirmation: boolean
}

export interface Refusal {
  /** What is in the way, in one clause. */
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
 * The edits of all files with annotations for those that are not `home`: what a preview says of them. None of them needs
 * a confirmation: an editor leaves out what does until somebody ticks it, and a rename that leaves out a reader breaks it.
 */
export function renaming(
  home: string,
  edits: readonly TextEdit[],
  describe: (path: string) => string,
  files: Renaming['files'] = [],
): Renaming {
  const others = [...new Set(edits.map(edit => edit.path))].filter(path => path !== home)
  return {
    edits: withoutTwins(edits).map(edit => ({
      ...edit,
      annotation: edit.path === home ? undefined : edit.path,
    })),
    files,
    annotations: others.map(path => ({
      id: path,
      label: path,
      description: describe(path),
      needsConfirmation: false,
    })),
  }
}

/** Two features of a file may name one place. */
function withoutTwins(edits: readonly TextEdit[]): readonly TextEdit[] {
  const seen = new Set<string>()
  return edits.filter(({ path, range, newText }) => {
    const key = `${path}\0${range.start}\0${range.end}\0${newText}`
    return seen.has(key) ? false : seen.add(key) !== undefined
  })
}
