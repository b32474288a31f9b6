import { describe, expect, it } from 'vitest'
import { renderError } from '../../cli/render/error.ts'
import { renderFrame } from '../../cli/render/frame.ts'
import {
  countOf,
  formatAge,
  formatBytes,
  formatCount,
  formatRate,
  formatSeconds,
} from '../../cli/render/numbers.ts'
import { createOutput } from '../../cli/render/output.ts'
import { createStyle, wantsColor } from '../../cli/render/style.ts'
import { renderTable } from '../../cli/render/table.ts'
import { displayWidth, oneLine, padEnd, truncate, wrap } from '../../cli/render/width.ts'
import { formatDuration } from '../../server/language/schema/formats.ts'

const plain = createStyle({ color: false, width: 80 })
const colored = createStyle({ color: true, width: 80 })

describe('figures', () => {
  it.each([
    [0.009, '9 ms'],
    [0.31, '0.31 s'],
    [3.14, '3.1 s'],
    [59.97, '1 min 0 s'],
    [125, '2 min 5 s'],
    [3840, '1 h 4 min'],
  ])('%d seconds', (seconds, text) => expect(formatSeconds(seconds)).toBe(text))

  it.each([
    [812, '812 bytes'],
    [999.6, '1.0 kB'],
    [12_400_000, '12 MB'],
    [1_440_000_000, '1.4 GB'],
  ])('%d bytes', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

  it('counts, ages and limits', () => {
    expect(formatCount(3_000_000)).toBe('3,000,000')
    expect(countOf(1, 'row')).toBe('1 row')
    expect(countOf(0, 'row')).toBe('0 rows')
    expect(formatAge(7300)).toBe('2 hours ago')
    expect(formatAge(3)).toBe('just now')
    expect(formatDuration(43_200_000)).toBe('12h')
    expect(formatDuration(90_000)).toBe('90s')
    expect(formatDuration(1500)).toBe('1500ms')
  })

  it('a rate only where it means something', () => {
    expect(formatRate(3_000_000, 1.43)).toBe('2.1 M rows/s')
    expect(formatRate(90_000, 2)).toBe('45 k rows/s')
    expect(formatRate(10, 2)).toBeUndefined()
    expect(formatRate(1_000_000, 0.01)).toBeUndefined()
  })
})

describe('columns of a terminal', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['👩‍👩‍👧', 2],
    ['é', 1],
    ['\u001b[31mred\u001b[39m', 3],
    ['✓', 1],
    ['', 0],
  ])('%s', (text, width) => expect(displayWidth(text)).toBe(width))

  it('of what is counted without looking at clusters is the same as with it', () => {
    for (let code = 0x20; code < 0x3000; code++) {
      const character = String.fromCharCode(code)
      expect(displayWidth(character), code.toString(16)).toBe(displayWidth(`🙂\n${character}`) - 2)
    }
  })

  it('pads and cuts by columns, not by characters', () => {
    expect(padEnd('日本', 6)).toBe('日本  ')
    expect(truncate('日本語テキスト', 7)).toBe('日本語…')
    expect(truncate('short', 7)).toBe('short')
  })

  it('wraps at spaces and keeps long words whole', () => {
    expect(wrap('aa bb cc', 5)).toEqual(['aa bb', 'cc'])
    expect(wrap('a verylongword b', 6)).toEqual(['a', 'verylongword', 'b'])
  })

  it('keeps what would move the cursor out of a line', () => {
    expect(oneLine('a\nb\tc\u001b[2J')).toBe('a↵b→c�[2J')
  })

  it('aligns a table with wide characters and no blanks at line ends', () => {
    expect(
      renderTable(
        [{ title: 'Name' }, { title: 'Rows', align: 'right' }],
        [
          ['日本', '7'],
          ['x', '1,000'],
        ],
        plain,
      ),
    ).toEqual(['Name   Rows', '日本      7', 'x     1,000'])
  })
})

