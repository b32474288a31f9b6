/** Lists the kinds of notifier, one line per kind, in the order of the reference and of completion. */

import type { Variant } from '../schema/shape.ts'
import { email } from './email.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import { webhook } from './webhook.ts'

const kinds = { webhook, slack, teams, email } as const satisfies Readonly<Record<string, Variant>>

/** What is told of: each has a problem that begins, but for the last, which is its end. */
export type NoticeEvent = 'failed' | 'held_back' | 'stale' | 'drifted' | 'recovered'

export type NotifierType = keyof typeof kinds

export const notifierKinds: readonly Variant[] = Object.values(kinds)
