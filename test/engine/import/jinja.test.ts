/** The template language of dbt: values as Python has them, and nothing of JavaScript within reach. */
import { describe, expect, it } from 'vitest'
import { Scope } from '../../../cli/engine/import/jinja/evaluate.ts'
import { withoutSoftness } from '../../../cli/engine/import/jinja/pieces.ts'
import { JinjaProblem } from '../../../cli/engine/import/jinja/problem.ts'
import { Renderer } from '../../../cli/engine/import/jinja/render.ts'
import { parseTemplate } from '../../../cli/engine/import/jinja/statements.ts'
import { Dict, fromData, type Value } from '../../../cli/engine/import/jinja/values.ts'

function render(text: string, names: Record<string, unknown> = {}, tidy = false): string {
  const template = { path: 'a.sql', text }
  const known = new Map<string, Value>(Object.entries(names).map(([name, value]) => [name, fromData(value)]))
  const scope = new Scope(name => known.get(name))
  return new Renderer().render(parseTemplate(template, { tidy }), template, scope)
}

function problem(text: string, names: Record<string, unknown> = {}): string {
  try {
    return `no problem: ${render(text, names)}`
  } catch (error) {
    if (!(error instanceof JinjaProblem)) throw error
    return `${error.message} at ${JSON.stringify(text.slice(error.site.at, error.site.at + 12))}`
  }
}