describe('colours', () => {
  const env = {}
  it('follow the terminal, NO_COLOR, FORCE_COLOR and --no-color', () => {
    expect(wantsColor({ isTerminal: true, env, refused: false })).toBe(true)
    expect(wantsColor({ isTerminal: false, env, refused: false })).toBe(false)
    expect(wantsColor({ isTerminal: true, env: { NO_COLOR: '1' }, refused: false })).toBe(false)
    expect(wantsColor({ isTerminal: true, env: { NO_COLOR: '' }, refused: false })).toBe(true)
    expect(wantsColor({ isTerminal: false, env: { FORCE_COLOR: '1' }, refused: false })).toBe(true)
    expect(wantsColor({ isTerminal: true, env: { FORCE_COLOR: '0' }, refused: false })).toBe(false)
    expect(wantsColor({ isTerminal: true, env: { FORCE_COLOR: '1' }, refused: true })).toBe(false)
    expect(wantsColor({ isTerminal: true, env: { TERM: 'dumb' }, refused: false })).toBe(false)
  })

  it('dress without changing the width', () => {
    expect(colored.red('x')).toBe('\u001b[31mx\u001b[39m')
    expect(displayWidth(colored.bold(colored.green('done')))).toBe(4)
  })
})

describe('frames', () => {
  const text = 'name: x\ntransform: |\n  SELECT carrier,\n         avg(dely) AS delay\n  FROM t\n'
  const dress = (carets: string) => carets

  it('mark the range in its line and put the hint beside it', () => {
    const start = text.indexOf('dely')
    const frame = renderFrame(
      {
        text,
        range: { start, end: start + 4 },
        hint: 'did you mean "delay"? flights has: date, delay, distance, origin, destination',
        dress,
      },
      plain,
    )
    expect(frame.join('\n')).toMatchInlineSnapshot(`
      "       3 │   SELECT carrier,
             4 │          avg(dely) AS delay
               │              ^^^^ did you mean "delay"? flights has: date, delay,
               │                   distance, origin, destination"
    `)
  })

  it('show the part of a long line that matters', () => {
    const long = `transform: "SELECT ${'column_with_a_name, '.repeat(10)}dely FROM t"`
    const start = long.indexOf('dely')
    const frame = renderFrame({ text: long, range: { start, end: start + 4 }, hint: undefined, dress }, plain)
    expect(frame).toHaveLength(2)
    expect(frame.every(line => displayWidth(line) <= 80)).toBe(true)
    const [source = '', carets = ''] = frame
    expect(source.slice(carets.indexOf('^'), carets.indexOf('^') + 4)).toBe('dely')
  })

  it('mark the end of an empty file and of a range over lines', () => {
    expect(renderFrame({ text: '', range: { start: 0, end: 0 }, hint: undefined, dress }, plain)).toEqual([
      '       1 │ ',
      '         │ ^',
    ])
    const over = renderFrame({ text: 'ab\ncd', range: { start: 1, end: 5 }, hint: undefined, dress }, plain)
    expect(over).toEqual(['       1 │ ab', '         │  ^'])
  })

  it('put carets under wide characters', () => {
    const wide = '日本 x'
    const frame = renderFrame({ text: wide, range: { start: 3, end: 4 }, hint: undefined, dress }, plain)
    expect(frame[1]).toBe('         │      ^')
  })
})

describe('errors', () => {
  it('say what, where and what to do', () => {
    expect(
      renderError(
        {
          message: 'no asset is called "podim"; did you mean "podium"?',
          hint: 'svc ls lists all assets.',
          place: 'a.svc:1:2',
        },
        plain,
      ),
    ).toEqual([
      'error: no asset is called "podim"; did you mean "podium"?',
      '       a.svc:1:2',
      '       svc ls lists all assets.',
    ])
  })
})

describe('what users write', () => {
  const name = 'a\u001b[31mb\u001b[2Jc\u202ed\u2066e\tf'
  const written = (isTTY: boolean, env: Readonly<Record<string, string>>): string => {
    const parts: string[] = []
    const sink = { isTTY, columns: 80, rows: 24, write: (text: string) => parts.push(text) > 0 }
    const redact = (text: string) => text
    createOutput({
      out: sink,
      err: sink,
      env,
      noColor: false,
      redactData: redact,
      redactMessage: redact,
    }).out.lines([name])
    return parts.join('')
  }

  it('does not move a terminal, and shows a person what is there', () => {
    expect(written(true, { NO_COLOR: '1' })).toBe('a\ufffd[31mb\ufffd[2Jc\ufffdd\ufffde\tf\n')
    expect(written(true, {})).toBe('a\u001b[31mb\ufffd[2Jc\ufffdd\ufffde\tf\n')
    expect(written(false, {})).toBe('a\ufffd[31mb\ufffd[2Jc\u202ed\u2066e\tf\n')
  })
})
