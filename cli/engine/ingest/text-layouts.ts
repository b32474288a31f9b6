/**
 * Holds how text files are written against `schemas.lock.json`, which has the layouts that promotions agreed to: a file that is
 * read in another way is told of, and refused where the asset has a contract (decisions 9, "Files").
 */
import { fileLayout, type TextFile } from '@svc/server/catalog'
import {
  type FileLayout,
  type FileOptions,
  type LayoutDifference,
  layoutDifferences,
  layoutsUnder,
  unitedLayouts,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { FetchContext } from './source.ts'
import { shownName } from './text-warnings.ts'

export interface JudgedLayouts {
  /** Those that the promotion agrees to: the ones before, and new ones. */
  readonly layouts: readonly FileLayout[]
  /** The files that are read as it was agreed; what their layout passes over is known. */
  readonly agreed: ReadonlySet<TextFile>
}

interface ChangedFile {
  readonly name: string
  readonly differences: readonly LayoutDifference[]
}

/** Throws `layout-changed` for a file that is read in another way under a contract. */
export function judgeLayouts(
  context: FetchContext,
  files: readonly TextFile[],
  options: FileOptions,
): JudgedLayouts {
  const known = layoutsUnder(options, context.layouts ?? [])
  const agreed = new Set<TextFile>()
  const changed: ChangedFile[] = []
  const found: FileLayout[] = []
  for (const file of files) {
    const layout = fileLayout(file.layout, file.survey.endings)
    found.push(layout)
    const differences = layoutDifferences(layout, known, options)
    if (differences.length > 0) changed.push({ name: shownName(context, file.path), differences })
    else if (known.length > 0) agreed.add(file)
  }
  const [first] = changed
  if (first !== undefined) tellChanged(context, first, changed.length)
  return { layouts: unitedLayouts(known, found, options), agreed }
}

function tellChanged({ asset, onWarning }: FetchContext, first: ChangedFile, count: number): void {
  const { name, differences } = first
  const changes = differences.map(differenceText).join(', ')
  const more = count === 1 ? '' : count === 2 ? '; so is another file' : `; so are ${count - 1} more files`
  const message = `${name} is read in another way than the files before it: ${changes}${more}`
  if (asset.definition.contract !== undefined) {
    throw new SvcError('layout-changed', message, {
      hint: `Repair the file. If it is right, say so with ingest.options, or take the layouts of "${asset.name}" out of schemas.lock.json.`,
      facts: { file: name, keys: differences.map(({ key }) => key) },
    })
  }
  onWarning?.({
    code: 'layout-changed',
    count,
    message,
    hint: 'If it is right, commit schemas.lock.json: the promotion adds this layout. Otherwise say how the files are written with ingest.options.',
    example: name,
  })
}

function differenceText({ key, before, now }: LayoutDifference): string {
  return `${key} ${JSON.stringify(now)} instead of ${JSON.stringify(before)}`
}
