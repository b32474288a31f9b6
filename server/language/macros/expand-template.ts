/**
 * Expands the calls of macros in a template. The result is a template too: it has the tags that are left, and each of its
 * places maps to the file. What a macro wrote maps to the whole call, and an argument to where it is written.
 */

import { hasAlias } from '../compile/table-alias.ts'
import type { Settings } from '../project/project.ts'
import { moved, movedTag } from '../syntax/macro-call.ts'
import type { TemplateProblem } from '../syntax/scan-template.ts'
import type { Expanded, MacroArgument, MacroTag, SqlTemplate, Tag } from '../syntax/template.ts'
import { lazyPositionMap, pieceList } from '../text/position-map.ts'
import type { PositionMap, Range } from '../text/range.ts'
import { boundArguments, unknownMacro } from './call-problems.ts'
import { type Macro, type MacroSql, type Macros, macroKey, type ParameterPlace } from './macro.ts'

export interface Expansion {
  readonly template: SqlTemplate
  /** Ranges in the text of the template that was expanded. */
  readonly problems: readonly TemplateProblem[]
  /** All macros that were used, also by others. */
  readonly used: readonly Macro[]
}

export type ExpandSettings = Pick<Settings, 'engine' | 'limits'>

export function expandTemplate(template: SqlTemplate, macros: Macros, settings: ExpandSettings): Expansion {
  const writer = new Writer(macros, settings)
  const whole = { start: 0, end: template.text.length }
  writer.piece({ text: template.text, place: undefined, values: [] }, whole, template.tags, [])
  const { pieces, expanded, problems, used } = writer
  return {
    template: {
      text: writer.text,
      tags: writer.tags,
      toFile: lazyPositionMap(() => chained(pieces, template.toFile)),
      ...(expanded.length > 0 && { expanded }),
    },
    problems,
    used: [...used],
  }
}

/** A text that is being written out. */
interface Source {
  readonly text: string
  /** The macro that it is from; undefined for the template itself. */
  readonly place: Place | undefined
  /** What stands for the parameters of the macro, by their index. */
  readonly values: readonly Value[]
}

interface Place {
  readonly macro: Macro
  /** The call in the template, to which all maps. */
  readonly call: Range
  /** The names of the macros that are being expanded, the outermost first. */
  readonly within: readonly string[]
}

interface Value {
  readonly source: Source
  readonly range: Range
  readonly tags: readonly Tag[]
  readonly places: readonly ParameterPlace[]
}

export interface Piece {
  readonly generated: Range
  readonly original: Range
  readonly isWhole: boolean
}

/** How much of what was written last is kept: reading the end of a text that grows copies all of it each time. */
const longestEnd = 200

class Writer {
  text = ''
  readonly tags: Tag[] = []
  readonly pieces: Piece[] = []
  readonly expanded: Expanded[] = []
  readonly problems: TemplateProblem[] = []
  readonly used = new Set<Macro>()
  readonly #macros: Macros
  readonly #engine: Settings['engine']
  readonly #longest: number
  #end = ''
  #isTooLong = false

  constructor(macros: Macros, { engine, limits }: ExpandSettings) {
    this.#macros = macros
    this.#engine = engine
    this.#longest = limits.sql.characters
  }

  /** Writes a part of a source, with its tags and its parameters. */
  piece(
    source: Source,
    range: Range,
    tags: readonly Tag[],
    places: readonly ParameterPlace[],
    following = source.text.slice(range.end),
  ): void {
    const free = places.filter(place => !tags.some(tag => contains(tag.range, place)))
    const steps = [...tags.map(tag => ({ tag, at: tag.range })), ...free.map(place => ({ place, at: place }))]
    let end = range.start
    for (const step of steps.sort((a, b) => a.at.start - b.at.start)) {
      this.#copy(source, { start: end, end: step.at.start })
      if ('place' in step) this.#parameter(source, step.place)
      else this.#tag(source, step.tag, places, source.text.slice(step.at.end, range.end) + following)
      end = step.at.end
    }
    this.#copy(source, { start: end, end: range.end })
  }

