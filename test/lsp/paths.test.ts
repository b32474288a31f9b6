import { describe, expect, it } from 'vitest'
import { canonicalUri, filePathOf, pathWithin, withSmallDrive } from '../../server/lsp/convert/paths.ts'

describe('addresses', () => {
  it('of one file are one, however they are escaped', () => {
    expect(canonicalUri('file:///data/a%2Bb/x.svc')).toBe(canonicalUri('file:///data/a+b/x.svc'))
    expect(filePathOf('file:///my%20data/x.svc')).toBe('/my data/x.svc')
  })

  it('that are no files stay what they are', () => {
    expect(filePathOf('untitled:Untitled-1')).toBeUndefined()
    expect(canonicalUri('git:/a.svc?ref')).toBe('git:/a.svc?ref')
  })
})

describe('drives of Windows', () => {
  it.each([
    ['C:\\shop\\models', 'c:\\shop\\models'],
    ['c:\\shop', 'c:\\shop'],
    ['/C:/shop', '/C:/shop'],
    ['\\\\server\\share\\Shop', '\\\\server\\share\\Shop'],
  ])('%s', (written, path) => {
    expect(withSmallDrive(written)).toBe(path)
  })
})

it('what is above or beside a folder is not within it', () => {
  expect(pathWithin('/p', '/p/models/a.svc')).toBe('models/a.svc')
  expect(pathWithin('/p', '/p')).toBeUndefined()
  expect(pathWithin('/p', '/pp/a.svc')).toBeUndefined()
  expect(pathWithin('/p', '/p/..hidden/a.svc')).toBe('..hidden/a.svc')
})
