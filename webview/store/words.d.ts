/** How times, counts and sizes are said in the dashboard. Pure: the time of now comes in. */
/** `2 hours ago`, `in 5 minutes`, `just now`; an unreadable time is said as it is written. */
export declare function agoOf(iso: string, nowMs: number): string
/** `9 ms`, `1.2 s`, `3 min 5 s`. */
export declare function durationOf(seconds: number): string
/** A threshold as it was most likely written: `12 h`, `2 days`, `90 s`. */
export declare function spanOf(seconds: number): string
export declare function countOf(count: number, one: string, many?: string): string
/** `26,412`: the same in every locale, like the command line. */
export declare function numberOf(count: number): string
/** A fraction as a percentage that never rounds up to "all" or down to "none". */
export declare function percentOf(fraction: number): string
