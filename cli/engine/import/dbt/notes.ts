/** What the report says: everything of the dbt project that did not come over as it was, with its place. */
import { lineIndex } from '@svc/server/language'
import { JinjaProblem, type Site, type Template } from '../jinja/problem.ts'

/**
 * `todo`: it did not come over and has to be done by hand; `changed`: it came over and is different from dbt;
 * `left_out`: it has no counterpart, and no rows or tests depend on it.
 */
export type NoteLevel = 'todo' | 'changed' | 'left_out'

export interface Note {
  readonly level: NoteLevel
  /** Relative to the dbt project. */
  readonly path: string
  readonly line: number
  readonly column: number
  readonly message: string
  readonly hint: string | null
  /** The asset that it is about. */
  readonly asset: string | null
}

export interface NoteDetails {
  readonly hint?: string | undefined
  readonly asset?: string | undefined
}

export class Notes {
  readonly #notes = new Map<string, Note>()

  add(level: NoteLevel, site: Site, message: string, { hint, asset }: NoteDetails = {}): void {
    const { path, text } = site.template
    const { line, column } = lineIndex(text).position(site.at)
    const note = { level, path, line, column, message, hint: hint ?? null, asset: asset ?? null }
    this.#notes.set(JSON.stringify([path, line, column, message, asset]), note)
  }

  /** Adds what is wrong with a template, as something that has to be done by hand. */
  problem(problem: JinjaProblem, subject: string, fallbackHint: string, asset?: string): void {
    const { site, hint } = problem
    this.add('todo', site, `${subject}: ${problem.message}`, { hint: hint ?? fallbackHint, asset })
  }

  /** In order of place. */
  all(): readonly Note[] {
    return [...this.#notes.values()].sort(
      (a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) || a.line - b.line || a.column - b.column,
    )
  }
}

/** Runs something that may meet a broken template; other errors are passed on. */
export function orProblem<T>(run: () => T, onProblem: (problem: JinjaProblem) => void): T | undefined {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof JinjaProblem)) throw error
    onProblem(error)
    return undefined
  }
}

/** The beginning of a file. */
export function startOf(template: Template): Site {
  return { template, at: 0 }
}