  #copy({ text, place }: Source, range: Range): void {
    if (range.end <= range.start) return
    this.#add(text.slice(range.start, range.end), place?.call ?? range, place && { place, range })
  }

  /** `from` is where a macro has it; undefined for what is in the template. */
  #add(text: string, original: Range, from?: { readonly place: Place; readonly range: Range }): void {
    const generated = { start: this.text.length, end: this.text.length + text.length }
    this.pieces.push({ generated, original, isWhole: from !== undefined })
    if (from !== undefined) {
      const { name: macro, path, text: file } = from.place.macro
      this.expanded.push({ ...generated, macro, path, text: file, place: from.range })
    }
    this.text += text
    this.#end = (this.#end + text).slice(-longestEnd)
  }

  #tag(source: Source, tag: Tag, places: readonly ParameterPlace[], following: string): void {
    if (tag.kind === 'macro') {
      this.#call(source, tag, places, following)
      return
    }
    this.tags.push(movedTag(tag, this.text.length - tag.range.start))
    this.#copy(source, tag.range)
  }

  #parameter({ text, place, values }: Source, at: ParameterPlace): void {
    const value = values[at.parameter]
    if (value === undefined || place === undefined) return
    const { source, range, tags, places } = value
    const from = { place, range: { start: at.start, end: at.end } }
    if (isOneTerm(source.text, range, tags, this.#engine)) {
      this.piece(source, range, tags, places, text.slice(at.end))
      return
    }
    this.#add('(', place.call, from)
    this.piece(source, range, tags, places)
    this.#add(')', place.call, from)
  }

  #call(source: Source, tag: MacroTag, places: readonly ParameterPlace[], following: string): void {
    const place = source.place
    const call = place?.call ?? tag.range
    const macro = this.#macros.byName.get(macroKey(tag.name))
    const problem = this.#problemOf(tag, macro, place)
    if (macro === undefined || problem !== undefined) {
      // Within a macro the problem is in its own file too, with a better place.
      this.#invalid(source, tag, call, place === undefined ? problem : inside(problem, tag, place))
      return
    }
    const bound = boundArguments(macro, tag)
    if ('problem' in bound) {
      this.#invalid(
        source,
        tag,
        call,
        place === undefined ? bound.problem : inside(bound.problem, tag, place),
      )
      return
    }
    this.used.add(macro)
    const within = [...(place?.within ?? []), macroKey(macro.name)]
    const inner: Place = { macro, call, within }
    const values = bound.values.map(value =>
      'fallback' in value ? fallbackValue(value.fallback, inner) : argumentValue(source, value, places),
    )
    this.#body({ text: macro.text, place: inner, values }, inner, following)
  }

  #body(source: Source, place: Place, following: string): void {
    const { body, kind, name, range } = place.macro
    const from = { place, range }
    const isAfterFrom = /(?:\b(?:from|join|lateral)|,)\s*$/i.test(this.#end)
    this.#add(kind === 'table' ? '(\n' : '(', place.call, from)
    this.piece(source, body.range, body.tags, body.places)
    this.#add(kind === 'table' ? '\n)' : ')', place.call, from)
    if (kind === 'table' && isAfterFrom && !hasAlias(following, this.#engine))
      this.#add(` AS ${this.#engine.quoteIfNeeded(name)}`, place.call, from)
  }

  #problemOf(tag: MacroTag, macro: Macro | undefined, place: Place | undefined): TemplateProblem | undefined {
    if (macro === undefined) return unknownMacro(tag, this.#macros)
    const cycle = this.#macros.cycles.get(macroKey(macro.name))
    const range = tag.range
    if (cycle !== undefined || place?.within.includes(macroKey(macro.name)))
      return {
        code: 'macro-cycle',
        range,
        message: `the macro "${macro.name}" calls itself: ${(cycle ?? place?.within ?? []).join(' → ')}`,
        hint: `Break the circle in ${macro.path}.`,
      }
    // A macro that calls another twice doubles its length at every level.
    if (this.text.length > this.#longest)
      return {
        code: 'macro-too-long',
        range,
        message: `the macros unfold to more than ${this.#longest.toLocaleString('en')} characters`,
        hint: 'Give an intermediate result an asset of its own, or raise limits.sql.length in svc.yaml.',
      }
    return undefined
  }

  #invalid(source: Source, tag: MacroTag, call: Range, problem: TemplateProblem | undefined): void {
    if (problem === undefined) return
    // Once is enough to be told, and no further call is written out.
    if (problem.code === 'macro-too-long' && this.#isTooLong) return
    this.#isTooLong ||= problem.code === 'macro-too-long'
    const range = source.place === undefined ? problem.range : call
    this.problems.push({ ...problem, range })
    const text = source.text.slice(tag.range.start, tag.range.end)
    const at = { start: this.text.length, end: this.text.length + text.length }
    this.tags.push({ kind: 'invalid', range: at, problem: problem.message })
    this.#copy(source, tag.range)
  }
}

function inside(problem: TemplateProblem | undefined, tag: MacroTag, { macro }: Place): TemplateProblem {
  const message = `in the macro "${macro.name}": ${problem?.message ?? `"${tag.name}" cannot be called`}`
  const code = problem?.code ?? 'unknown-macro'
  return { code, range: tag.range, message, hint: `Correct it in ${macro.path}.` }
}

function contains(outer: Range, inner: Range): boolean {
  return outer.start <= inner.start && inner.end <= outer.end
}

function argumentValue(
  source: Source,
  { range, tags }: MacroArgument,
  places: readonly ParameterPlace[],
): Value {
  return { source, range, tags, places: places.filter(place => contains(range, place)) }
}

function fallbackValue({ range, tags }: MacroSql, place: Place): Value {
  return { source: { text: place.macro.text, place, values: [] }, range, tags, places: [] }
}

/** Returns whether the value needs no brackets: it is one token, or in brackets already. A tag for a table may have none. */
function isOneTerm(text: string, range: Range, tags: readonly Tag[], engine: Settings['engine']): boolean {
  const sql = text.slice(range.start, range.end)
  if (tags.length === 1 && tags[0]?.range.start === range.start && tags[0].range.end === range.end)
    return tags[0].kind !== 'var'
  const tokens = engine.tokens(sql).filter(({ kind }) => kind !== 'comment')
  if (tokens.length === 1) return tokens[0]?.start === 0 && tokens[0].end === sql.length
  if (!sql.startsWith('(')) return false
  let depth = 0
  for (const { start, end } of tokens) {
    const mark = sql.slice(start, end)
    if (mark === '(') depth++
    if (mark === ')' && --depth === 0) return end === sql.length
  }
  return false
}

/** Returns the map of a text that was put together from pieces of a template. */
export function chained(pieces: readonly Piece[], toFile: PositionMap): PositionMap {
  const list = pieceList()
  for (const { generated, original, isWhole } of pieces) list.add(generated, original, isWhole)
  const toTemplate = list.build()
  return {
    toOriginal: offset => toFile.toOriginal(toTemplate.toOriginal(offset)),
    rangeToOriginal: range => toFile.rangeToOriginal(hullOf(toTemplate, range)),
  }
}

/** Arguments may be in another order in the call, or beside what a macro wrote, which maps to the whole call. */
function hullOf(map: PositionMap, { start, end }: Range): Range {
  if (end <= start) return map.rangeToOriginal({ start, end })
  const [first, last] = [start, end - 1].map(at => map.rangeToOriginal({ start: at, end: at + 1 })) as [
    Range,
    Range,
  ]
  return { start: Math.min(first.start, last.start), end: Math.max(first.end, last.end) }
}

/** Returns the parts that macros wrote within a range of an expanded template. */
export function expandedIn({ expanded = [] }: SqlTemplate, { start, end }: Range): readonly Expanded[] {
  return expanded.filter(part => part.start < Math.max(end, start + 1) && start < part.end)
}

/** Returns the place in the file of a macro that a range of an expanded template is from; undefined for all else. */
export function placeInMacro(template: SqlTemplate, range: Range): Expanded | undefined {
  const [part, second] = expandedIn(template, range)
  if (part === undefined) return undefined
  const length = part.place.end - part.place.start
  if (second !== undefined || length !== part.end - part.start) return part
  const by = part.place.start - part.start
  return {
    ...part,
    place: moved({ start: Math.max(range.start, part.start), end: Math.min(range.end, part.end) }, by),
  }
}
