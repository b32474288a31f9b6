/**
 * The only writer of stdout and stderr: data go to stdout, everything else to stderr (decisions 3). If a
 * reader ends early (`svc sample x | head -1`), further output is dropped without an error.
 */
import { createStyle, type Style, wantsColor } from './style.ts'
import { withoutControls, withoutTurns } from './width.ts'

/** The part of a process stream that is needed here; tests provide their own. */
export interface Sink {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
}

export type Output = ReturnType<typeof createOutput>

export interface Channel {
  readonly style: Style
  readonly isTerminal: boolean
  /** Returns the width for text, limited to a readable range. */
  readonly width: () => number
  /** Returns the real width of the terminal; 80 if there is none. */
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
  /** Applied last to data: removes known secrets and changes nothing else. */
  readonly redactData: (text: string) => string
  /** Applied last to messages: also removes everything that looks like a secret. */
  readonly redactMessage: (text: string) => string
}

const widthWithoutTerminal = 80
const widestText = 120

export function createOutput(options: OutputOptions) {
  return {
    /** The channel for data. */
    out: channel(options.out, options, options.redactData),
    /** The channel for everything else. */
    err: channel(options.err, options, options.redactMessage),
    /**
     * Applied last to text that is stored: removes secrets of the project and everything that looks like a
     * secret.
     */
    redact: options.redactMessage,
  }
}

function channel(sink: Sink, options: OutputOptions, redact: (text: string) => string): Channel {
  const isTerminal = sink.isTTY === true
  const columns = () => sink.columns || widthWithoutTerminal
  const width = () => Math.min(widestText, Math.max(40, columns()))
  const color = wantsColor({ isTerminal, env: options.env, refused: options.noColor })
  return {
    style: createStyle({
      color,
      width: isTerminal ? width() : widthWithoutTerminal,
      isCut: isTerminal,
    }),
    isTerminal,
    width,
    columns,
    rows: () => sink.rows || 24,
    lines: lines => {
      if (lines.length === 0) return
      const text = withoutControls(`${lines.join('\n')}\n`, color)
      // Programs that read a pipe get every other character as it is.
      sink.write(redact(isTerminal ? withoutTurns(text) : text))
    },
    raw: text => {
      sink.write(redact(text))
    },
  }
}
