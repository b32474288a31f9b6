/**
 * `ingest.mask`: which values of a source are hidden before a load stores them, and what becomes of them. A mask is about
 * every text, number and boolean at its place and below; objects and lists keep their shape.
 */
import { type JsonShape, plainTexts, seen } from './json-shape.ts'
import { type PathPattern, pathPattern, patternsLike } from './path-pattern.ts'
import { toSnakeCase } from './snake-case.ts'
import type { SourceType } from './source-shape.ts'
import type { PromisedTable } from './table-contract.ts'

interface MaskFacts {
  readonly doc: string
  /** Whether what is left of a value says nothing about a person: the mark of personal data ends here. */
  readonly endsMark: boolean
  /** Whether different values stay different, so that a key stays a key. */
  readonly isDistinct: boolean
}

/** The kinds of mask, the one that reveals least first. */
export const maskKinds = {
  redact: { doc: 'Every value becomes ***.', endsMark: true, isDistinct: false },
  hash: {
    doc: 'A keyed hash (HMAC-SHA256 with the key in SVC_MASK_KEY): equal values stay equal, so that they can be joined and counted.',
    endsMark: true,
    isDistinct: true,
  },
  partial: {
    doc: 'Only the end of a value is left, at most a quarter and four characters: ****4242. It stays personal.',
    endsMark: false,
    isDistinct: false,
  },
  email: {
    doc: 'Only the first letter and the domain of an address are left: a***@example.com. It stays personal.',
    endsMark: false,
    isDistinct: false,
  },
} as const satisfies Readonly<Record<string, MaskFacts>>

export type MaskKind = keyof typeof maskKinds

const kinds = Object.keys(maskKinds) as readonly MaskKind[]

/** The keys of `ingest` that decide about masks. */
export interface MaskedIngest {
  readonly mask: Readonly<Record<string, MaskKind>>
  readonly naming: 'snake' | 'source'
}

export type MaskRules = ReturnType<typeof maskRules>

export function maskRules({ mask, naming }: MaskedIngest) {
  const entries = Object.entries(mask).map(([text, kind]) => ({ kind, pattern: pathPattern(text, naming) }))
  const kindOf = new Map(entries.map(({ pattern, kind }) => [pattern, kind]))
  const like = patternsLike([...kindOf.keys()], naming)
  const isAbout = (pattern: PathPattern, path: readonly string[]) =>
    pattern.covers(path) || pattern.reachesInto(path)
  return {
    isEmpty: entries.length === 0,
    /** Whether a mask needs the key. */
    hashes: entries.some(({ kind }) => kind === 'hash'),
    /** Returns the mask of the value at a path of source names without lists; the one that reveals least, if there are several. */
    kindAt(path: readonly string[]) {
      const found = new Set(like(path).flatMap(each => (each.covers(path) ? (kindOf.get(each) ?? []) : [])))
      return kinds.find(kind => found.has(kind))
    },
    /** Returns whether a mask is about a part of the value at a path. */
    reachesInto: (path: readonly string[]) => like(path).some(pattern => pattern.reachesInto(path)),
    /** Returns the masks that are about the value at a path or about a part of it, as they are written. */
    namesFor: (path: readonly string[]) =>
      like(path).flatMap(pattern => (isAbout(pattern, path) ? pattern.text : [])),
  }
}

/** Returns the type of a value after its masks: what is masked is text. `path` has no steps into lists. */
export function maskedType(type: SourceType, rules: MaskRules, path: readonly string[] = []): SourceType {
  if (rules.isEmpty) return type
  switch (type.kind) {
    case 'struct':
      return {
        ...type,
        fields: type.fields.map(field => ({
          ...field,
          type: maskedType(field.type, rules, [...path, field.name]),
        })),
      }
    case 'list':
      return { ...type, element: maskedType(type.element, rules, path) }
    case 'unknown':
      return type
    default:
      return rules.kindAt(path) === undefined ? type : { kind: 'scalar', type: 'VARCHAR' }
  }
}

const containers = seen.null | seen.object | seen.list | seen.wide

/** Returns the shape of JSON values after their masks. */
export function maskedShape(shape: JsonShape, rules: MaskRules, path: readonly string[] = []): JsonShape {
  const isMasked = rules.kindAt(path) !== undefined && (shape.kinds & ~containers) !== 0
  return {
    ...shape,
    ...(isMasked && {
      kinds: (shape.kinds & containers) | seen.text,
      hasInexact: false,
      texts: plainTexts,
    }),
    fields: shape.fields.map(field => ({
      ...field,
      shape: maskedShape(field.shape, rules, [...path, field.key]),
    })),
    // The map of the fields is made anew where somebody asks for it.
    byKey: undefined,
    element: shape.element && maskedShape(shape.element, rules, path),
  }
}

/** Returns the names, as columns of the table of the source have them, whose marks of personal data a mask ends. */
export function namesOfEndedMarks(
  { mask, naming }: MaskedIngest,
  tables: readonly PromisedTable[],
): readonly string[] {
  const ending = Object.entries(mask).filter(([, kind]) => maskKinds[kind].endsMark)
  if (ending.length === 0) return []
  const written = ending.flatMap(([text]) =>
    text.includes('*') ? [] : [text, joined(text, part => part), joined(text, toSnakeCase)],
  )
  const patterns = ending.map(([text]) => pathPattern(text, naming))
  const like = patternsLike(patterns, naming)
  const renamed = tables.flatMap(({ child, columns }) =>
    Object.entries(columns).flatMap(([name, { from }]) => {
      const path = [...(child?.split('__') ?? []), ...(from ?? name).split('.')]
      const whole = child === undefined ? name : `${child}__${name}`
      return like(path).some(pattern => pattern.covers(path)) ? [whole] : []
    }),
  )
  return [...new Set([...written, ...renamed])]
}

/** Returns the name of the column that a path such as `a.b` becomes. */
export function joined(name: string, rename: (part: string) => string): string {
  return name.split('.').map(rename).join('__')
}
