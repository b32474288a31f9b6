/** What is wrong with a template, and where. */

export interface Template {
  readonly path: string
  readonly text: string
}

/** A place in a template. */
export interface Site {
  readonly template: Template
  readonly at: number
}

/** What many problems have in common: without the names of one of them, and where it is put right if that is elsewhere. */
export interface SharedCause {
  readonly message: string
  readonly site?: Site | undefined
}

export class JinjaProblem extends Error {
  readonly site: Site
  readonly hint: string | undefined
  readonly shared: SharedCause
  /** Where the outermost template called the macro that the problem is in. */
  calledAt: Site | undefined

  constructor(message: string, site: Site, hint?: string, shared: SharedCause = { message }) {
    super(message)
    this.name = 'JinjaProblem'
    this.site = site
    this.hint = hint
    this.shared = shared
  }
}

/** What a function, a filter or a method says against its arguments; who calls it adds the place. */
export class CallProblem extends Error {
  readonly hint: string | undefined
  readonly shared: SharedCause

  constructor(message: string, hint?: string, shared: SharedCause = { message }) {
    super(message)
    this.name = 'CallProblem'
    this.hint = hint
    this.shared = shared
  }
}
