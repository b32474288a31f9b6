/** `svc fmt` as its users meet it: files, folders, CI, editors. */
import { spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { outputSchemas } from '../../server/contract/index.ts'
import { svcLauncher } from '../support/cli.ts'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'

const files = {
  'svc.yaml': 'name:   shop\n',
  'models/a.svc': 'name: a\ningest: none\ntransform: |\n    select 1 as id\n    from   b\n',
  'models/b.svc': 'name: b\ningest: none\ntransform: SELECT 1 AS id\n',
  'models/python.svc':
    'name: python\ningest: none\ntransform:\n  python: |\n    def transform( svc ):\n      return  1\n',
}
const tidy = {
  'svc.yaml': 'name: shop\n',
  'models/a.svc': 'name: a\ningest: none\ntransform: |\n  SELECT 1 AS id\n  FROM b\n',
  'models/b.svc': files['models/b.svc'],
  'models/python.svc':
    'name: python\ningest: none\ntransform:\n  python: |\n    def transform(svc):\n        return 1\n',
}

let project: ProjectHere

beforeEach(() => {
  project = createProjectHere(files)
})

afterEach(() => project.dispose())

const read = (path: string) => readFileSync(join(project.root, path), 'utf8')
const texts = () => Object.fromEntries(Object.keys(files).map(path => [path, read(path)]))

describe('svc fmt', () => {
  it('formats all files of the project, says which, and has nothing to do then', async () => {
    const first = await project.svc(['fmt'])
    expect({ ...first, stdout: withoutTime(first.stdout) }).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'formatted     svc.yaml\nformatted     models/a.svc\nformatted     models/python.svc\n\n3 files formatted, 1 unchanged\n',
    })
    expect(texts()).toEqual(tidy)
    const second = await project.svc(['fmt'])
    expect(withoutTime(second.stdout)).toBe('4 files unchanged\n')
  })

  it('formats what it is given, from any folder', async () => {
    const result = await project.svc(['fmt', 'a.svc'], { cwd: 'models' })
    expect(withoutTime(result.stdout)).toBe('formatted     a.svc\n\n1 file formatted\n')
    expect(read('svc.yaml')).toBe(files['svc.yaml'])
    expect(withoutTime((await project.svc(['fmt', 'models', 'svc.yaml'])).stdout)).toContain(
      '2 files formatted, 2 unchanged',
    )
  })

  it('--check writes nothing and fails when there is something to do', async () => {
    const before = await project.svc(['fmt', '--check'])
    expect(before.code).toBe(1)
    expect(withoutTime(before.stdout)).toContain('would format  models/a.svc\n')
    expect(texts()).toEqual(files)
    await project.svc(['fmt'])
    expect((await project.svc(['fmt', '--check'])).code).toBe(0)
  })

  it('--diff shows the lines and writes nothing', async () => {
    const { code, stdout } = await project.svc(['fmt', '--diff', 'models/a.svc'])
    expect(code).toBe(1)
    expect(stdout).toContain(
      '    -     select 1 as id\n    -     from   b\n    +   SELECT 1 AS id\n    +   FROM b\n',
    )
    expect(texts()).toEqual(files)
  })

  it('--json has the published shape', async () => {
    project.write('models/broken.svc', 'name: [\n')
    project.write('models/odd.svc', 'name: odd\ningest: none\ntransform: select (1\n')
    const { code, value } = await project.json(['fmt', '--check', '--json'])
    expect(code).toBe(1)
    const ajv = new Ajv2020({ allowUnionTypes: true })
    expect(ajv.validate(outputSchemas['fmt'] ?? false, value), ajv.errorsText()).toBe(true)
    expect(value).toMatchObject({ summary: { formatted: 3, unchanged: 2, broken: 1 } })
    const { files: listed } = value as {
      files: { path: string; status: string; diagnostics: { code: string }[] }[]
    }
    expect(listed.find(({ path }) => path === 'models/odd.svc')).toMatchObject({
      status: 'unchanged',
      diagnostics: [{ code: 'format-left-alone', severity: 'hint', start: { line: 3, column: 12 } }],
    })
  })

  it('does not touch a file that is not YAML or not UTF-8, says where, and formats the others', async () => {
    project.write('models/broken.svc', 'name: [\n')
    spawnSync('sh', ['-c', "printf 'name:   \\377\\n' > models/bytes.svc"], { cwd: project.root })
    const { code, stdout } = await project.svc(['fmt'])
    expect(code).toBe(1)
    expect(stdout).toContain('models/broken.svc:1:7')
    expect(stdout).toContain('not-utf8')
    expect(read('models/broken.svc')).toBe('name: [\n')
    expect([...readFileSync(join(project.root, 'models/bytes.svc'))]).toContain(0xff)
    expect(read('models/a.svc')).toBe(tidy['models/a.svc'])
  })

  it('keeps links and permissions, and leaves no drafts', async () => {
    const real = join(project.root, 'real.svc')
    project.write('real.svc', files['models/a.svc'])
    chmodSync(real, 0o755)
    symlinkSync('../real.svc', join(project.root, 'models', 'link.svc'))
    await project.svc(['fmt', 'models/link.svc'])
    expect(lstatSync(join(project.root, 'models', 'link.svc')).isSymbolicLink()).toBe(true)
    expect(read('real.svc')).toBe(tidy['models/a.svc'])
    expect(statSync(real).mode & 0o777).toBe(0o755)
    expect(readdirSync(project.root).filter(name => name.endsWith('.tmp'))).toEqual([])
  })

  it('works on a file outside of any project', async () => {
    project.remove('svc.yaml')
    project.remove('models')
    project.write('a.svc', files['models/a.svc'])
    expect((await project.svc(['fmt', 'a.svc'])).code).toBe(0)
    expect(read('a.svc')).toBe(tidy['models/a.svc'])
    expect(readdirSync(project.root)).toEqual(['a.svc'])
  })

  it('believes what it remembers of texts, and no more than that', async () => {
    await project.svc(['fmt'])
    expect(readdirSync(join(project.root, '.svc', 'cache'))).toContain('formatted')
    project.write('models/b.svc', 'name:   b\ningest: none\ntransform: SELECT 1 AS id\n')
    expect(withoutTime((await project.svc(['fmt'])).stdout)).toContain('1 file formatted, 3 unchanged')
    expect(texts()).toEqual(tidy)
  })

  it.each([
    [['fmt', 'nope'], 'there is no file or folder "nope"'],
    [['fmt', 'data.csv'], 'svc fmt does not know how to format "data.csv"'],
    [['fmt', ''], 'the path is empty'],
    [['fmt', '-', 'models'], '"-" stands for stdin'],
  ])('%j is refused', async (words, message) => {
    project.write('data.csv', 'a\n')
    const { code, stderr } = await project.svc(words)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})

describe('svc fmt -', () => {
  const stdin = (input: string, ...words: string[]) =>
    spawnSync(process.execPath, [svcLauncher, 'fmt', '-', ...words], {
      cwd: project.root,
      input,
      encoding: 'utf8',
    })

  it('gives the formatted text on stdout and nothing else', () => {
    const { status, stdout, stderr } = stdin(files['models/a.svc'])
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: tidy['models/a.svc'], stderr: '' })
  })

  it('takes the kind of file from --stdin-path', () => {
    expect(stdin('transform:   select  1\n', '--stdin-path', 'svc.yaml').stdout).toBe(
      'transform: select  1\n',
    )
  })

  it('gives nothing on stdout for a text that is not YAML', () => {
    const { status, stdout, stderr } = stdin('name: [\n', '--stdin-path', 'models/a.svc')
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('models/a.svc:1:7')
  })

  it('--check says by its exit code what there is to do', () => {
    expect(stdin(files['models/a.svc'], '--check').status).toBe(1)
    expect(stdin(tidy['models/a.svc'], '--check').status).toBe(0)
  })
})

function withoutTime(text: string): string {
  return text.replace(/ {2}[\d.]+ m?s\n/, '\n')
}
