import { describe, expect, it, test } from 'vitest'
import { contrast, readColour } from '../../../webview/graph/colour.ts'
import { hasWord, tagWord, toggledWord } from '../../../webview/store/filter-text.ts'
import { type PaletteItem, paletteHits } from '../../../webview/store/palette.ts'
import { barHeights, lineSegments } from '../../../webview/store/plot.ts'
import { hasEarlier } from '../../../webview/store/roll-back.ts'
import {
  linesWith,
  newRunLog,
  summaryOf,
  textOf,
  titleOf,
  withEvents,
} from '../../../webview/store/run-log.ts'
import { sqlTokens } from '../../../webview/store/sql-tokens.ts'
import { piecesOf, plainText } from '../../../webview/store/terminal-text.ts'
import { agoOf, durationOf, numberOf, percentOf, spanOf } from '../../../webview/store/words.ts'
import { legibleColours } from '../../../webview/views/legible-theme.ts'

const of = (selector: string) => ({ runId: 'r', kind: 'run', selector }) as const

test('a first deployment has nothing to go back to, a second one and a rollback have', () => {
  const runs = (...generations: (number | null)[]) => generations.map(generation => ({ generation }))
  expect([runs(), runs(null, 1), runs(1, 1)].map(hasEarlier)).toEqual([false, false, false])
  expect(hasEarlier(runs(2, null, 1))).toBe(true)
})

describe('words', () => {
  const now = Date.parse('2026-05-01T12:00:00Z')

  it.each([
    ['2026-05-01T11:59:30Z', 'just now'],
    ['2026-05-01T11:59:00Z', '1 minute ago'],
    ['2026-05-01T10:00:00Z', '2 hours ago'],
    ['2026-05-01T12:05:00Z', 'in 5 minutes'],
    ['2025-04-01T12:00:00Z', '1 year ago'],
    ['yesterday', 'yesterday'],
  ])('%s is %s', (iso, words) => expect(agoOf(iso, now)).toBe(words))

  it.each([
    [0.009, '9 ms'],
    [0.9996, '1.0 s'],
    [59.96, '1 min 0 s'],
    [185, '3 min 5 s'],
    [7260, '2 h 1 min'],
  ])('%d seconds are %s', (seconds, words) => expect(durationOf(seconds)).toBe(words))

  it('thresholds are said as they are written', () => {
    expect([43_200, 86_400, 172_800, 90, 600].map(spanOf)).toEqual([
      '12 h',
      '1 day',
      '2 days',
      '90 s',
      '10 min',
    ])
  })

  it('one failure in a thousand is not 100%, one pass is not 0%', () => {
    expect([0.999, 1, 0.001, 0, 0.5].map(percentOf)).toEqual(['99%', '100%', '1%', '0%', '50%'])
    expect(numberOf(2998611)).toBe('2,998,611')
  })
})

describe('the palette', () => {
  const item = (label: string, detail = '', kind: PaletteItem['kind'] = 'model'): PaletteItem => ({
    id: label,
    label,
    detail,
    kind,
  })
  const items = [
    item('stg_orders'),
    item('orders_daily'),
    item('orders'),
    item('customers', 'everybody who has orders'),
    item('reorders'),
    item('daily_delays'),
    item('Run orders', '', 'action'),
  ]
  const names = (typed: string, recent?: string[]) =>
    paletteHits(items, typed, recent).map(hit => hit.item.label)

  it('ranks the name, its beginning, the beginning of a word, a part, then descriptions', () => {
    expect(names('orders')).toEqual([
      'orders',
      'orders_daily',
      'stg_orders',
      'Run orders',
      'reorders',
      'customers',
    ])
  })

  it('wants every word, finds initials, and takes signs as signs', () => {
    expect(names('daily orders')).toEqual(['orders_daily'])
    expect(names('dd')).toEqual(['daily_delays'])
    expect(names('.*')).toEqual([])
  })

  it('shows what was opened last before anything is typed, then actions', () => {
    expect(names('', ['reorders', 'gone']).slice(0, 2)).toEqual(['reorders', 'Run orders'])
  })

  it('marks what was typed, once where words overlap', () => {
    expect(paletteHits(items, 'order orders_d')[0]?.marks).toEqual([[0, 8]])
  })
})

