/** Thrown where the library of an engine is not installed. Whoever has no project of that engine does without it. */
export class EngineMissing extends Error {
  /** The advice in one sentence. */
  readonly hint: string

  constructor(message: string, hint = 'Install svc again together with its dependencies.') {
    super(message)
    this.name = 'EngineMissing'
    this.hint = hint
  }
}
