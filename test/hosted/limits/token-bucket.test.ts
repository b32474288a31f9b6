import { describe, expect, it } from 'vitest'
import { policyHeader, rateHeader, TokenBuckets } from '../../../hosted-api/limits/token-bucket.ts'

const policy = { name: 'read', quota: 60, window: 60 }

describe('a bucket', () => {
  it('gives its quota at once and then one a second', () => {
    const buckets = new TokenBuckets(policy)
    for (let request = 0; request < 60; request++) expect(buckets.take('a', 0).allowed).toBe(true)
    expect(buckets.take('a', 0)).toEqual({ allowed: false, remaining: 0, reset: 60, retryAfter: 1 })
    expect(buckets.take('a', 999).allowed).toBe(false)
    expect(buckets.take('a', 1000)).toEqual({ allowed: true, remaining: 0, reset: 60, retryAfter: 0 })
  })

  it('is never fuller than its quota', () => {
    const buckets = new TokenBuckets(policy)
    buckets.take('a', 0)
    expect(buckets.take('a', 1e9)).toMatchObject({ remaining: 59, reset: 1 })
  })

  it('is one of each caller', () => {
    const buckets = new TokenBuckets({ ...policy, quota: 1 })
    expect(buckets.take('a', 0).allowed).toBe(true)
    expect(buckets.take('a', 0).allowed).toBe(false)
    expect(buckets.take('b', 0).allowed).toBe(true)
  })

  it('does not get emptier by a refusal', () => {
    const buckets = new TokenBuckets({ ...policy, quota: 1 })
    buckets.take('a', 0)
    for (let at = 0; at < 60_000; at += 1000) expect(buckets.take('a', at).allowed).toBe(false)
    expect(buckets.take('a', 60_000).allowed).toBe(true)
  })

  it('says when to come again, and that is true', () => {
    const buckets = new TokenBuckets({ ...policy, quota: 7 })
    for (let request = 0; request < 7; request++) buckets.take('a', 0)
    const { retryAfter } = buckets.take('a', 0)
    expect(retryAfter).toBe(9)
    expect(buckets.take('a', retryAfter * 1000).allowed).toBe(true)
  })

  it('can owe what a request was found to stand for, and pays it back before it gives anything again', () => {
    const buckets = new TokenBuckets(policy)
    buckets.take('a', 0)
    expect(buckets.charge('a', 69, 0)).toMatchObject({ allowed: true, remaining: 0 })
    expect(buckets.charge('a', 1, 5000).allowed).toBe(false)
    expect(buckets.take('a', 10_999)).toMatchObject({ allowed: false, remaining: 0 })
    expect(buckets.take('a', 11_000)).toMatchObject({ allowed: true, remaining: 0 })
  })

  it('owes a window at most, whatever was asked', () => {
    const buckets = new TokenBuckets(policy)
    expect(buckets.charge('a', 1e6, 0)).toMatchObject({ allowed: true, retryAfter: 0 })
    expect(buckets.take('a', 0)).toMatchObject({ allowed: false, retryAfter: 61 })
    expect(buckets.take('a', 61_000).allowed).toBe(true)
  })

  it('is forgotten once it is full again, so that a flood of callers does not fill the memory', () => {
    const buckets = new TokenBuckets(policy)
    for (let caller = 0; caller < 50_000; caller++) buckets.take(`caller ${caller}`, caller * 100)
    expect(buckets.size).toBeLessThanOrEqual(10_000)
  })
})

describe('the headers', () => {
  it('say the policy and what is left', () => {
    const buckets = new TokenBuckets(policy)
    expect(policyHeader(policy)).toBe('"read";q=60;w=60')
    expect(rateHeader(policy, buckets.take('a', 0))).toBe('"read";r=59;t=1')
  })
})
