/** What all cases that are written by hand share. */
import type { TextCase } from './text-case.ts'

export type Expected = Omit<TextCase, 'name' | 'bytes'>

export const text = (name: string, content: string, expected: Expected): TextCase => ({
  name,
  bytes: Buffer.from(content),
  warnings: [],
  ...expected,
})

export const ab = ['a', 'b']
