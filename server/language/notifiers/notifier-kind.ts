/** What is told of: each has a problem that begins, but for the last, which is its end. */
export type NoticeEvent = 'failed' | 'held_back' | 'stale' | 'drifted' | 'recovered'
