import { describe, expect, it } from 'vitest'
import { hashToken, hintOf } from '../../../hosted-api/access/token-hash.ts'
import { createTokenText, isForged, isTokenText } from '../../../hosted-api/access/token-text.ts'

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

  it('is told from what only looks like one', () => {
    const token = createTokenText()
    expect(isForged(token)).toBe(false)
    expect(isForged(`${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`)).toBe(true)
    expect(isForged('a-bootstrap-token-of-somebody-else')).toBe(false)
  })

  it('is kept as its hash and its ends', () => {
    const token = createTokenText()
    expect(hintOf(token)).toBe(`${token.slice(0, 8)}…${token.slice(36)}`)
    expect(Buffer.from(hashToken('abc'), 'base64url').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })
})
