import { nearestNames } from '../text/nearest-names.ts'
import type { FileCheck } from './check.ts'

export const pythonTransform: FileCheck = {
  code: 'python-transform',
  doc: 'The Python of an asset has no function `transform` with one argument, which svc could call.',
  *run({ path, python }) {
    if (python === undefined) return
    const { transform, functions } = python.scan
    if (transform !== undefined && transform.parameter !== undefined) return
    if (transform !== undefined) {
      yield {
        range: python.toFile.rangeToOriginal(transform.nameRange),
        message: '"transform" takes no argument',
        hint: 'Write "def transform(svc):"; svc.ref("x") and svc.source are what it may read.',
      }
      return
    }
    const [near] = nearestNames(
      'transform',
      functions.map(({ name }) => name),
      1,
    )
    const misspelt = functions.find(({ name }) => name === near)
    const range = python.toFile.rangeToOriginal(misspelt?.nameRange ?? firstLine(python.text))
    const message = 'the Python has no function "transform"'
    if (misspelt === undefined) {
      yield { range, message, hint: 'Begin it with "def transform(svc):" at the start of a line.' }
      return
    }
    const edits = [{ path, range, newText: 'transform' }]
    yield {
      range,
      message,
      hint: 'did you mean "transform"?',
      suggestions: ['transform'],
      fixes: [{ title: 'Change to "transform"', edits }],
    }
  },
}

function firstLine(code: string): { start: number; end: number } {
  const start = code.length - code.trimStart().length
  const end = code.indexOf('\n', start)
  return { start, end: end < 0 ? code.length : end }
}
