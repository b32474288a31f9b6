/** The interface of a recipe: how a service wants rows, and how it says what became of them. One file a recipe. */
import type { PublishTarget } from '@svc/server/language'
import type { RowOutcome, SpooledRow } from '../destination.ts'

export interface HttpAnswer {
  readonly status: number
  /** The parsed body; undefined if there is none, or it is no JSON. */
  readonly body: unknown
}

export interface RecipeRequest {
  readonly target: PublishTarget
  readonly operation: 'insert' | 'update' | 'delete'
  readonly rows: readonly SpooledRow[]
}

export interface Recipe {
  /** The method of requests that write, and of those that delete. */
  readonly methods: { readonly write: string; readonly remove: string }
  /** Returns the JSON text of the body. */
  body(request: RecipeRequest): string
  /** Returns the outcome of each row; undefined where all were taken. Throws `Refused` where nobody can tell which. */
  outcomes(answer: HttpAnswer, request: RecipeRequest): readonly RowOutcome[] | undefined
}

/** Returns the value at a path such as `error.message` or `data.0.id`. */
export function valueIn(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, step) => {
    if (typeof at !== 'object' || at === null) return undefined
    return (at as Readonly<Record<string, unknown>>)[step]
  }, value)
}

export function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '' || value === false) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
