/**
 * Thrown if the file system fails while a project is read: the CLI reports it (`file-failed`), the editor
 * logs it.
 */
export class FileFailure extends Error {
  /** The advice in one sentence. */
  readonly hint: string

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'FileFailure'
    this.hint = hint
  }
}
