import { describe, expect, it } from 'vitest'
import { redact } from '../../server/language/text/redact.ts'

// Put together here so that no scanner takes this file for a leak.
const github = `ghp_${'a1B2'.repeat(9)}`
const aws = `AKIA${'IOSFODNN7ABCDEFG'}`

describe('redact', () => {
  it.each([
    ['postgres://bob:hunter2@db.example.com/shop', [], 'postgres://bob:***@db.example.com/shop'],
    ['postgres://bob:p@ss/word@db/shop', [], 'postgres://bob:***@db/shop'],
    ['https://example.com:8080/path?mail=a@b.org', [], 'https://example.com:8080/path?mail=a@b.org'],
    ['Authorization: Bearer abcdef123456', [], 'Authorization: Bearer ***'],
    ['GET https://x.org/v1?api_key=s3cr3t&page=2', [], 'GET https://x.org/v1?api_key=***&page=2'],
    [`remote said ${github}!`, [], 'remote said ***!'],
    [`key ${aws}, then ${github}`, [], 'key ***, then ***'],
    ['HTTP 401: token tulip-garden refused', ['tulip-garden'], 'HTTP 401: token *** refused'],
    ['tulip and tulip-garden', ['tulip', 'tulip-garden'], '*** and ***'],
    ['https://x.org?q=a%2Fb%20c%26', ['a/b c&'], 'https://x.org?q=***'],
    ['{"password":"a\\"b\\\\c"}', ['a"b\\c'], '{"password":"***"}'],
    ['pin 42 of 4200', ['42'], 'pin *** of 4200'],
    ['a-b a/b [x]', ['a-b', '[x]'], '*** a/b ***'],
    ['nothing to hide', ['', '  '], 'nothing to hide'],
    ['{"authorization":"Basic YWJjZGVmZ2g="}', [], '{"authorization":"Basic ***"}'],
    [
      'https://x.org/a?sig=s1&n=2&token=t3 and https://y.org?key=k4',
      [],
      'https://x.org/a?sig=***&n=2&token=*** and https://y.org?key=***',
    ],
  ])('hides what is secret in %j', (text, secrets, expected) => {
    expect(redact(text, secrets)).toBe(expected)
  })

  it.each([
    'basic information about customers',
    'SELECT * FROM plans WHERE key=upper(plan) AND token=1',
    "CASE WHEN plan = 'b' THEN 'basic subscription' END",
    'Bearer certificates; secret=santa',
    'see https://x.org/keys?page=2 for key=value pairs',
  ])('leaves SQL and prose as they are: %j', text => {
    expect(redact(text, [])).toBe(text)
  })

  it('hides a whole private key, also one that is cut off', () => {
    const head = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n'
    expect(redact(`a ${head}-----END RSA PRIVATE KEY----- b`, [])).toBe('a *** b')
    expect(redact(`a ${head}`, [])).toBe('a ***')
  })

  it('changes nothing the second time', () => {
    const once = redact(`Authorization: Bearer abcdefgh1234 postgres://a:b@c?token=x1 ${github} zebra`, [
      'zebra',
    ])
    expect(once).toBe('Authorization: Bearer *** postgres://a:***@c?token=*** *** ***')
    expect(redact(once, ['zebra'])).toBe(once)
  })

  it('takes a secret with a lone surrogate', () => {
    expect(redact('x ab\ud800cd y', ['ab\ud800cd'])).toBe('x *** y')
  })
})
