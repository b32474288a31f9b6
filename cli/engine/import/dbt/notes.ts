/** What the report says: everything of the dbt project that did not come over as it was, with its place. */
import { lineIndex } from '@svc/server/language'
import { JinjaProblem, type SharedCause, type Site, type Template } from '../jinja/problem.ts'

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
  /** The asset that it is about; null if it is about none or several. */
  readonly asset: string | null
  /** All assets that it is about. */
  readonly assets: readonly string[]
}

export interface NoteDetails {
  readonly hint?: string | undefined
  readonly asset?: string | undefined
}

/** A model or a test that did not come over. */
export interface Lost {
  readonly kind: 'model' | 'test'
  readonly site: Site
  readonly message: string
  readonly hint: string | undefined
  readonly shared: SharedCause
  readonly asset: string | undefined
}

export class Notes {
  readonly #notes = new Map<string, Note>()
  readonly #lost = new Map<string, Lost[]>()

  add(level: NoteLevel, site: Site, message: string, { hint, asset }: NoteDetails = {}): void {
    const key = JSON.stringify([site.template.path, positionOf(site), message, asset])
    const assets = asset === undefined ? [] : [asset]
    this.#notes.set(key, noteOf(level, site, message, hint, assets))
  }

  /** One note at the first place, however many assets it is about. */
  share(level: NoteLevel, site: Site, message: string, { hint, asset }: NoteDetails = {}): void {
    const key = JSON.stringify([level, message, hint])
    const known = this.#notes.get(key)
    const assets = [...new Set([...(known?.assets ?? []), ...(asset === undefined ? [] : [asset])])]
    const first = noteOf(level, site, message, hint, assets)
    this.#notes.set(key, known === undefined ? first : { ...known, asset: first.asset, assets })
  }

  /** Adds what is wrong with a template, as something that has to be done by hand. */
  problem(problem: JinjaProblem, subject: string, fallbackHint: string, asset?: string): void {
    const { site, hint } = problem
    this.add('todo', site, `${subject}: ${problem.message}`, { hint: hint ?? fallbackHint, asset })
  }

  /** Adds what did not come over; what has one cause at one place becomes one note. */
  lost(lost: Lost): void {
    const { template, at } = lost.shared.site ?? lost.site
    const key = JSON.stringify([template.path, at, lost.shared.message, lost.hint])
    this.#lost.set(key, [...(this.#lost.get(key) ?? []), lost])
  }

  /** Whether something did not come over for this cause. */
  isCause(message: string): boolean {
    return [...this.#lost.values()].some(([first]) => first?.shared.message === message)
  }

  /** In order of place. */
  all(): readonly Note[] {
    return [...this.#notes.values(), ...[...this.#lost.values()].map(noteOfLost)].sort(
      (a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) || a.line - b.line || a.column - b.column,
    )
  }
}

function positionOf({ template, at }: Site): { readonly line: number; readonly column: number } {
  const { line, column } = lineIndex(template.text).position(at)
  return { line, column }
}

function noteOf(
  level: NoteLevel,
  site: Site,
  message: string,
  hint: string | undefined,
  assets: readonly string[],
): Note {
  const [first = null, ...others] = assets
  const asset = others.length === 0 ? first : null
  return { level, path: site.template.path, ...positionOf(site), message, hint: hint ?? null, asset, assets }
}

function noteOfLost(all: readonly Lost[]): Note {
  const [first] = all
  if (first === undefined) throw new Error('a note is about something')
  const { site, message, hint, shared } = first
  const assets = [...new Set(all.flatMap(({ asset }) => asset ?? []))]
  if (all.length === 1 && shared.site === undefined) return noteOf('todo', site, message, hint, assets)
  const counted = (['model', 'test'] as const).flatMap(kind => {
    const count = all.filter(each => each.kind === kind).length
    return count === 0 ? [] : [`${count} ${kind}${count === 1 ? '' : 's'}`]
  })
  const what = `${counted.join(' and ')} did not come over: ${shared.message}`
  return noteOf('todo', shared.site ?? site, what, hint, assets)
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
