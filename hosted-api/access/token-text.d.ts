/** A shorter bootstrap token could be guessed. */
export declare const shortestBootstrapToken = 32
export declare function createTokenText(): string
/** False: no token of ours, whatever the database holds. */
export declare function isTokenText(text: string): boolean
/** What is stored in place of the token. */
export declare function hashToken(text: string): string
/** Enough to tell one's tokens apart, not enough to use one: `svc_4fGk…x9Qa`. */
export declare function hintOfToken(text: string): string
