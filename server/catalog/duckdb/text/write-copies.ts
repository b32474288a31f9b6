/** Copies of text files: the records of one in the plain dialect, or those of many layouts as one file of JSON lines. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type FileOptions, partitionPath } from '../../../language/index.ts'
import type { CsvGroup } from '../csv-from.ts'
import type { TextFile, TextWork } from './look-at-text.ts'
import { readParameters } from './read-parameters.ts'
import { type RejectedLine, type RewrittenRecord, rewriteText } from './rewrite.ts'

export interface Copying extends Pick<TextWork, 'folder' | 'keys' | 'signal'> {
  readonly isPadded: boolean
  readonly options: FileOptions
  readonly onBad: (path: string) => (line: RejectedLine) => void
}

/** Returns the path of the copy. */
export async function copyRecords(file: TextFile, index: number, copying: Copying): Promise<string> {
  const path = join(folderFor(file.path, index, copying), `text-${index + 1}.csv`)
  const into = newFile(path)
  into.write(Buffer.from('-'))
  try {
    await rewrite(file, copying, record => into.write(record.bytes()))
  } finally {
    into.close()
  }
  return path
}

/** Returns all records as one group with the columns of all files. A column is called as the first file calls it. */
export async function unitedRecords(files: readonly TextFile[], copying: Copying): Promise<CsvGroup> {
  const names = new Map<string, string>()
  const guesses: string[] = []
  for (const { layout } of files) {
    layout.columns.forEach((name, index) => {
      const key = name.toLowerCase()
      if (names.has(key)) return
      names.set(key, name)
      guesses.push(layout.guesses[index] ?? 'VARCHAR')
    })
  }
  const paths: string[] = []
  let into: ReturnType<typeof newFile> | undefined
  let open: string | undefined
  let longest = 0
  try {
    for (const [index, file] of files.entries()) {
      const folder = partitionsOf(file.path, copying)
      if (into === undefined || folder !== open) {
        into?.close()
        open = folder
        const path = join(folderFor(file.path, index, copying), `text-${index + 1}.ndjson`)
        into = newFile(path)
        paths.push(path)
      }
      const { write } = into
      const keys = file.layout.columns.map(name => JSON.stringify(names.get(name.toLowerCase())))
      await rewrite(file, copying, record => {
        const line = Buffer.from(jsonLine(keys, record, copying.options))
        longest = Math.max(longest, line.length)
        write(line)
      })
    }
  } finally {
    into?.close()
  }
  const first = files[0] as TextFile
  const parameters = readParameters(first.layout, copying.options, {
    isRewritten: true,
    endings: [],
    longest: 0,
  })
  return { files: paths, parameters, columns: [...names.values()], guesses, jsonLines: { longest } }
}

/** Empty values, and those that mean NULL, are left out. */
function jsonLine(
  keys: readonly string[],
  { values }: RewrittenRecord,
  { nullStrings = [] }: FileOptions,
): string {
  const members = values().flatMap((value, index) =>
    value === '' || nullStrings.includes(value) ? [] : [`${keys[index]}:${JSON.stringify(value)}`],
  )
  return `{${members.join(',')}}`
}

async function rewrite(
  { path, readable, layout }: TextFile,
  { isPadded, onBad, signal }: Copying,
  onRecord: (record: RewrittenRecord) => void,
): Promise<void> {
  await rewriteText(readable, layout, { isPadded, onBad: onBad(path), signal, onRecord })
}

function partitionsOf(path: string, { keys }: Copying): string {
  return keys.length === 0 ? '' : partitionPath(path.replaceAll('\\', '/'))
}

/** A copy keeps the folders of its file that are columns. */
function folderFor(path: string, index: number, copying: Copying): string {
  if (copying.keys.length === 0) return copying.folder
  const folder = join(copying.folder, 'folders', `text-${index + 1}`, partitionsOf(path, copying))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

const blockSize = 1 << 20

/** The file is private, because records may hold personal data. */
function newFile(path: string) {
  const file = openSync(path, 'w', 0o600)
  let block = Buffer.allocUnsafe(blockSize)
  let used = 0
  const flush = () => {
    for (let at = 0; at < used; ) at += writeSync(file, block, at, used - at)
    used = 0
  }
  return {
    /** Writes a line. */
    write(line: Buffer): void {
      if (used + line.length + 1 > block.length) flush()
      if (line.length + 1 > block.length) block = Buffer.allocUnsafe(line.length + 1)
      used += line.copy(block, used)
      block[used++] = 10
    },
    close(): void {
      flush()
      closeSync(file)
    },
  }
}
