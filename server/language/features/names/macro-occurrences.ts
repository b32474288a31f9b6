/** Finds what files of macros name, and where macros are called. */
import { asWritten } from '../../macros/expand-asset.ts'
import { callsIn, type Macro, type MacroFile, type MacroSql } from '../../macros/macro.ts'
import type { Asset, Project } from '../../project/project.ts'
import { templatesOf } from '../../project/templates.ts'
import { type Tag, withNested } from '../../syntax/template.ts'
import type { Range } from '../../text/range.ts'
import type { Occurrence } from './subjects.ts'

/** Returns the occurrences in a file of macros: definitions, parameters, calls, assets and variables. */
export function macroOccurrences({ macros }: MacroFile): readonly Occurrence[] {
  return macros.flatMap(macro => [
    { range: macro.nameRange, subject: { kind: 'macro', name: macro.name }, role: 'definition' as const },
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
  return all.find(
    ({ subject, range }) =>
      (subject.kind === 'macro' || subject.kind === 'macro-parameter') &&
      range.start <= offset &&
      offset <= range.end,
  )
}

function piecesOf({ body, parameters }: Macro): readonly MacroSql[] {
  return [...parameters.flatMap(({ fallback }) => fallback ?? []), body]
}

function parameterOccurrences({ name: macro, parameters, body }: Macro): readonly Occurrence[] {
  return parameters.flatMap(({ name: parameter, nameRange }, index) => {
    const subject = { kind: 'macro-parameter', macro, parameter } as const
    const reads = body.places.filter(place => place.parameter === index)
    return [
      { range: nameRange, subject, role: 'definition' as const },
      ...reads.map(({ start, end }) => ({ range: { start, end }, subject, role: 'read' as const })),
    ]
  })
}

/** Returns the calls among tags, and the parameters that they name. `toFile` maps ranges of the tags' text. */
export function callOccurrences(
  tags: readonly Tag[],
  toFile = (range: Range): Range => range,
): readonly Occurrence[] {
  return callsIn(tags).flatMap(call => [
    { range: toFile(call.nameRange), subject: { kind: 'macro', name: call.name }, role: 'read' as const },
    ...call.arguments.flatMap(({ name: parameter, nameRange }): readonly Occurrence[] =>
      parameter === undefined || nameRange === undefined
        ? []
        : [
            {
              range: toFile(nameRange),
              subject: { kind: 'macro-parameter', macro: call.name, parameter },
              role: 'read',
            },
          ],
    ),
  ])
}

function tagOccurrences(tags: readonly Tag[]): readonly Occurrence[] {
  return withNested(tags).flatMap((tag): readonly Occurrence[] => {
    if (tag.kind === 'ref')
      return [{ range: tag.nameRange, subject: { kind: 'asset', name: tag.name }, role: 'read' }]
    return tag.kind === 'var'
      ? [{ range: tag.nameRange, subject: { kind: 'var', name: tag.name }, role: 'read' }]
      : []
  })
}
