/** Unpacks text files of Zstandard, which this version of Node cannot: the database reads their lines, and writes them as they are. */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { packingOf } from '../../../language/index.ts'
import type { LocalReader } from '../local-reader.ts'
import { escapeGlob, quoteLiteral } from '../quoting.ts'
import { TextFileError } from './decode.ts'

/** A character that no text has between its values. */
const never = '\u0002'

export interface Unpacking {
  readonly local: LocalReader
  readonly folder: string
  /** How many lines are wanted; all by default. */
  readonly lines?: number
}

export function isZstd(path: string): boolean {
  return packingOf(path) === 'zst'
}

/** Returns the path of the lines in the folder. */
export async function unpackedZstd(
  path: string,
  index: number,
  { local, folder, lines }: Unpacking,
): Promise<string> {
  const into = join(folder, `unpacked-${index + 1}.txt`)
  const plain = `compression='zstd', auto_detect=false, header=false, delim='${never}', quote='', escape='', hive_partitioning=false`
  const from = `read_csv(${quoteLiteral(escapeGlob(path))}, ${plain}, max_line_size=${longestLine}, columns={'line': 'VARCHAR'})`
  const layout = `FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '${never}'`
  const limit = lines === undefined ? '' : ` LIMIT ${lines}`
  try {
    await local.rows(`COPY (SELECT line FROM ${from}${limit}) TO ${quoteLiteral(into)} (${layout})`)
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'AbortError') throw error
    throw new TextFileError(path, 'the packed file cannot be read as lines of UTF-8 text', {
      hint: 'Unpack it, or pack it as .gz.',
    })
  }
  chmodSync(into, 0o600)
  return into
}

const longestLine = 64 << 20
