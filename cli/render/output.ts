/**
 * The only writer of stdout and stderr: data to the first, everything else to the second (decisions 3). A reader that
 * went away (`svc sample x | head -1`) is no error: what comes after is dropped quietly.
 */
import { createStyle, type Style, wantsColor } from './style.ts'
import { withoutControls } from './width.ts'

/** What a stream of the process looks like; tests give their own. */
export interface Sink {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
}

export interface Output {
  /** Data. */
  readonly out: Channel
  /** Everything else. */
  readonly err: Channel
  /** The last thing that happens to a text that is kept: no secret of the project, nothing that looks like one. */
  readonly redact: (text: string) => string
}

export interface Channel {
  readonly style: Style
  readonly isTerminal: boolean
  /** Columns to write text into: never so few that nothing can be said, nor so many that lines get lost. */
  readonly width: () => number
  /** Columns that the terminal really has; 80 where there is none. */
  readonly columns: () => number
  readonly rows: () => number
  lines(lines: readonly string[]): void
  raw(text: string): void
}

export interface OutputOptions {
  readonly out: Sink
  readonly err: Sink
  readonly env: Readonly<Record<string, string | undefined>>
  readonly noColor: boolean
  /** The last thing that happens to data: known secrets are taken out, nothing else is touched. */
  readonly redactData: (text: string) => string
  /** The last thing that happens to messages: whatever looks like a secret is taken out too. */
  readonly redactMessage: (text: string) => string
}

const widthWithoutTerminal = 80
const widestText = 120

export function createOutput(options: OutputOptions): Output {
  return {
    out: channel(options.out, options, options.redactData),
    err: channel(options.err, options, options.redactMessage),
    redact: options.redactMessage,
  }
}

function channel(sink: Sink, options: OutputOptions, redact: (text: string) => string): Channel {
  const isTerminal = sink.isTTY === true
  const columns = () => sink.columns || widthWithoutTerminal
  const width = () => Math.min(widestText, Math.max(40, columns()))
  const color = wantsColor({ isTerminal, env: options.env, refused: options.noColor })
  return {
    style: createStyle({ color, width: isTerminal ? width() : widthWithoutTerminal }),
    isTerminal,
    width,
    columns,
    rows: () => sink.rows || 24,
    lines: lines => {
      if (lines.length > 0) sink.write(redact(withoutControls(`${lines.join('\n')}\n`)))
    },
    raw: text => {
      sink.write(redact(text))
    },
  }
}
