/**
 * Validates the saved state of a page. It may come from another version, or be edited, so every field is
 * checked.
 */
import type { ViewState } from '../protocol.ts'

/** Returns undefined if it is not a `ViewState` of this version. An invalid field gets its default value. */
export function viewStateOf(value: unknown): ViewState | undefined {
  if (!isObject(value) || value['version'] !== 1) return undefined
  return {
    version: 1,
    selected: textOrNull(value['selected']),
    tab: oneOf(value['tab'], ['overview', 'code', 'quality']),
    view: oneOf(value['view'], ['graph', 'table', 'runs', 'freshness', 'glossary', 'problems']),
    scope: oneOf(value['scope'], ['near', 'direct', 'connected', 'all']),
    focus: textOrNull(value['focus']),
    lens: oneOf(value['lens'], ['kind', 'status', 'freshness', 'tests']),
    filter: typeof value['filter'] === 'string' ? value['filter'] : '',
    hidden: textsOf(value['hidden']),
    column: columnOf(value['column']),
    wide: value['wide'] === true,
    drawer: isNumber(value['drawer']) ? value['drawer'] : usualDrawer,
    closed: textsOf(value['closed']),
    camera: cameraOf(value['camera']),
    moved: movedOf(value['moved']),
    expanded: textsOf(value['expanded']),
  }
}

/** The default width in CSS pixels. */
const usualDrawer = 400

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

function columnOf(value: unknown): ViewState['column'] {
  if (!isObject(value)) return null
  const { asset, column } = value
  return typeof asset === 'string' && typeof column === 'string' ? { asset, column } : null
}

/** Returns the first value for an invalid one. */
function oneOf<T extends string>(value: unknown, values: readonly [T, ...T[]]): T {
  return values.find(each => each === value) ?? values[0]
}

function cameraOf(value: unknown): ViewState['camera'] {
  if (!isObject(value)) return null
  const { x, y, zoom } = value
  return isNumber(x) && isNumber(y) && isNumber(zoom) && zoom > 0 ? { x, y, zoom } : null
}

function movedOf(value: unknown): ViewState['moved'] {
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
