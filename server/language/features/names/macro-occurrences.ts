/** Finds what files of macros name, and where macros are called. */
import { asWritten } from '../../macros/expand-asset.ts'
import { callsIn, type Macro, type MacroFile, type MacroSql } from '../../macros/macro.ts'
import type { Asset, Project } from '../../project/project.ts'
import { templatesOf } from '../../project/templates.ts'
import { type Tag, withNested } from '../../syntax/template.ts'
import { isWithin, type Range } from '../../text/range.ts'
import { defines, type Occurrence, reads } from './subjects.ts'

/** Returns the occurrences in a file of macros: definitions, parameters, calls, assets and variables. */
export function macroOccurrences({ macros }: MacroFile): readonly Occurrence[] {
  return macros.flatMap(macro => [
    defines(macro.nameRange, { kind: 'macro', name: macro.name }),
    ...parameterOccurrences(macro),
    ...piecesOf(macro).flatMap(({ tags }) => [...callOccurrences(tags), ...tagOccurrences(tags)]),
  ])
}

/** Returns the calls of macros in the file of an asset. */
export function callsOfAsset(asset: Asset): readonly Occurrence[] {
  return templatesOf(asWritten(asset))
    .filter(({ elsewhere }) => elsewhere === undefined)
    .flatMap(({ tags, toFile }) => callOccurrences(tags, range => toFile.rangeToOriginal(range)))
}

/** Returns the name of a macro or of a parameter at a place, without binding any SQL. */
export function macroNameAt(
  { macros, assets }: Project,
  path: string,
  offset: number,
): Occurrence | undefined {
  const file = macros.files.get(path)
  const asset = assets.get(path)
  const all = file !== undefined ? macroOccurrences(file) : asset !== undefined ? callsOfAsset(asset) : []
  return all.find(({ subject, range }) => subject.kind.startsWith('macro') && isWithin(range, offset))
}

function piecesOf({ body, parameters }: Macro): readonly MacroSql[] {
  return [...parameters.flatMap(({ fallback }) => fallback ?? []), body]
}

function parameterOccurrences({ name: macro, parameters, body }: Macro): readonly Occurrence[] {
  return parameters.flatMap(({ name: parameter, nameRange }, index) => {
    const subject = { kind: 'macro-parameter', macro, parameter } as const
    const places = body.places.filter(place => place.parameter === index)
    return [defines(nameRange, subject), ...places.map(({ start, end }) => reads({ start, end }, subject))]
  })
}

/** Returns the calls among tags, and the parameters that they name. `toFile` maps ranges of the tags' text. */
function callOccurrences(
  tags: readonly Tag[],
  toFile = (range: Range): Range => range,
): readonly Occurrence[] {
  return callsIn(tags).flatMap(call => [
    reads(toFile(call.nameRange), { kind: 'macro', name: call.name }),
    ...call.arguments.flatMap(({ name: parameter, nameRange }) =>
      parameter === undefined || nameRange === undefined
        ? []
        : [reads(toFile(nameRange), { kind: 'macro-parameter', macro: call.name, parameter })],
    ),
  ])
}

function tagOccurrences(tags: readonly Tag[]): readonly Occurrence[] {
  return withNested(tags).flatMap((tag): readonly Occurrence[] => {
    if (tag.kind === 'ref') return [reads(tag.nameRange, { kind: 'asset', name: tag.name })]
    return tag.kind === 'var' ? [reads(tag.nameRange, { kind: 'var', name: tag.name })] : []
  })
}