describe('a line of a terminal', () => {
  it('keeps colours and weight, and resets them', () => {
    expect(piecesOf('\u001b[1;32m✓\u001b[0m ok \u001b[90mdim\u001b[39m')).toEqual([
      { text: '✓', colour: 'green', bold: true, dim: false, underline: false },
      { text: ' ok ', colour: undefined, bold: false, dim: false, underline: false },
      { text: 'dim', colour: 'black', bold: false, dim: false, underline: false },
    ])
  })

  it.each([
    [
      'colours of 256 and of 24 bits do not spill into other codes',
      '\u001b[38;5;1m\u001b[48;2;1;4;31ma',
      'a',
    ],
    ['cursor moves', '\u001b[2Kdone\u001b[1A', 'done'],
    ['titles and links', '\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b\u001b]8;;\u001b\\', 'ab'],
    ['an escape cut off at the end', 'a\u001b[3', 'a'],
    ['bells and backspaces', 'a\u0007\u0008b\tc', 'ab\tc'],
    ['what was written over', '10%\r50%\r100%\r', '100%'],
  ])('takes away: %s', (_name, line, shown) => {
    expect(plainText(line)).toBe(shown)
    expect(piecesOf(line).every(piece => piece.colour === undefined && !piece.underline)).toBe(true)
  })

  it('never leaves a control character, whatever comes', () => {
    let seed = 7
    const next = () => {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff
      return seed
    }
    const alphabet = [
      '\u001b',
      '[',
      ']',
      ';',
      'm',
      '3',
      '1',
      '\u0007',
      '\\',
      'P',
      'x',
      ' ',
      '\u009b',
      '<',
      '\n',
    ]
    for (let round = 0; round < 2000; round++) {
      const line = Array.from({ length: next() % 30 }, () => alphabet[next() % alphabet.length]).join('')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
      expect(plainText(line)).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/)
    }
  })
})

describe('SQL to read', () => {
  const kinds = (text: string) =>
    sqlTokens(text).flatMap(token => (token.kind === 'plain' ? [] : [token.kind]))

  it('tells keywords, functions, strings, numbers, comments, names and template tags', () => {
    const text = `SELECT count(*), 'it''s -- no', "a b", 1.5 -- yes\nFROM {{ ref('orders') }} /* x */`
    expect(kinds(text)).toEqual([
      'keyword',
      'function',
      'string',
      'name',
      'number',
      'comment',
      'keyword',
      'template',
      'comment',
    ])
  })

  it('is the text again, also where it is broken', () => {
    for (const text of ["SELECT 'open", '/* open', '{{ open', '"', '', 'a1b2 \u00e4\u{1f600} $1']) {
      expect(
        sqlTokens(text)
          .map(token => token.text)
          .join(''),
      ).toBe(text)
    }
  })
})

