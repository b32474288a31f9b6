/**
 * The interface of a kind of notifier in the language: its name, its documentation and its keys in `svc.yaml`, one file a
 * kind. `cli/engine/notify` sends messages to it.
 */
import type { Variant } from '../schema/shape.ts'

export interface NotifierKind {
  readonly variant: Variant
}

/** What is told of: each has a problem that begins, but for the last, which is its end. */
export type NoticeEvent = 'failed' | 'held_back' | 'stale' | 'drifted' | 'recovered'