describe('a template', () => {
  it.each([
    ['{{ 1 + 2 * 3 }}', '7'],
    ['{{ 7 / 2 }} {{ 7 // 2 }} {{ -7 % 3 }} {{ 4 / 2 }} {{ 2 ** 3 }}', '3.5 3 2 2.0 8'],
    ["{{ 'a' ~ 1 ~ none ~ true }}", 'a1NoneTrue'],
    ["{{ ['a', \"it's\", 1.0, none] }}", "['a', \"it's\", 1.0, None]"],
    ["{{ {'a': 1}['a'] }} {{ {'a': 1}.a }} {{ {'a': 1}.get('b', 2) }}", '1 1 2'],
    ["{{ 'yes' if 1 < 2 < 3 else 'no' }}", 'yes'],
    ["{{ 1 in [1, 2] and 'b' not in 'abc' }}", 'False'],
    ['{{ not x is defined }}', 'True'],
    ["{{ ' a '|trim|upper }}", 'A'],
    ["{{ ['b', 'a'] | sort | join(', ') }}", 'a, b'],
    ["{{ 'a-b_c'.replace('-', '_').split('_') | length }}", '3'],
    ["{{ '%s of %s' | format(1, 2) }} {{ '{} {x}'.format(1, x=2) }}", '1 of 2 1 2'],
    ["{{ [1, 2, 3][1:] }} {{ 'abc'[-1] }} {{ [1, 2][::-1] }}", '[2, 3] c [2, 1]'],
    ["{{ [{'n': 'a'}, {'n': 'b'}] | map(attribute='n') | list }}", "['a', 'b']"],
    ["{{ ['a', '', 'b'] | select | join }} {{ [1, 2, 3] | reject('odd') | list }}", 'ab [2]'],
    ['{% for a, b in {"x": 1}.items() %}{{ a }}{{ b }}{% endfor %}', 'x1'],
    ['{% for i in [1, 2] if i > 1 %}{{ i }}{{ loop.last }}{% else %}none{% endfor %}', '2True'],
    ['{% for i in [1, 2, 3] %}{{ i }}{% if i == 2 %}{% break %}{% endif %},{% endfor %}', '1,2'],
    ['{% set x = 1 %}{% for i in [1] %}{% set x = 2 %}{% endfor %}{{ x }}', '1'],
    ['{% if true %}{% set x = 2 %}{% endif %}{{ x }}', '2'],
    ['{% set a, b = 1, 2 %}{{ b }}', '2'],
    ['{% set x %} a {% endset %}[{{ x }}]', '[ a ]'],
    ['{% macro m(a, b=2) %}{{ a }}{{ b }}{{ kwargs.c }}{% endmacro %}{{ m(1, c=3) }}', '123'],
    ['{% macro m() %}<{{ caller(1) }}>{% endmacro %}{% call(x) m() %}{{ x }}!{% endcall %}', '<1!>'],
    ["{% set l = [] %}{% do l.append('a') %}{{ l }}", "['a']"],
    ['a {%- if true -%} b {%- endif -%} c', 'abc'],
    ['{% raw %}{{ x }}{% endraw %}{# gone #}', '{{ x }}'],
    ["{{ 'a\\nb' }}", 'a\nb'],
    ['{{ missing }}[]', '[]'],
    ['{% with a = 1 %}{{ a }}{% endwith %}{{ a }}', '1'],
    ['{% filter upper %}a{% endfilter %}', 'A'],
    ["{{ {'b': 1, 'a': [1.5]} | tojson }}", '{"a": [1.5], "b": 1}'],
    ['{{ 2.5 | round }} {{ "3.7" | int }} {{ [1, 2.5] | sum }}', '2.0 3 3.5'],
    [
      '{% macro m(a, b=None) %}{{ b is none }}{% endmacro %}{{ m(1) }} {{ m(1, none) }} {{ m(1, b=2) }}',
      'True True False',
    ],
    ['{% macro m(a=1) %}{{ a }}{% endmacro %}{{ m(none) }} {{ m(a=none) }} {{ m() }}', 'None None 1'],
    ['{% set z = none %}{{ z is none }} {{ z is defined }} {{ nothing is none }}', 'True True False'],
    ["{% set d = {'a': none} %}{{ d.a is none }} {{ d['a'] is none }} {{ d.b is none }}", 'True True False'],
    [
      "{% set d = {'a': none} %}{{ d.get('a', 1) }} {{ d.setdefault('a', 1) }} {{ d.pop('a', 1) }}",
      'None None None',
    ],
    ['{% set l = [none] %}{{ l[0] is none }} {{ l | first is none }} {{ l[1] is none }}', 'True True False'],
    [
      "{{ none | default('x') }} {{ none | default('x', true) }} {{ nothing | default(none) }}",
      'None x None',
    ],
    [
      '{% for i in [none, 1] %}{{ loop.previtem is defined }}{{ loop.nextitem is none }} {% endfor %}',
      'FalseFalse TrueFalse ',
    ],
    ["{{ '%s' | format(none) }} {{ 'x' | int(none) }}", 'None None'],
  ])('%s', (text, expected) => {
    expect(render(text)).toBe(expected)
  })

  it('keeps the lines around tags that stand alone when it is unrolled for people', () => {
    const text = `select
    {%- for c in ['a', 'b'] -%}
    {{ c }},
    {%- endfor %}
    {# a comment #}
    1 as one
`
    expect(withoutSoftness(render(text, {}, true))).toBe('select\n    a,\n    b,\n    \n    1 as one\n')
  })
})

describe('white space that parts words is never lost', () => {
  it.each([
    ['a{% if false %} b\n{% endif %}\nc', 'a\nc'],
    [
      "{% for t in ['a', 'b'] %}\nselect {{ t }}\n{%- if not loop.last %} union all{% endif -%}\n{% endfor %}",
      'select a union all\nselect b',
    ],
    ['select{% if false %} x\n{% else %}\ny{% endif %}', 'select\ny'],
    ['a {%- if true -%}\n{% if true %}\nb{% endif %}{% endif %}', 'a\nb'],
  ])('%s', (text, expected) => {
    const plain = render(text).split(/\s+/).filter(Boolean)
    expect(withoutSoftness(render(text, {}, true)).trim()).toBe(expected)
    expect(expected.split(/\s+/)).toEqual(plain)
  })
})

