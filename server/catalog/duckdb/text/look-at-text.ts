/**
 * Looks at text files: how each is written, whether all of its lines are records, and from where the database reads them: the
 * files themselves, or copies where it would read something else.
 */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { type FileOptions, hidesPacking } from '../../../language/index.ts'
import type { CsvGroup } from '../csv-from.ts'
import type { LocalReader } from '../local-reader.ts'
import { TextFileError } from './decode.ts'
import { findLayout, type TextLayout } from './find-layout.ts'
import { readParameters } from './read-parameters.ts'
import type { RejectedLine } from './rewrite.ts'
import { type Survey, surveyText } from './survey.ts'
import { isZstd, type Unpacking, unpackedZstd } from './unpack-zstd.ts'
import { copyRecords, unitedRecords } from './write-copies.ts'

export interface TextWork {
  readonly local: LocalReader
  /** An existing folder for copies; nobody else may read it. */
  readonly folder: string
  /** The keys of folders that are read as columns. */
  readonly keys: readonly string[]
  /** Whether lines that are no records are left out and returned; else they are an error. */
  readonly sorts: boolean
  /** The size of the longest record in bytes that a source may have. */
  readonly mostBytes: number
  readonly signal?: AbortSignal | undefined
  readonly onBytes?: (bytes: number) => void
}

export interface TextFile {
  readonly path: string
  /** The same text where it can be read: another file for one that is packed as `.zst`. */
  readonly readable: string
  readonly layout: TextLayout
  readonly survey: Survey
  /** The SHA-256 of the file. */
  readonly hash: string
}

export interface TextLook {
  readonly files: readonly TextFile[]
  readonly groups: readonly CsvGroup[]
  readonly records: number
  /** The lines that are no records, by their files. */
  readonly bad: readonly (RejectedLine & { readonly path: string })[]
}

/** So many layouts are read beside each other; more become one file, because a query of that many parts costs their square. */
const mostLayouts = 8

/** Returns none for files without text. Throws `TextFileError` for what cannot be read. */
export async function lookAtText(
  paths: readonly string[],
  options: FileOptions,
  work: TextWork,
): Promise<TextLook> {
  const files: TextFile[] = []
  for (const [index, path] of paths.entries()) {
    const readable = isZstd(path) ? await unpackedZstd(path, index, work) : path
    const layout = await findLayout(readable, options)
    if (layout === undefined) continue
    const file = { ...(await surveyed(readable, layout, options, work)), path }
    refuseUnreadable(file, work)
    files.push(file)
  }
  const bad: (RejectedLine & { readonly path: string })[] = []
  const records = files.reduce((sum, { survey }) => sum + survey.records, 0)
  const isPadded = options.nullPadding === true
  const onBad = (path: string) => (line: RejectedLine) => void bad.push({ ...line, path })
  const writing = { ...work, isPadded, onBad, options }
  if (new Set(files.map(({ layout }) => layoutKey(layout, options))).size > mostLayouts)
    return { files, groups: [await unitedRecords(files, writing)], records, bad }
  const groups = new Map<string, CsvGroup>()
  for (const [index, file] of files.entries()) {
    const { layout, survey } = file
    const isUnreadable = hidesPacking(file.readable) || (isZstd(file.path) && work.keys.length > 0)
    const isRewritten = survey.isOdd || survey.bad.count > 0 || isUnreadable
    const copy = isRewritten ? await copyRecords(file, index, writing) : file.readable
    const longest = survey.longest.bytes
    add(
      groups,
      copy,
      layout,
      readParameters(layout, options, { isRewritten, endings: survey.endings, longest }),
    )
  }
  return { files, groups: [...groups.values()], records, bad }
}

function layoutKey(layout: TextLayout, options: FileOptions): string {
  return JSON.stringify([
    readParameters(layout, options, { isRewritten: true, endings: [], longest: 0 }),
    layout.columns,
  ])
}

function add(groups: Map<string, CsvGroup>, file: string, layout: TextLayout, parameters: string): void {
  const { columns, guesses } = layout
  const key = JSON.stringify([parameters, columns])
  const group = groups.get(key)
  const files = [...(group?.files ?? []), file]
  groups.set(key, { files, parameters, columns, guesses: group?.guesses ?? guesses })
}

const glancedLines = 2000

/** Returns the files by layout as their beginnings show it, without reading more of them. */
export async function glanceAtText(
  paths: readonly string[],
  options: FileOptions,
  unpacking: Unpacking,
): Promise<readonly CsvGroup[]> {
  const groups = new Map<string, CsvGroup>()
  for (const [index, path] of paths.entries()) {
    if ((await stat(path)).size === 0) continue
    const layout = await findLayout(
      isZstd(path) ? await unpackedZstd(path, index, { ...unpacking, lines: glancedLines }) : path,
      options,
    )
    if (layout === undefined) continue
    add(
      groups,
      path,
      layout,
      readParameters(layout, options, { isRewritten: false, endings: [], longest: 0 }),
    )
  }
  return [...groups.values()]
}

async function surveyed(
  path: string,
  layout: TextLayout,
  options: FileOptions,
  { signal, onBytes }: TextWork,
): Promise<TextFile> {
  const hash = createHash('sha256')
  const survey = await surveyText(path, layout, {
    signal,
    isPadded: options.nullPadding === true,
    onBytes: bytes => {
      hash.update(bytes)
      onBytes?.(bytes.length)
    },
  })
  return { path, readable: path, layout, survey, hash: hash.digest('hex') }
}

function refuseUnreadable({ path, survey }: TextFile, { sorts, mostBytes }: TextWork): void {
  const { openQuote, longest, bad } = survey
  if (openQuote !== undefined) {
    throw new TextFileError(path, 'a quote is not closed, and the lines behind it cannot be told apart', {
      line: openQuote,
      hint: 'Close the quote, or say how values are quoted with ingest.options.quote.',
    })
  }
  if (longest.bytes > mostBytes) {
    throw new TextFileError(
      path,
      `the record has ${longest.bytes} bytes, more than limits.record (${mostBytes})`,
      {
        line: longest.line,
        hint: 'Raise ingest.limits.record if that is right; a quote that is not closed makes one record of many lines.',
      },
    )
  }
  if (bad.first !== undefined && !sorts) {
    const more = bad.count === 1 ? '' : `, and ${bad.count - 1} more lines are no records`
    throw new TextFileError(path, `${bad.first.reason}${more}`, {
      line: bad.first.line,
      hint: 'Repair the lines, or keep them in svc_rejects with contract: {evolution: {types: discard_row}}. options: {null_padding: true} fills lines that end early.',
    })
  }
}
