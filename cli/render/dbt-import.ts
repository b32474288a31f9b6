/** Renders what `svc import dbt` brought over, and by place what it did not. */
import type { DbtImport } from '../engine/import/dbt/import-dbt.ts'
import type { Note, NoteLevel } from '../engine/import/dbt/notes.ts'
import { countOf } from './numbers.ts'
import type { Style } from './style.ts'
import { wrap, wrapBehind } from './width.ts'

export interface ShownImport extends DbtImport {
  /** Where the project is, as seen from here. */
  readonly folder: string
  readonly isWritten: boolean
}

export function renderImport(found: ShownImport, style: Style): string[] {
  const { name, target, engine, counts, isWritten, folder } = found
  const what = [
    countOf(counts.models, 'model'),
    countOf(counts.seeds, 'seed'),
    countOf(counts.sources, 'source'),
    countOf(counts.tests, 'test'),
    countOf(counts.unit_tests, 'unit test'),
    countOf(counts.exposures, 'exposure'),
  ].filter(text => !text.startsWith('0 '))
  const counted = what.length === 0 ? 'no model, no seed and no source was found' : what.join(', ')
  const mark = isWritten ? style.green('✓') : style.dim('·')
  const into = isWritten ? `${countOf(found.files.length, 'file')} in ${folder}` : 'nothing was written'
  return [
    `${mark} ${name} of dbt, unrolled for target ${target} on ${engine}: ${into}`,
    ...wrap(counted, style.width - 4).map(line => `    ${style.dim(line)}`),
    ...section(found.notes, 'todo', 'To be done by hand', style.red('✗'), style),
    ...section(found.notes, 'changed', 'Came over differently', style.yellow('!'), style),
    ...section(found.notes, 'left_out', 'Left out, no row depends on it', style.dim('-'), style),
    '',
    ...wrap(nextLine(found), style.width),
  ]
}

interface NoteGroup {
  readonly message: string
  readonly hint: string | null
  readonly places: readonly string[]
  readonly assets: readonly string[]
}

function section(
  notes: readonly Note[],
  level: NoteLevel,
  title: string,
  mark: string,
  style: Style,
): string[] {
  const groups = grouped(notes.filter(note => note.level === level))
  if (groups.length === 0) return []
  return [
    '',
    `${style.bold(title)}`,
    ...groups.flatMap(({ message, hint, places, assets }) => [
      ...wrapBehind(`  ${mark} `, message, style.width),
      ...wrap(shown(places), style.width - 4).map(line => `    ${style.dim(line)}`),
      ...(assets.length < 2 ? [] : wrapBehind('      ', shown(assets), style.width)),
      ...(hint === null ? [] : wrapBehind('      ', hint, style.width)),
    ]),
  ]
}

/** The same message at several places is told once. */
function grouped(notes: readonly Note[]): readonly NoteGroup[] {
  const groups = new Map<string, NoteGroup>()
  for (const { message, hint, path, line, column, asset, assets: several } of notes) {
    const key = JSON.stringify([message, hint])
    const places = new Set([...(groups.get(key)?.places ?? []), `${path}:${line}:${column}`])
    // A note of one asset names it.
    const assets = asset === null ? several : []
    groups.set(key, { message, hint, places: [...places], assets })
  }
  return [...groups.values()]
}

const mostShown = 3

function shown(all: readonly string[]): string {
  const more = all.length - mostShown
  return `${all.slice(0, mostShown).join(', ')}${more > 0 ? ` and ${more} more (--json)` : ''}`
}

function nextLine({ isWritten, folder }: ShownImport): string {
  if (!isWritten) return 'Next: the same without --no-write.'
  return `Next:${folder === '.' ? '' : ` cd ${folder},`} svc validate, then svc run`
}
