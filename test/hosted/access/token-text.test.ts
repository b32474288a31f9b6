import { describe, expect, it } from 'vitest'
import {
  createTokenText,
  hashToken,
  hintOfToken,
  isTokenText,
} from '../../../hosted-api/access/token-text.ts'

describe('a token', () => {
  it('has a prefix, 30 random characters and 6 of checksum', () => {
    expect(createTokenText()).toMatch(/^svc_[0-9A-Za-z]{36}$/)
  })

  it('is another one each time', () => {
    const made = Array.from({ length: 1000 }, createTokenText)
    expect(new Set(made).size).toBe(1000)
    expect(made.every(isTokenText)).toBe(true)
  })

  it('uses the whole alphabet', () => {
    const seen = new Set(Array.from({ length: 300 }, () => createTokenText().slice(4, 34)).join(''))
    expect(seen.size).toBe(62)
  })

  it('has a checksum that any program can work out', () => {
    expect(isTokenText('svc_0000000000000000000000000000002C8GjS')).toBe(true)
    expect(isTokenText('svc_0000000000000000000000000000002C8GjT')).toBe(false)
  })

  it('is refused with any one character changed', () => {
    const token = createTokenText()
    for (let place = 4; place < token.length; place++) {
      const other = token[place] === 'a' ? 'b' : 'a'
      const changed = token.slice(0, place) + other + token.slice(place + 1)
      expect(isTokenText(changed), changed).toBe(false)
    }
  })

  it.each([
    '',
    'svc_',
    'Bearer',
    'ghp_0123456789012345678901234567890123456',
    `svc_${'a'.repeat(300)}`,
    'svc_ä',
  ])('is not %j', text => {
    expect(isTokenText(text)).toBe(false)
  })

  it('shows eight and four characters of itself', () => {
    const token = createTokenText()
    expect(hintOfToken(token)).toBe(`${token.slice(0, 8)}…${token.slice(36)}`)
  })

  it('is stored as SHA-256', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
