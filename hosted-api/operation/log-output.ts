/**
 * Standard output as the destination of the log. pino's own destination flushes for ever once the reader of a pipe is gone, and
 * holds up every request meanwhile; here a log that nobody reads any more ends no duty: its lines are dropped.
 */
import { write, writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/** Lines are gathered up to this many bytes, or for a second. */
const gatheredBytes = 4096
const gatheredMs = 1000
/** A reader that is too slow for so much loses lines, and not the service its memory. */
const mostBytes = 16 * 2 ** 20

export interface LogOutput extends DestinationStream {
  /** Resolves when all lines are written or lost, and after a second in any case: a reader may have stopped reading. */
  flush(): Promise<void>
}

/** @param file a descriptor: 1 is standard output */
export function logOutput(file: number): LogOutput {
  let waiting: string[] = []
  let bytes = 0
  let writing: Promise<void> | undefined
  let isLost = false

  const take = () => {
    const text = waiting.join('')
    waiting = []
    bytes = 0
    return text
  }
  const writeOn = async () => {
    while (waiting.length > 0 && !isLost) isLost = !(await written(file, take()))
  }
  const begin = () => {
    writing ??= writeOn().finally(() => {
      writing = undefined
    })
    return writing
  }
  setInterval(() => void begin(), gatheredMs).unref()
  // What an exit in the middle would lose, unless a write waits for a reader already.
  process.on('exit', () => {
    if (writing === undefined && !isLost && waiting.length > 0) writeNow(file, take())
  })
  return {
    write(line) {
      if (isLost || bytes > mostBytes) return
      waiting.push(line)
      bytes += line.length
      if (bytes >= gatheredBytes) void begin()
    },
    async flush() {
      const second = new Promise<void>(resolve => setTimeout(resolve, gatheredMs).unref())
      await Promise.race([begin(), second])
    },
  }
}

/** Resolves to false when nobody reads the file any more. */
function written(file: number, text: string): Promise<boolean> {
  const data = Buffer.from(text)
  return new Promise(resolve => {
    const from = (start: number) =>
      write(file, data, start, data.length - start, null, (error, count) => {
        if (error?.code === 'EAGAIN') setTimeout(() => from(start), 50)
        else if (error !== null) resolve(false)
        else if (start + count < data.length) from(start + count)
        else resolve(true)
      })
    from(0)
  })
}

function writeNow(file: number, text: string): void {
  try {
    writeSync(file, text)
  } catch {
    // The reader is gone, or reads nothing: the process ends all the same.
  }
}
