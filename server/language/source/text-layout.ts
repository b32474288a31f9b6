/**
 * How text files are written, as `schemas.lock.json` keeps it and `svc inspect` shows it: the agreement between a project and
 * its files. What `ingest.options` say is compared with nothing, because the project itself has said it.
 */
import type { FileOptions } from './file-options.ts'

export const lineEndKinds = ['lf', 'crlf', 'cr', 'mixed'] as const
export type LineEnds = (typeof lineEndKinds)[number]

/** Its keys are those of `ingest.options`, where there is such an option. */
export interface FileLayout {
  readonly encoding: string
  /** Empty for files of a single column. */
  readonly delimiter: string
  /** Undefined where no value stands in quotes: such a file fits every quote. */
  readonly quote: string | undefined
  /** Undefined where nothing but a second quote is before a quote. */
  readonly escape: string | undefined
  /** Empty for none. */
  readonly comment: string
  readonly header: boolean
  /** The number of lines above the header, or above the first record. */
  readonly skip: number
  /** Undefined for a file without a line end. */
  readonly line_ends: LineEnds | undefined
}

export interface LayoutDifference {
  readonly key: keyof FileLayout
  readonly before: string | number | boolean
  readonly now: string | number | boolean
}

const usualQuote = '"'

interface LayoutKey {
  /** Returns what the options say of it; undefined if nothing. */
  readonly said: (options: FileOptions) => string | number | boolean | undefined
  readonly isSame: (found: FileLayout, agreed: FileLayout) => boolean
  readonly shown: (layout: FileLayout) => string | number | boolean
  /** Returns whether a layout cannot be one of files that are read by what the options say. */
  readonly contradicts: (layout: FileLayout, said: string | number | boolean) => boolean
}

const keys: Readonly<Record<keyof FileLayout, LayoutKey>> = {
  encoding: {
    said: ({ encoding }) => encoding,
    isSame: (found, agreed) => found.encoding === agreed.encoding,
    shown: ({ encoding }) => encoding,
    contradicts: ({ encoding }, said) => !encoding.startsWith(String(said)),
  },
  delimiter: {
    said: ({ delimiter }) => delimiter,
    isSame: (found, agreed) => found.delimiter === agreed.delimiter,
    shown: ({ delimiter }) => delimiter,
    contradicts: ({ delimiter }, said) => delimiter !== said,
  },
  quote: {
    said: ({ quote }) => quote,
    isSame: (found, agreed) => found.quote === undefined || found.quote === (agreed.quote ?? usualQuote),
    shown: ({ quote }) => quote ?? usualQuote,
    contradicts: ({ quote }, said) => quote !== undefined && quote !== said,
  },
  escape: {
    said: ({ escape: mark }) => mark,
    isSame: (found, agreed) => found.escape === undefined || found.escape === agreed.escape,
    shown: ({ quote, escape: mark }) => mark ?? quote ?? usualQuote,
    contradicts: ({ escape: mark }, said) => mark !== undefined && mark !== said,
  },
  comment: {
    // A comment sign counts only where it is given, so that nothing is found of it.
    said: ({ comment }) => comment ?? '',
    isSame: () => true,
    shown: ({ comment }) => comment,
    contradicts: ({ comment }, said) => comment !== said,
  },
  header: {
    said: ({ header }) => header,
    isSame: (found, agreed) => found.header === agreed.header,
    shown: ({ header }) => header,
    contradicts: ({ header }, said) => header !== said,
  },
  skip: {
    said: ({ skip }) => skip,
    isSame: (found, agreed) => found.skip === agreed.skip,
    shown: ({ skip }) => skip,
    // Empty lines may follow those that are skipped.
    contradicts: ({ skip }, said) => skip < Number(said),
  },
  line_ends: {
    said: () => undefined,
    // LF and CRLF are read alike, and git changes one into the other from machine to machine.
    isSame: (found, agreed) =>
      found.line_ends === undefined || (found.line_ends === 'cr') === (agreed.line_ends === 'cr'),
    shown: ({ line_ends }) => line_ends ?? '',
    contradicts: () => false,
  },
}

const names = Object.keys(keys) as (keyof FileLayout)[]

/** Returns how a file differs from the nearest layout that was agreed to: nothing where it fits one of them. */
export function layoutDifferences(
  found: FileLayout,
  agreed: readonly FileLayout[],
  options: FileOptions,
): readonly LayoutDifference[] {
  const each = agreed.map(layout =>
    names.flatMap(key => {
      const { said, isSame, shown } = keys[key]
      if (said(options) !== undefined || isSame(found, layout)) return []
      return [{ key, before: shown(layout), now: shown(found) }]
    }),
  )
  return each.reduce((nearest, next) => (next.length < nearest.length ? next : nearest), each[0] ?? [])
}

/** Returns the layouts to which the options still agree. */
export function layoutsUnder(options: FileOptions, layouts: readonly FileLayout[]): readonly FileLayout[] {
  return layouts.filter(layout =>
    names.every(key => {
      const said = keys[key].said(options)
      return said === undefined || !keys[key].contradicts(layout, said)
    }),
  )
}

/** Returns the layouts with those that none of them fits, in their order. */
export function unitedLayouts(
  agreed: readonly FileLayout[],
  found: readonly FileLayout[],
  options: FileOptions,
): readonly FileLayout[] {
  const united = [...agreed]
  for (const layout of found) {
    if (united.length === 0 || layoutDifferences(layout, united, options).length > 0) united.push(layout)
  }
  return united
}

/** Returns the entry of the lock: what is usual is left out. */
export function layoutEntry(layout: FileLayout): Readonly<Record<string, unknown>> {
  const { encoding, delimiter, quote, escape: mark, comment, header, skip, line_ends } = layout
  return {
    encoding,
    delimiter,
    ...(quote === undefined ? {} : { quote }),
    ...(mark === undefined ? {} : { escape: mark }),
    ...(comment === '' ? {} : { comment }),
    header,
    ...(skip === 0 ? {} : { skip }),
    ...(line_ends === undefined ? {} : { line_ends }),
  }
}

/** Returns undefined for what is no layout. */
export function readLayout(entry: Readonly<Record<string, unknown>>): FileLayout | undefined {
  const { encoding, delimiter, quote, escape: mark, comment, header, skip, line_ends } = entry
  if (typeof encoding !== 'string' || typeof delimiter !== 'string' || typeof header !== 'boolean')
    return undefined
  return {
    encoding,
    delimiter,
    quote: typeof quote === 'string' ? quote : undefined,
    escape: typeof mark === 'string' ? mark : undefined,
    comment: typeof comment === 'string' ? comment : '',
    header,
    skip: typeof skip === 'number' ? skip : 0,
    line_ends: lineEndKinds.find(kind => kind === line_ends),
  }
}
