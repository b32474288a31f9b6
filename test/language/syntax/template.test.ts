/** Template tags, and SQL compiled from them with the place of every character. */
import { compileSql, parseAsset, scanTemplate, type Tag } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { engine, reading } from '../../support/engine.ts'
import { seededRandom } from '../../support/random.ts'
import { hash } from '../../support/spec-project.ts'

function shown(sql: string): string[] {
  const { tags, problems } = scanTemplate(sql, engine)
  const found = tags.map(tag => {
    const name =
      tag.kind === 'ref' || tag.kind === 'var' ? tag.name : tag.kind === 'source' ? (tag.child ?? '') : ''
    const written =
      'nameRange' in tag && tag.nameRange ? sql.slice(tag.nameRange.start, tag.nameRange.end) : ''
    return `${tag.kind} ${name} ${written}`.trim()
  })
  return [...found, ...problems.map(each => `${each.code}: ${sql.slice(each.range.start, each.range.end)}`)]
}

describe('scanTemplate', () => {
  const cases: [string, string[]][] = [
    ['SELECT 1', []],
    ['FROM {{ source }}', ['source']],
    ['FROM {{source()}}', ['source']],
    ["FROM {{ source( 'lines' ) }}", ['source lines lines']],
    ['FROM {{ref("x")}} JOIN {{  ref ( \'y\' )  }}', ['ref x x', 'ref y y']],
    ['FROM {{ this }}', ['this']],
    ["WHERE a > {{ var('x') }}", ['var x x']],
    ["WHERE a > DATE '{{ var('x') }}'", ['var x x']],
    ["-- {{ ref('x') }}\n/* {{ ref('y') }} /* {{ */ {% */ SELECT", []],
    ["'{{ ref('x') }}'", ['invalid', "invalid-tag: {{ ref('x') }}"]],
    ['"{{ this }}"', ['invalid', 'invalid-tag: {{ this }}']],
    ["$$ {{ ref('x') }} $$", ['invalid', "invalid-tag: {{ ref('x') }}"]],
    ["'open {{ ref('x') }}", ['ref x x']],
    ["'{% not a statement %}' || '{{}}'", []],
    ["E'\\'' || {{ ref('x') }}", ['ref x x']],
    [
      '{% if x %} a {% endif %}',
      ['invalid', 'invalid', 'invalid-tag: {% if x %}', 'invalid-tag: {% endif %}'],
    ],
    ['{# note #}', ['invalid', 'invalid-tag: {# note #}']],
    ['{{ ref(x) }}', ['invalid', 'invalid-tag: {{ ref(x) }}']],
    ['{{ ref() }}', ['invalid', 'invalid-tag: {{ ref() }}']],
    ['{{ reff("x") }}', ['macro  reff']],
    ["{{ f({'a': {'b': 1}}, '}}', {{ ref('x') }}) }} {{ source }}", ['macro  f', 'source']],
    ["{{ f('}} \n{{ ref('x') }}", ['invalid', 'ref x x', "invalid-tag: {{ f('}}"]],
    ['{{ f(a,) }}', ['invalid', 'invalid-tag: (a,)']],
    ['{{ }}', ['invalid', 'invalid-tag: {{ }}']],
    ["{{ ref('x' ", ['invalid', "unclosed-tag: {{ ref('x' "]],
    ["{{ ref('x' \n{{ ref('y') }}", ['invalid', 'ref y y', "unclosed-tag: {{ ref('x' "]],
    ['{{ window.start }}', ['window', 'not-built-yet: {{ window.start }}']],
    ["{'a': {'b': 1}} {{ ref('x') }}", ['ref x x']],
    ["a$b$ {{ ref('x') }} $b$", ['ref x x']],
  ]
  it.each(cases)('%s', (sql, expected) => {
    expect(shown(sql)).toEqual(expected)
  })

  it('never throws, and stays inside the text', () => {
    const parts = [
      '{{',
      '}}',
      '{%',
      '%}',
      '{#',
      "ref('x')",
      'var("y")',
      "'",
      '"',
      '--',
      '\n',
      '/*',
      '*/',
      '$$',
      ' ',
      'source',
      '😀',
    ]
    for (let seed = 1; seed <= 3000; seed++) {
      const random = seededRandom(seed)
      const sql = Array.from({ length: 1 + random.below(10) }, () => random.pick(parts)).join('')
      const { tags, problems } = scanTemplate(sql, engine)
      let end = 0
      for (const { range } of tags) {
        expect(
          range.start >= end && range.end > range.start && range.end <= sql.length,
          `seed ${seed}: ${sql}`,
        ).toBe(true)
        end = range.end
      }
      for (const { range } of problems)
        expect(range.end <= sql.length && range.start < range.end, sql).toBe(true)
    }
  })
})

