/** Every code of an error is documented, can happen, and is shown with its cause and next step. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { failOf } from '../../cli/commands/doctor-check.ts'
import { runCommandLine } from '../../cli/commands/run-command-line.ts'
import { realWorld } from '../../cli/commands/world.ts'
import { errorMeanings } from '../../cli/engine/error-meanings.ts'
import { type ErrorCode, errorCodes, SvcError } from '../../cli/engine/errors.ts'
import { memoryFailure } from '../../cli/engine/memory-failure.ts'
import { renderCauses, renderError } from '../../cli/render/error.ts'
import { createStyle } from '../../cli/render/style.ts'

const root = join(import.meta.dirname, '..', '..')
const style = createStyle({ color: false, width: 60 })
const codes = Object.keys(errorCodes) as ErrorCode[]

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : sources(path)
    return entry.name.endsWith('.ts') ? [path] : []
  })
}

it('every code means something and says what to do', () => {
  expect(Object.keys(errorMeanings).sort()).toEqual([...codes].sort())
  for (const code of codes) {
    expect(errorMeanings[code].means, code).toMatch(/^[A-Z`].*\.$/)
    expect(errorMeanings[code].whatToDo, code).toMatch(/^[A-Z`].*\.$/)
  }
})

it('every code is used by the program', () => {
  const lists = ['cli/engine/errors.ts', 'cli/engine/error-meanings.ts']
  const texts = ['cli/commands', 'cli/engine']
    .flatMap(sources)
    .filter(path => !lists.includes(path))
    // A mention in a comment is no use.
    .map(path => readFileSync(join(root, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''))
  const unused = codes.filter(code => !texts.some(text => text.includes(`'${code}'`)))
  expect(unused).toEqual([])
})

it('is shown with its code behind the message, wrong usage without', () => {
  const failed = new SvcError('file-failed', 'cannot write x', { hint: 'Is there room?', place: 'a.svc:1:2' })
  expect(renderError(failed, style)).toEqual([
    'error: cannot write x  [file-failed]',
    '       a.svc:1:2',
    '       Is there room?',
  ])
  const long = new SvcError('warehouse-locked', 'the warehouse file is held by another one')
  expect(renderError(long, style)).toEqual([
    'error: the warehouse file is held by another one',
    '       [warehouse-locked]',
  ])
  expect(renderError(new SvcError('wrong-usage', 'what?'), style)).toEqual(['error: what?'])
})

it('--debug shows every cause', () => {
  const first = new Error('the disk is full')
  const error = new SvcError('file-failed', 'cannot write x', { cause: first })
  const text = renderCauses(error, style).join('\n')
  expect(text).toMatch(/^SvcError: cannot write x\n {4}at /)
  expect(text).toMatch(/\ncaused by:\nError: the disk is full\n {4}at /)
})

it('memory that the system refuses is no bug, wherever it was refused', () => {
  const worker = new Error(
    'the process does not start (exit code 1): Error: Out of Memory Error: Allocation failure',
  )
  expect(memoryFailure(worker)).toMatchObject({ code: 'out-of-memory', exitCode: 3, cause: worker })
  const system = Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' })
  expect(memoryFailure(system)).toMatchObject({ code: 'out-of-memory' })
  const wasm = new RangeError(
    'WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance',
  )
  expect(memoryFailure(wasm)).toMatchObject({ code: 'out-of-memory' })
  const aborted = new Error('the process in which SQL is bound does not start (SIGABRT): sql-worker.cjs')
  expect(memoryFailure(aborted)).toMatchObject({
    code: 'out-of-memory',
    message: expect.stringContaining('(SIGABRT)'),
  })
  expect(memoryFailure(new Error('the process does not start (exit code 1): no module'))).toBeUndefined()
  const library = new Error('libduckdb.so: failed to map segment from shared object')
  expect(memoryFailure(library)).toMatchObject({ code: 'out-of-memory' })
  expect(failOf('warehouse', library, 'Is the address right?', 'dev')).toMatchObject({
    detail: 'the system gives svc no more memory',
    recommendation: expect.stringContaining('ulimit'),
  })
  expect(
    memoryFailure(new Error('failed to allocate data of size 1.0 GiB (500 MiB/512 MiB used)')),
  ).toBeUndefined()
})

it('an error that no caller waited for is told in the words of svc too', async () => {
  const said: string[] = []
  const codes: number[] = []
  const sink = { write: (text: string) => said.push(text) > 0, isTTY: false, columns: 80 }
  await runCommandLine(['--help'], {
    version: '0.0.0',
    world: realWorld('test'),
    signal: new AbortController().signal,
    out: { ...sink, write: () => true },
    err: sink,
    onStrayError: report =>
      codes.push(report(new RangeError('WebAssembly.instantiate(): Out of memory')), report(new Error('x'))),
  })
  expect(codes).toEqual([3, 70])
  expect(said.join('')).toContain('[out-of-memory]')
  expect(said.join('')).toContain('this is a bug in svc')
})
