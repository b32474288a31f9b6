/**
 * Standard output as the destination of the log. pino's own destination flushes for ever once the reader of a pipe is gone, and
 * holds up every request meanwhile; here a log that nobody reads any more ends no duty: its lines are dropped.
 */
import { write, writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/** Lines are gathered up to this many bytes, or for a second. */
const gatheredBytes = 4096
const gatheredMs = 1000
/** A reader that is too slow for so much loses lines, and not the service its memory. How many it lost is told in the log. */
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
  let lost = 0
  let isGone = false

  const take = () => {
    const taken = {
      text: waiting.join('') + (lost === 0 ? '' : lossLine(lost)),
      count: waiting.length + lost,
    }
    waiting = []
    bytes = 0
    lost = 0
    return taken
  }
  const writeOn = async () => {
    while (waiting.length > 0 && !isGone) {
      const { text, count } = take()
      const end = await written(file, text)
      isGone = end === 'gone'
      // A full disk may have room again.
      if (end === 'failed') {
        lost += count
        return
      }
    }
  }
  const begin = () => {
    writing ??= writeOn().finally(() => {
      writing = undefined
    })
    return writing
  }
  setInterval(() => void begin(), gatheredMs).unref()
  // An exit in the middle would lose these lines. Where a write waits for a reader already, another one would wait too.
  process.on('exit', () => {
    if (writing === undefined && !isGone && waiting.length > 0) writeNow(file, take().text)
  })
  return {
    write(line) {
      if (isGone) return
      if (bytes > mostBytes) {
        lost++
        return
      }
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

function lossLine(count: number): string {
  const line = {
    level: 'warn',
    time: new Date().toISOString(),
    lost_lines: count,
    msg: 'lines of the log were lost',
  }
  return `${JSON.stringify(line)}\n`
}

/** `gone`: nobody reads the file any more. `failed`: it could not be written, and a later text may be. */
function written(file: number, text: string): Promise<'written' | 'gone' | 'failed'> {
  const data = Buffer.from(text)
  return new Promise(resolve => {
    const from = (start: number) =>
      write(file, data, start, data.length - start, null, (error, count) => {
        if (error?.code === 'EAGAIN') setTimeout(() => from(start), 50)
        else if (error !== null) resolve(error.code === 'EPIPE' ? 'gone' : 'failed')
        else if (start + count < data.length) from(start + count)
        else resolve('written')
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