describe('compileSql', () => {
  const resolve = (tag: Tag) =>
    tag.kind === 'ref' ? `"g"."${tag.name}"` : tag.kind === 'var' ? '' : '"g"."raw"'
  const sql =
    "SELECT a, 'it''s'\nFROM {{ source }} s\nJOIN {{ ref('x') }} USING (id){{ var('none') }}\nWHERE b > 1"
  const indented = sql.replaceAll('\n', '\n    ')
  const styles: Record<string, string> = {
    literal: `name: a\ningest: none\ntransform: |-\n    ${indented}\n`,
    crlf: `name: a\r\ningest: none\r\ntransform: |-\r\n    ${indented.replaceAll('\n', '\r\n')}\r\n`,
    double: `name: a\ningest: none\ntransform: ${JSON.stringify(sql)}\n`,
    single: `name: a\ningest: none\ntransform: '${sql.replaceAll("'", "''").replaceAll('\n', '\n\n   ')}'\n`,
  }
  it.each(Object.entries(styles))('maps every character of SQL written as %s', (_style, text) => {
    const asset = parseAsset('models/a.svc', text, reading, hash)
    expect(asset.diagnostics).toEqual([])
    const template = asset.sql
    if (template === undefined) throw new Error('no SQL')
    expect(template.text).toBe(sql)
    const compiled = compileSql(template, resolve)
    expect(compiled.sql).toBe('SELECT a, \'it\'\'s\'\nFROM "g"."raw" s\nJOIN "g"."x" USING (id)\nWHERE b > 1')
    for (const word of ['SELECT', 'FROM', 'USING', 'WHERE b', '> 1']) {
      const start = compiled.sql.indexOf(word)
      const range = compiled.toFile.rangeToOriginal({ start, end: start + word.length })
      expect(text.slice(range.start, range.end)).toBe(word)
    }
    const table = compiled.sql.indexOf('"x"')
    const tag = compiled.toFile.rangeToOriginal({ start: table, end: table + 3 })
    expect(text.slice(tag.start, tag.end).replaceAll("''", "'")).toBe("{{ ref('x') }}")
  })

  it('gives the whole tag also where its replacement is as long as the tag', () => {
    const text = "name: a\ningest: none\ntransform: SELECT * FROM {{ ref('x') }} t\n"
    const template = parseAsset('a.svc', text, reading, hash).sql
    if (template === undefined) throw new Error('no SQL')
    const compiled = compileSql(template, () => '"fourteen.chr"')
    expect(compiled.toFile.rangeToOriginal({ start: 16, end: 18 })).toEqual({ start: 46, end: 60 })
    expect(text.slice(46, 60)).toBe("{{ ref('x') }}")
  })

  it('is the text itself where there is no tag', () => {
    const template = parseAsset('a.svc', 'name: a\ningest: none\ntransform: SELECT 1\n', reading, hash).sql
    if (template === undefined) throw new Error('no SQL')
    const compiled = compileSql(template, resolve)
    expect([compiled.sql, compiled.toFile.toOriginal(7)]).toEqual(['SELECT 1', 39])
  })
})