describe('a mistake has its place', () => {
  it.each([
    ['select {{ 1 + }}', 'a value is missing here at "}}"'],
    ['{% if x %}', 'the block is not closed with {% endif %} at "{% if x %}"'],
    ['a {{ foo() }}', '"foo" is no function or macro that is known here at "foo() }}"'],
    ["{{ 'a }}", 'the text is not closed with \' at "\'a }}"'],
    ['{{ x', 'the tag is not closed with }} at "{{ x"'],
    ['{{ 1 / 0 }}', 'a division by zero at "1 / 0 }}"'],
    ["{{ 'a' | nope }}", 'there is no filter "nope" at "| nope }}"'],
    ['{% extends  a %}', '{% extends %} is not understood here at "{% extends  "'],
    ["{{ 'a' + 1 }}", 'a text and a number cannot be added at "\'a\' + 1 }}"'],
    ['{% for i in range %}{% endfor %}', 'no problem: '],
  ])('%s', (text, expected) => {
    expect(problem(text)).toBe(expected)
  })
})

describe('a hostile template', () => {
  const names = { list: [1], text: 'a', dict: { a: 1 } }
  const members = [
    'constructor',
    '__proto__',
    'prototype',
    '__class__',
    'toString',
    'valueOf',
    'entries',
    'length',
  ]
  it.each(['list', 'text', 'dict', '1', 'none', 'true', '[]', '{}', "''"])(
    'reaches no member of JavaScript from %s',
    of => {
      for (const member of members) {
        for (const path of [
          `(${of}).${member}`,
          `(${of})['${member}']`,
          `${of} | map(attribute='${member}') | list`,
        ]) {
          const said = problem(`{{ ${path} is defined }}`, names)
          expect(said, path).toMatch(/False|True|no parts|is no list|is no number|has no value/)
          expect(problem(`{{ (${path})('return process')() }}`, names), path).not.toContain('no problem')
        }
      }
    },
  )

  it('has no global and no module', () => {
    for (const name of [
      'process',
      'require',
      'globalThis',
      'Function',
      'self',
      'import',
      'constructor',
      '__proto__',
    ]) {
      expect(render(`{{ ${name} is defined }}`)).toBe('False')
    }
  })

  it('is stopped when it never ends or grows without end', () => {
    const doubled =
      "{% set ns = {'x': 'aaaaaaaaaa'} %}{% for a in l %}{% do ns.update({'x': ns.x ~ ns.x}) %}{% endfor %}"
    const l = Array.from({ length: 1000 }, (_, index) => index)
    expect(problem(doubled, { l })).toContain('makes too much text')
    const nested =
      '{% for a in l %}{% for b in l %}{% for c in l %}{{ a }}{% endfor %}{% endfor %}{% endfor %}'
    expect(problem(nested, { l })).toContain('takes too many steps')
    expect(problem("{{ 'a' * 999999999 }}")).toContain('too long')
    expect(problem('{{ [1] * 999999999 }}')).toContain('too long')
    expect(problem('{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}')).toContain('without end')
    expect(problem(`{{ ${'('.repeat(5000)}1${')'.repeat(5000)} }}`)).toContain('nested too deeply')
    expect(problem('{% if a %}'.repeat(5000))).toContain('nested too deeply')
    expect(problem(`{{ ${'not '.repeat(9000)}1 }}`)).toContain('nested too deeply')
    expect(problem(`{{ ${'-'.repeat(9000)}1 }}`)).toContain('nested too deeply')
    expect(problem(`{{ ${'1 if 1 else '.repeat(9000)}1 }}`)).toContain('nested too deeply')
    expect(problem(`{{ ${'['.repeat(9000)}1${']'.repeat(9000)} }}`)).toContain('nested too deeply')
  })

  it('leaves a mapping a mapping', () => {
    expect(new Dict([['constructor', 1]]).entries.get('constructor')).toBe(1)
    expect(render("{{ {'__proto__': {'x': 1}}.get('x') }}")).toBe('None')
  })
})
