/** The file system said no while a project was read: the CLI tells it (`file-failed`), the editor logs it. */
export class FileFailure extends Error {
  /** What to do, in one sentence. */
  readonly hint: string

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'FileFailure'
    this.hint = hint
  }
}
