import { describe, expect, it } from 'vitest'
import { addressSecrets, redact } from '../../../server/language/index.ts'

const hide = (value: string, text: string) => redact(text, addressSecrets(value) ?? [])

describe('the secrets of an address', () => {
  const telegram = 'https://api.telegram.example/bot123456:AA-Token_x'
  it.each([
    [telegram, `page 1 (${telegram}/getUpdates?offset=3)`],
    [telegram, 'GET /bot123456:AA-Token_x/getUpdates'],
    [telegram, 'it says "bot123456%3AAA-Token_x is unknown"'],
    ['https://hooks.example/services/T0001/B0002/XyZ123abc', 'no answer of /services/T0001/B0002/XyZ123abc'],
    ['https://a.example/v1?customer=s3cr3t99', 'https://a.example/v1?page=2&customer=s3cr3t99'],
    ['https://a.example/v1?customer=letters', 'https://a.example/v1?page=2&customer=letters'],
    ['https://me:p4ss%2Fword@a.example/v1', 'p4ss/word and p4ss%2Fword'],
    ['https://A.example:443/k3y-k3y-k3y/', 'https://a.example/k3y-k3y-k3y/orders'],
  ])('%s are in no message', (value, text) => {
    expect(hide(value, text)).not.toMatch(/AA-Token|T0001|XyZ123|s3cr3t99|letters|p4ss|k3y/)
  })

  it.each([
    ['https://api.example.com/v1/orders', 'column orders, GET /orders, v1, api.example.com'],
    ['https://api.example.com/2024-01/daily_sales?format=json', 'daily_sales of 2024-01, format json'],
    ['http://127.0.0.1:4000', 'connection refused 127.0.0.1'],
  ])('%s hide no plain words', (value, text) => {
    expect(hide(value, text)).toBe(text)
    expect(hide(value, `read ${value} twice`)).toBe('read *** twice')
  })

  it('are not looked for in what is no address', () => {
    expect(addressSecrets('user:password')).toBeUndefined()
  })
})
