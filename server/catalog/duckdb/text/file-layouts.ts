/** The layouts of text files as the lock and `svc inspect` have them. */
import type { FileLayout, FileOptions, LineEnds } from '../../../language/index.ts'
import { findLayout, type TextLayout } from './find-layout.ts'
import { isZstd, type Unpacking, unpackedZstd } from './unpack-zstd.ts'

const kinds: Readonly<Record<string, LineEnds>> = { lf: 'lf', crlf: 'crlf', cr: 'cr' }

/** `endings`: the kinds of line ends of the file. */
export function fileLayout(layout: TextLayout, endings: readonly string[]): FileLayout {
  const { encoding, dialect, header, hasQuotes, skipped } = layout
  const { delimiter, quote, escape: mark, comment } = dialect
  const written = endings.flatMap(ending => kinds[ending] ?? [])
  return {
    encoding,
    delimiter,
    quote: hasQuotes ? quote : undefined,
    escape: hasQuotes && mark !== quote ? mark : undefined,
    comment,
    header: header !== undefined,
    skip: skipped,
    line_ends: written.length > 1 ? 'mixed' : written[0],
  }
}

const glancedLines = 2000

/** Returns how each of the files is written, as their beginnings show it; without files that have no text. */
export async function glanceAtLayouts(
  paths: readonly string[],
  options: FileOptions,
  unpacking: Unpacking,
): Promise<readonly { readonly path: string; readonly layout: FileLayout }[]> {
  const found: { readonly path: string; readonly layout: FileLayout }[] = []
  for (const [index, path] of paths.entries()) {
    const readable = isZstd(path)
      ? await unpackedZstd(path, index, { ...unpacking, lines: glancedLines })
      : path
    const layout = await findLayout(readable, options)
    if (layout !== undefined) found.push({ path, layout: fileLayout(layout, layout.endings) })
  }
  return found
}
