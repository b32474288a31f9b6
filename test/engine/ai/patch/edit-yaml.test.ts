/** Operations on YAML texts: what RFC 6902 says happens, and everything else stays as it was written. */
import jsonPatch, { type Operation } from 'fast-json-patch'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { editYaml, isRefusal } from '../../../../cli/engine/ai/patch/edit-yaml.ts'
import type { PatchOp } from '../../../../server/contract/index.ts'
import { seededRandom } from '../../../support/random.ts'

const order = ['name', 'description', 'ingest', 'transform', 'columns', 'tests']

function edit(text: string | undefined, ...ops: readonly PatchOp[]): string {
  const edited = editYaml('models/a.svc', text, ops, order)
  if (isRefusal(edited)) throw new Error(`${edited.code}: ${edited.message}`)
  return edited.text
}

const asset = `# the head
name: a   # its name
ingest: none

# what it computes
transform: |
  SELECT 1 AS id   -- one
  FROM x
columns:
    id: {description: 'The id'}   # wide indent
tests:
- unique: id
# the second
- not_null:   [id]
`

describe('operations on a YAML text', () => {
  it('change the lines that they are about, and no other', () => {
    const text = edit(
      asset,
      { op: 'replace', path: '/columns/id/description', value: 'The identifier' },
      { op: 'add', path: '/description', value: 'What it is' },
      { op: 'add', path: '/tests/-', value: { not_null: 'b' } },
    )
    const added = text.split('\n').filter(line => !asset.split('\n').includes(line))
    expect(added).toEqual([
      'description: What it is',
      expect.stringContaining("id: {description: 'The identifier'}"),
      expect.stringMatching(/^ *- not_null: b$/),
    ])
    expect(text).toContain('- not_null:   [id]')
    expect(text.indexOf('description: What')).toBeLessThan(text.indexOf('ingest:'))
  })

  it('keep the comments of what they replace, move and rename', () => {
    const text = edit(
      asset,
      { op: 'replace', path: '/transform', value: 'SELECT 2 AS id\nFROM y\n' },
      { op: 'move', from: '/tests/1', path: '/tests/0' },
      { op: 'move', from: '/columns/id', path: '/columns/key' },
    )
    for (const comment of ['# the head', '# its name', '# what it computes', '# wide indent', '# the second'])
      expect(text).toContain(comment)
    expect(parse(text)).toMatchObject({
      transform: 'SELECT 2 AS id\nFROM y\n',
      tests: [{ not_null: ['id'] }, {}],
    })
    expect(text).toContain('transform: |\n  SELECT 2')
  })

  it('keep the byte order mark and the line ends', () => {
    const text = edit(`\uFEFF${asset.replaceAll('\n', '\r\n')}`, { op: 'remove', path: '/tests/0' })
    expect(text.startsWith('\uFEFF# the head\r\n')).toBe(true)
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
  })

  it('make a new file, with SQL as a block', () => {
    const value = { name: 'a', ingest: 'none', transform: 'SELECT 1 AS id\nFROM x\n' }
    expect(edit(undefined, { op: 'add', path: '', value })).toBe(
      'name: a\ningest: none\ntransform: |\n  SELECT 1 AS id\n  FROM x\n',
    )
  })

  it('are refused where the file is not what they expect', () => {
    const refused = (...ops: readonly PatchOp[]) => editYaml('a.svc', asset, ops, order)
    expect(refused({ op: 'test', path: '/name', value: 'b' })).toMatchObject({ code: 'patch-test' })
    expect(refused({ op: 'remove', path: '/nothing' })).toMatchObject({ code: 'patch-path' })
    expect(refused({ op: 'add', path: '/tests/9', value: 1 })).toMatchObject({ code: 'patch-path' })
    expect(refused({ op: 'move', from: '/x', path: '/name' })).toMatchObject({ code: 'patch-path' })
    const shared = 'a: &x [1]\nb: *x\n'
    const unshared = editYaml('a.svc', shared, [{ op: 'add', path: '/a/-', value: 2 }], [])
    expect(isRefusal(unshared) || parse(unshared.text)).toEqual({ a: [1, 2], b: [1] })
    expect(editYaml('a.svc', shared, [{ op: 'remove', path: '/a' }], [])).toMatchObject({
      code: 'patch-path',
    })
    const broken = editYaml('a.svc', 'a: [\n', [{ op: 'add', path: '/b', value: 1 }], [])
    expect(broken).toMatchObject({ code: 'patch-path', hint: expect.stringContaining('whole file') })
    expect(edit('a: [\n', { op: 'replace', path: '', value: { a: 1 } })).toBe('a: 1\n')
  })

  it('any operations on any text: the values are those of RFC 6902, and no comment of what stays is lost', () => {
    for (let seed = 0; seed < 400; seed++) {
      const random = seededRandom(seed)
      const text = randomYaml(random)
      const ops = randomOps(random, parse(text))
      const wanted = jsonPatch.applyPatch(parse(text), structuredClone(ops) as Operation[]).newDocument
      const edited = edit(text, ...ops)
      expect(parse(edited), `seed ${seed}`).toEqual(wanted)
      const gone = removedComments(ops)
      for (const comment of text.match(/# c\S+/g) ?? [])
        if (!gone.some(prefix => comment.startsWith(prefix)))
          expect(edited, `seed ${seed}\n${text}`).toContain(comment)
    }
  })
})

type Random = ReturnType<typeof seededRandom>

/** A comment is named after the key that it belongs to. */
function randomYaml(random: Random): string {
  const lines: string[] = ['# chead', '']
  for (let index = 0; index < 2 + random.below(4); index++) {
    if (random.below(2) === 0) lines.push(`# cabove-k${index}-`)
    if (random.below(2) === 0) {
      lines.push(`k${index}:${' '.repeat(1 + random.below(3))}${random.below(100)}  # cbeside-k${index}-`)
      continue
    }
    lines.push(`k${index}:`)
    for (let item = 0; item < 1 + random.below(4); item++) {
      if (random.below(3) === 0) lines.push(`  # citem-k${index}-${item}-`)
      lines.push(`  - ${random.below(2) === 0 ? `v${item}` : `{n: ${item}, m:  "x"}`}`)
    }
  }
  return `${lines.join('\n')}\n`
}

function randomOps(random: Random, value: Readonly<Record<string, unknown>>): PatchOp[] {
  const keys = Object.keys(value)
  const key = keys[random.below(keys.length)] ?? 'k0'
  const list = value[key]
  const ops: PatchOp[] = [
    { op: 'add', path: `/n${random.below(9)}`, value: { deep: [random.below(9), 'text'] } },
  ]
  if (Array.isArray(list)) {
    ops.push({ op: 'add', path: `/${key}/${random.below(list.length + 1)}`, value: `new${random.below(9)}` })
    if (random.below(2) === 0) ops.push({ op: 'move', from: `/${key}/0`, path: `/${key}/-` })
  } else ops.push({ op: 'replace', path: `/${key}`, value: random.below(2) === 0 ? 'text: x' : 7 })
  const other = keys.find(each => each !== key)
  if (other !== undefined && random.below(3) === 0) ops.push({ op: 'remove', path: `/${other}` })
  return ops
}

/** The comments that belong to what the operations remove. */
function removedComments(ops: readonly PatchOp[]): string[] {
  return ops
    .filter(({ op }) => op === 'remove')
    .flatMap(({ path }) => ['above', 'beside', 'item'].map(kind => `# c${kind}-${path.slice(1)}-`))
}
