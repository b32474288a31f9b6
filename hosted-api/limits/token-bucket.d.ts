/**
 * Limits how often each caller may ask: a bucket of `quota` requests that fills again evenly over `window` seconds. Time
 * comes in as an argument, in milliseconds of any clock that never goes back.
 */
export interface RatePolicy {
    /** As the RateLimit headers call it. */
    readonly name: string;
    /** Requests a window; 0: no limit. */
    readonly quota: number;
    /** Seconds. */
    readonly window: number;
}
export interface RateVerdict {
    readonly allowed: boolean;
    /** Requests that are left now. */
    readonly remaining: number;
    /** Seconds until the bucket is full again. */
    readonly reset: number;
    /** Seconds until the next request is allowed; 0 where one is. */
    readonly retryAfter: number;
}
export declare class TokenBuckets {
    #private;
    readonly policy: RatePolicy;
    constructor(policy: RatePolicy);
    /** Takes one request out of the bucket of `key`. A refused request costs nothing. */
    take(key: string, now: number): RateVerdict;
    /** What `take` would say, without taking. */
    look(key: string, now: number): RateVerdict;
    get size(): number;
}
/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers). */
export declare function policyHeader({ name, quota, window }: RatePolicy): string;
export declare function rateHeader({ name }: RatePolicy, { remaining, reset }: RateVerdict): string;
