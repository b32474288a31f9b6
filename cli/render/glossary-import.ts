/** Renders what `svc glossary import` did, or would do. */
import type { JsonOf } from '@svc/server/contract'
import type { ImportFormat } from '../engine/glossary/import/imported.ts'
import type { MergedEntry } from '../engine/glossary/import/merge-imported.ts'
import { changeJson, changeText, warningLines } from './glossary.ts'
import type { Style } from './style.ts'
import { wrap } from './width.ts'

export interface ImportReport {
  readonly file: string
  readonly format: ImportFormat
  readonly entries: readonly MergedEntry[]
  readonly ignored: readonly string[]
  readonly warnings: readonly string[]
  readonly isDry: boolean
  readonly written: boolean
}

const formats: Readonly<Record<ImportFormat, string>> = {
  csv: 'a table',
  svc: 'a glossary of svc',
  datahub: 'an export of DataHub',
  openmetadata: 'an export of OpenMetadata',
}

const mostShown = 30

export function renderImport(report: ImportReport, style: Style): string[] {
  const { entries, file, format, ignored, isDry, warnings } = report
  const of = (status: MergedEntry['status']) => entries.filter(each => each.status === status)
  const conflicts = of('conflict')
  const counts = (['new', 'changed', 'unchanged'] as const).map(status => `${of(status).length} ${status}`)
  const kept = conflicts.length === 0 ? [] : [`${conflicts.length} said otherwise, and kept`]
  return [
    `${isDry ? 'Would import' : 'Imported'} ${style.bold(file)}, ${formats[format]}: ${[...counts, ...kept].join(', ')}`,
    ...listed(of('new'), each => [`  new ${each.kind} ${each.name} (${each.id})`]),
    ...listed(of('changed'), each => [
      `  changed ${each.kind} ${each.name}`,
      ...each.changes.map(change => `    ${changeText(change)}`),
    ]),
    ...listed(conflicts, each => [
      `  ${style.yellow('kept')} ${each.kind} ${each.name}; ${each.place} says`,
      ...each.conflicts.map(change => `    ${changeText(change)}`),
    ]),
    ...(conflicts.length === 0 ? [] : ['', 'Entries that exist are changed with --update only.']),
    ...(ignored.length === 0
      ? []
      : ['', ...wrap(`Without a place in glossary.yaml: ${ignored.join(', ')}`, style.width)]),
    ...warningLines(warnings, style),
  ]
}

export function listed<T>(entries: readonly T[], lines: (entry: T) => readonly string[]): string[] {
  const rest = entries.length - mostShown
  const shown = entries.slice(0, mostShown).flatMap(each => lines(each))
  return rest > 0 ? [...shown, `  and ${rest} more`] : shown
}

export function importJson(report: ImportReport): JsonOf<'glossary-import'> {
  const { file, format, written, entries, ignored, warnings } = report
  return {
    success: true,
    ...{ file, format, written },
    entries: entries.map(({ kind, id, name, place, status, changes, conflicts }) => ({
      ...{ kind, id, name, place, status },
      changes: changes.map(changeJson),
      conflicts: conflicts.map(changeJson),
    })),
    ...{ ignored, warnings },
  }
}