describe('the log of a run', () => {
  const line = (number: number, text: string, asset: string | null = null) =>
    ({ id: `r:${number}`, type: 'log', line: text, asset }) as const

  it('keeps the newest lines', () => {
    const lines = Array.from({ length: 10_005 }, (_, at) => line(at, `line ${at}`))
    const log = withEvents(withEvents(newRunLog(of('orders')), lines.slice(0, 9000)), lines.slice(9000))
    expect(log.lines).toHaveLength(10_000)
    expect(log.lines[0]).toEqual({ text: 'line 5', asset: null })
    expect(log.lines.at(-1)?.text).toBe('line 10004')
  })

  it('is searched as it is seen, and copied without colours', () => {
    const log = withEvents(newRunLog(of('orders')), [
      line(0, '\u001b[32mBuilt\u001b[0m orders', 'orders'),
      line(1, 'built places', 'places'),
    ])
    expect(linesWith(log, null, 'BUILT ORD').map(each => each.asset)).toEqual(['orders'])
    expect(textOf(linesWith(log, 'places', 'built'))).toBe('built places\n')
    expect(linesWith(log, 'orders', '32m')).toEqual([])
  })

  it('says where it is', () => {
    const step = (asset: string, status: 'running' | 'done') =>
      ({ id: 'r:0', type: 'status', asset, status, rows: null, seconds: null }) as const
    const log = withEvents(newRunLog(of('orders')), [step('a', 'done'), step('b', 'running')])
    expect(summaryOf(log)).toBe('running, 1 of 2 assets done')
    expect(summaryOf({ ...log, connection: 'lost' })).toBe('reconnecting; the run goes on')
    const end = {
      id: 'r:9',
      type: 'end',
      status: 'Failed',
      verdict: 'Failed',
      warned: 0,
      exit_code: 1,
      seconds: 2,
      reason: 'a test failed',
    } as const
    expect(summaryOf(withEvents(log, [end]))).toBe('Failed (exit code 1): a test failed')
    const killed = { ...end, status: 'killed', verdict: 'Killed', exit_code: null, reason: null } as const
    expect(summaryOf(withEvents(log, [killed]))).toBe('Killed')
    const warned = {
      ...end,
      status: 'deployed',
      verdict: 'Deployed in part',
      warned: 2,
      reason: null,
    } as const
    expect(summaryOf(withEvents(log, [warned]))).toBe('Deployed in part with 2 warnings (exit code 1)')
  })

  it('is called what it is', () => {
    const titles = (['run', 'rollback', 'preview', 'promote'] as const).map(kind =>
      titleOf({ ...of('orders'), kind }),
    )
    expect(titles).toEqual(['Run orders', 'Rollback of orders', 'Preview of orders', 'Promotion of orders'])
    expect(titleOf(of('everything'))).toBe('Run of everything')
  })
})

describe('plots', () => {
  it('show a bar for the smallest value and none for a missing one', () => {
    expect(barHeights([100, 0, null, 50], 20)).toEqual([20, 2, 0, 10])
  })

  it('break the line where a value is missing, and begin at 0 unless values are far from it', () => {
    expect(lineSegments([0, 10, null, 5], 30, 10)).toEqual([
      [
        { x: 0, y: 10 },
        { x: 10, y: 0 },
      ],
      [{ x: 30, y: 5 }],
    ])
    expect(lineSegments([1000, 1010], 10, 10)[0]?.[0]?.y).toBeLessThan(10)
    expect(lineSegments([7], 10, 10)).toEqual([[{ x: 5, y: 5 }]])
    expect(lineSegments([], 10, 10)).toEqual([])
  })
})

describe('words of a filter', () => {
  it('are switched on and off without touching the others', () => {
    expect(toggledWord('+orders,  !stg_*', 'tag:core')).toBe('+orders !stg_* tag:core')
    expect(toggledWord('tag:core +orders', 'tag:core')).toBe('+orders')
    expect([hasWord('tag:cores', 'tag:core'), hasWord('x,tag:core', 'tag:core')]).toEqual([false, true])
  })

  it('are one word where a tag has a space', () => {
    const word = tagWord('night shift')
    expect(word).toBe('tag:"night shift"')
    expect(hasWord(toggledWord('a', word), word)).toBe(true)
    expect(toggledWord(`a ${word} b`, word)).toBe('a b')
  })
})

describe('colours of words', () => {
  // VS Code's own light theme: its green is for icons.
  const theme: Readonly<Record<string, string>> = {
    '--vscode-editor-background': '#ffffff',
    '--vscode-sideBar-background': '#f8f8f8',
    '--vscode-textLink-foreground': '#005fb8',
    '--vscode-testing-iconPassed': '#73c991',
    '--vscode-editorWarning-foreground': '#bf8803',
  }

  it('can be read on every ground, and are left alone where they can already', () => {
    const colours = legibleColours(variable => theme[variable] ?? '')
    for (const name of ['--pass', '--warn', '--accent']) {
      const colour = readColour(colours.get(name) ?? '') ?? [0, 0, 0, 0]
      for (const ground of ['#ffffff', '#f8f8f8', '#d6e5f4'])
        expect(contrast(colour, readColour(ground) ?? [0, 0, 0, 1]), name).toBeGreaterThan(4.5)
    }
    expect(colours.get('--accent')).toBe('rgb(0 95 184)')
    expect(colours.has('--fail')).toBe(false)
    expect(legibleColours(() => '').size).toBe(0)
  })
})
