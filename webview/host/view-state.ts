/**
 * The state that is restored after a reload: less than 10 kB, and never the catalogue. It may come from another version,
 * or be edited, so every field is checked.
 */
import type { ColumnName } from '../protocol.ts'

/** Reads each field; an invalid one gets its default value. */
const fields = {
  selected: textOrNull,
  tab: oneOf('overview', 'code', 'quality'),
  view: oneOf('graph', 'table', 'runs', 'freshness', 'glossary', 'problems'),
  scope: oneOf('near', 'direct', 'connected', 'all'),
  /** The id of the node around which the scope is drawn; null means everything. */
  focus: textOrNull,
  /** The meaning of card colours. */
  lens: oneOf('kind', 'status', 'freshness', 'tests'),
  filter: (value: unknown) => (typeof value === 'string' ? value : ''),
  /** The hidden legend entries, as lens and entry: `kind:source`, `tests:pass`. */
  hidden: textsOf,
  /** The column whose path is drawn. */
  column: columnOf,
  /** Whether the details take the whole width. */
  wide: (value: unknown) => value === true,
  /** The width of the details in CSS pixels. */
  drawer: (value: unknown) => (isNumber(value) ? value : drawerWidths.usual),
  /** The closed folders of the navigator. */
  closed: textsOf,
  camera: cameraOf,
  /** The positions of nodes that were dragged, in graph units. */
  moved: movedOf,
  expanded: textsOf,
}

export type ViewState = { readonly version: 1 } & {
  readonly [Name in keyof typeof fields]: ReturnType<(typeof fields)[Name]>
}

/** Widths in CSS pixels. */
export const drawerWidths = { least: 280, usual: 380, most: 760 }

/** Returns undefined if it is not a `ViewState` of this version. */
export function viewStateOf(value: unknown): ViewState | undefined {
  return isObject(value) && value['version'] === 1 ? stateFrom(value) : undefined
}

/** The state of a page that is opened for the first time. */
export function firstViewState(): ViewState {
  return stateFrom({})
}

function stateFrom(given: Readonly<Record<string, unknown>>): ViewState {
  const read = Object.entries(fields).map(([name, field]) => [name, field(given[name])])
  return { version: 1, ...Object.fromEntries(read) } as ViewState
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

function columnOf(value: unknown): ColumnName | null {
  if (!isObject(value)) return null
  const { asset, column } = value
  return typeof asset === 'string' && typeof column === 'string' ? { asset, column } : null
}

/** The first word is the default. */
function oneOf<T extends string>(...words: readonly [T, ...T[]]): (value: unknown) => T {
  return value => words.find(each => each === value) ?? words[0]
}

function cameraOf(value: unknown): { readonly x: number; readonly y: number; readonly zoom: number } | null {
  if (!isObject(value)) return null
  const { x, y, zoom } = value
  return isNumber(x) && isNumber(y) && isNumber(zoom) && zoom > 0 ? { x, y, zoom } : null
}

function movedOf(value: unknown): Readonly<Record<string, readonly [number, number]>> {
  if (!isObject(value)) return {}
  const places = Object.entries(value).flatMap(([name, place]) => {
    const [x, y] = Array.isArray(place) ? (place as readonly unknown[]) : []
    return isNumber(x) && isNumber(y) ? [[name, [x, y] as const] as const] : []
  })
  return Object.fromEntries(places)
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
