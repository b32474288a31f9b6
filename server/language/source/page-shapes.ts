/**
 * Finds changes between the pages of one fetch: new keys, vanished keys, values of another type. It compares
 * a shape after each page with the one before, without reading records or doing I/O.
 */
import { type JsonField, type JsonShape, newShape, recordType, seen } from './json-shape.ts'
import { listStep } from './list-step.ts'
import type { SourceType } from './source-shape.ts'

export interface PageChange {
  readonly kind: 'added' | 'vanished' | 'retyped'
  /** The path as in `RawColumn.path`; for a list of objects it ends with `[]`. */
  readonly path: readonly string[]
  /** The page, from 1 on, that first has the field, first lacks it, or brought the other type. */
  readonly page: number
  /** An SQL type, or `object` or `list`. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export type PageLog = ReturnType<typeof createPageLog>

/** Fields that were not on every page from the first one on, by path. */
export interface SavedPageLog {
  readonly pages: number
  readonly fields: readonly (readonly [path: readonly string[], fact: FieldFact])[]
}

/** `first` and `last` are pages. `inner` is the first page with an object in the field, 0 for none yet. */
interface FieldFact {
  first: number
  last: number
  /** The number of objects that could have had the key, up to the page `last`. */
  chances: number
  inner: number
  retypes: Retype[]
}

interface Retype {
  readonly page: number
  readonly from: string
  readonly to: string
}

interface FieldLog extends FieldFact {
  count: number
  kinds: number
  elementKinds: number
}

/** A key counts as vanished if its absence by chance is less likely than this. */
export const absenceLimit = 0.001
/** For a column that keeps changing its type the first changes are enough. */
const mostRetypes = 5

/**
 * Makes the log. `before` is what an earlier process saved about the records that `shape` already includes.
 */
export function createPageLog(shape: JsonShape, before?: SavedPageLog) {
  const logs = new Map<JsonField, FieldLog>()
  let pages = 0
  let rootFirst = 0
  if (before !== undefined) restore(before)

  function restore({ pages: kept, fields }: SavedPageLog): void {
    // Fields without a saved fact were there from the first page.
    note(1)
    pages = kept
    for (const log of logs.values()) log.last = kept
    const facts = new Map(fields.map(([path, fact]) => [JSON.stringify(path), fact]))
    forEachField(shape, (field, path) => {
      const fact = facts.get(JSON.stringify(path))
      const log = logs.get(field)
      if (fact !== undefined && log !== undefined) logs.set(field, { ...log, ...fact })
    })
  }

  function note(number: number): void {
    pages = number
    if (rootFirst === 0 && shape.objects > 0) rootFirst = number
    forEachField(shape, (field, _path, parent) => {
      const log = logs.get(field)
      if (log === undefined) logs.set(field, firstLog(field, parent, number))
      else update(log, field, parent, number)
    })
  }

  function changes(): PageChange[] {
    const changes: PageChange[] = []
    gather(shape, [], { first: rootFirst, added: undefined, vanished: undefined })
    return changes

    function gather(at: JsonShape, path: readonly string[], around: Around): void {
      for (const field of at.fields) {
        const log = logs.get(field)
        if (log === undefined) continue
        const here = { ...around, ...standing(log, at, around) }
        const own = [...path, field.key]
        changes.push(...changesOf(log, field, own, here))
        const inner = { ...here, first: log.inner }
        if (isStruct(field.shape)) gather(field.shape, own, inner)
        // A new or vanished table stands for its columns.
        const element = elementOf(field.shape)
        if (element !== undefined)
          gather(element, [...own, listStep], { ...inner, added: undefined, vanished: undefined })
      }
    }
  }

  function save(): SavedPageLog {
    const fields: [readonly string[], FieldFact][] = []
    forEachField(shape, (field, path) => {
      const log = logs.get(field)
      if (log === undefined) return
      const { first, last, chances, inner, retypes } = log
      const isPlain = first === 1 && last === pages && inner <= 1 && retypes.length === 0
      if (!isPlain) fields.push([path, { first, last, chances, inner, retypes }])
    })
    return { pages, fields }
  }

  return {
    /** Records the state of the shape at the end of this page. */
    page: note /** Returns the changes in the order of the source. */,
    changes /** Returns what a later process cannot derive from the records, as plain JSON. */,
    save,
  }
}

interface Around {
  /** The first page with an object at this place. */
  readonly first: number
  /** The page since which the nearest enclosing object exists or is missing. */
  readonly added: number | undefined
  readonly vanished: number | undefined
}

function firstLog(field: JsonField, parent: JsonShape, page: number): FieldLog {
  return {
    first: page,
    last: page,
    chances: parent.objects,
    count: field.count,
    inner: innerObjects(field.shape) > 0 ? page : 0,
    kinds: field.shape.kinds,
    elementKinds: field.shape.element?.kinds ?? 0,
    retypes: [],
  }
}

function update(log: FieldLog, { shape, count }: JsonField, parent: JsonShape, page: number): void {
  if (count > log.count) {
    log.count = count
    log.last = page
    log.chances = parent.objects
  }
  if (log.inner === 0 && innerObjects(shape) > 0) log.inner = page
  const elementKinds = shape.element?.kinds ?? 0
  if (shape.kinds === log.kinds && elementKinds === log.elementKinds) return
  const retype = retypeOf(log, shape)
  if (retype !== undefined && log.retypes.length < mostRetypes) log.retypes.push({ page, ...retype })
  log.kinds = shape.kinds
  log.elementKinds = elementKinds
}

function standing(log: FieldLog, parent: JsonShape, around: Around): Partial<Around> {
  return {
    ...(log.first > around.first ? { added: log.first } : {}),
    ...(hasVanished(log, parent) ? { vanished: log.last + 1 } : {}),
  }
}

/**
 * Returns whether a key has vanished: one that only some records have may be absent from a short page by
 * chance.
 */
function hasVanished({ count, chances }: FieldLog, parent: JsonShape): boolean {
  const missed = parent.objects - chances
  if (missed <= 0 || chances <= 0) return false
  const share = Math.min(1, count / chances)
  return (1 - share) ** missed < absenceLimit
}

function changesOf(log: FieldLog, field: JsonField, own: readonly string[], here: Around): PageChange[] {
  const type = typeText(field.shape.kinds, field.shape.element?.kinds ?? 0)
  const path = elementOf(field.shape) === undefined ? own : [...own, listStep]
  return [
    ...(here.added === undefined ? [] : [{ kind: 'added', path, page: here.added, to: type } as const]),
    ...log.retypes.map(retype => ({ kind: 'retyped', path: own, ...retype }) as const),
    ...(here.vanished === undefined
      ? []
      : [{ kind: 'vanished', path, page: here.vanished, from: type } as const]),
  ]
}

function retypeOf(log: FieldLog, { kinds, element }: JsonShape) {
  const from = typeText(log.kinds, log.elementKinds)
  const to = typeText(kinds, element?.kinds ?? 0)
  if (from === undefined || to === undefined) return undefined
  if (from !== to) return { from, to }
  // Text that is joined by numbers stays text, so the new kinds alone tell more.
  const brought = typeText(kinds & ~log.kinds & ~strings & ~seen.wide, 0)
  return brought === undefined || brought === to ? undefined : { from, to: brought }
}

const strings = seen.text | seen.date | seen.timestamp | seen.timestampWithZone

/** Returns undefined if there are only NULLs. */
function typeText(kinds: number, elementKinds: number): string | undefined {
  const element = elementKinds === 0 ? undefined : { ...plain, kinds: elementKinds }
  return nameOf(recordType({ ...plain, kinds: kinds & ~seen.wide, element }))
}

const plain: JsonShape = newShape()

function nameOf(type: SourceType): string | undefined {
  if (type.kind === 'scalar') return type.type
  if (type.kind === 'unknown') return undefined
  if (type.kind === 'mixed') return 'VARCHAR'
  if (type.kind === 'struct') return 'object'
  return type.element.kind === 'scalar' ? `${type.element.type}[]` : 'list'
}

// ---------------------------------------------------------------- the tree

/** Returns whether all values are objects; a dictionary has no fields of interest. */
function isStruct({ kinds }: JsonShape): boolean {
  return (kinds & ~seen.null) === seen.object
}

/** Returns the elements of a list that has only objects. */
function elementOf({ kinds, element }: JsonShape): JsonShape | undefined {
  return (kinds & ~seen.null) === seen.list && element !== undefined && isStruct(element)
    ? element
    : undefined
}

function innerObjects(shape: JsonShape): number {
  return isStruct(shape) ? shape.objects : (elementOf(shape)?.objects ?? 0)
}

function forEachField(
  shape: JsonShape,
  visit: (field: JsonField, path: readonly string[], parent: JsonShape) => void,
  path: readonly string[] = [],
): void {
  for (const field of shape.fields) {
    const own = [...path, field.key]
    visit(field, own, shape)
    if (isStruct(field.shape)) forEachField(field.shape, visit, own)
    const element = elementOf(field.shape)
    if (element !== undefined) forEachField(element, visit, [...own, listStep])
  }
}
